import { randomBytes } from 'node:crypto';
import type { Deps } from '../core/context.ts';
import { cookieName, readCookie, setCookie } from '../core/cookies.ts';
import type { Db } from '../core/db.ts';
import { hashToken } from './storage/token-store.ts';

const SESSION_MS = 7 * 86_400_000;
const TOKEN = /^[\w-]{43}$/;

/** What a request must have for us to know who sends it. */
interface WithCookies {
  headers: { cookie?: string | undefined };
}

/** Begins a session for whoever has proven a mailbox, and returns the cookie for it. */
export async function openOperatorSession(deps: Deps, db: Db, email: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = deps.clock.now();
  await db`
    insert into operator_session (token_hash, email, created_at, expires_at)
    values (${hashToken(token)}, ${email}, ${now}, ${new Date(now.getTime() + SESSION_MS)})`;
  return setCookie(deps.config.baseUrl, cookieOf(deps), token, SESSION_MS / 1000);
}

/** The mailbox of the operator who is signed in, or undefined. */
export async function signedInOperator(deps: Deps, request: WithCookies): Promise<string | undefined> {
  const token = tokenOf(deps, request);
  if (token === undefined) return undefined;
  const [session] = await deps.pool<{ email: string }[]>`
    select email from operator_session where token_hash = ${hashToken(token)} and expires_at > ${deps.clock.now()}`;
  return session?.email;
}

/** Ends the session, and returns the cookie that says so. */
export async function closeOperatorSession(deps: Deps, request: WithCookies): Promise<string> {
  const token = tokenOf(deps, request);
  if (token !== undefined)
    await deps.pool`delete from operator_session where token_hash = ${hashToken(token)}`;
  return setCookie(deps.config.baseUrl, cookieOf(deps), '', 0);
}

function tokenOf(deps: Deps, request: WithCookies): string | undefined {
  const token = readCookie(request.headers.cookie, cookieName(deps.config.baseUrl, cookieOf(deps)));
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

function cookieOf({ config }: Deps): string {
  return `${config.prefix}_operator`;
}
