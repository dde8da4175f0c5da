import {
  endedSession,
  newSession,
  sessionHash,
  type WithCookies,
} from '../accounts/sign-in/session-cookie.ts';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';

const SESSION_MS = 7 * 86_400_000;

/** Begins a session for whoever has proven a mailbox, and returns the cookie for it. */
export async function openOperatorSession(deps: Deps, db: Db, email: string): Promise<string> {
  const { cookie, tokenHash } = newSession(deps, 'operator', SESSION_MS);
  const now = deps.clock.now();
  await db`
    insert into operator_session (token_hash, email, created_at, expires_at)
    values (${tokenHash}, ${email}, ${now}, ${new Date(now.getTime() + SESSION_MS)})`;
  return cookie;
}

/** The mailbox of the operator who is signed in, or undefined. */
export async function signedInOperator(deps: Deps, request: WithCookies): Promise<string | undefined> {
  const hash = sessionHash(deps, 'operator', request);
  if (hash === undefined) return undefined;
  const [session] = await deps.pool<{ email: string }[]>`
    select email from operator_session where token_hash = ${hash} and expires_at > ${deps.clock.now()}`;
  return session?.email;
}

/** Ends the session, and returns the cookie that says so. */
export async function closeOperatorSession(deps: Deps, request: WithCookies): Promise<string> {
  const hash = sessionHash(deps, 'operator', request);
  if (hash !== undefined) await deps.pool`delete from operator_session where token_hash = ${hash}`;
  return endedSession(deps, 'operator');
}
