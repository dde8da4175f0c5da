import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { findPartner, type ListedPartner } from '../partners/partner-roster.ts';
import { endedSession, newSession, sessionHash, type WithCookies } from './session-cookie.ts';

const SESSION_MS = 7 * 86_400_000;

/** Begins a session for whoever used the link from the mailbox, and returns the cookie for it. */
export async function openPartnerSession(deps: Deps, db: Db, partnerId: string): Promise<string> {
  const { cookie, tokenHash } = newSession(deps, 'partner', SESSION_MS);
  const now = deps.clock.now();
  await db`
    insert into partner_session (token_hash, partner_id, created_at, expires_at)
    values (${tokenHash}, ${partnerId}, ${now}, ${new Date(now.getTime() + SESSION_MS)})`;
  return cookie;
}

/** The partner whose mailbox is signed in, or undefined. */
export async function signedInPartner(deps: Deps, request: WithCookies): Promise<ListedPartner | undefined> {
  const tokenHash = sessionHash(deps, 'partner', request);
  if (tokenHash === undefined) return undefined;
  const [session] = await deps.pool<{ partner_id: string }[]>`
    select partner_id from partner_session where token_hash = ${tokenHash} and expires_at > ${deps.clock.now()}`;
  return session && findPartner(deps.pool, session.partner_id);
}

/** Ends the session, and returns the cookie that says so. */
export async function closePartnerSession(deps: Deps, request: WithCookies): Promise<string> {
  const tokenHash = sessionHash(deps, 'partner', request);
  if (tokenHash !== undefined) await deps.pool`delete from partner_session where token_hash = ${tokenHash}`;
  return endedSession(deps, 'partner');
}

export async function forgetPartnerSessions(db: Db, now: Date): Promise<void> {
  await db`delete from partner_session where expires_at <= ${now}`;
}
