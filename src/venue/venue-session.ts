import {
  endedSession,
  newSession,
  sessionHash,
  type WithCookies,
} from '../accounts/sign-in/session-cookie.ts';
import type { Deps } from '../core/context.ts';
import type { Db } from '../core/postgres/db.ts';

const SESSION_MS = 14 * 86_400_000;

/** Begins a session for whoever entered the code of a claimed place, and returns the cookie for it. */
export async function openVenueSession(deps: Deps, placeId: string): Promise<string> {
  const { cookie, tokenHash } = newSession(deps, 'venue', SESSION_MS);
  const now = deps.clock.now();
  await deps.pool`
    insert into venue_session (token_hash, place_id, created_at, expires_at)
    values (${tokenHash}, ${placeId}, ${now}, ${new Date(now.getTime() + SESSION_MS)})`;
  return cookie;
}

/** The place whose venue is signed in, or undefined. */
export async function signedInVenue(deps: Deps, request: WithCookies): Promise<string | undefined> {
  const hash = sessionHash(deps, 'venue', request);
  if (hash === undefined) return undefined;
  const [session] = await deps.pool<{ place_id: string }[]>`
    select place_id from venue_session where token_hash = ${hash} and expires_at > ${deps.clock.now()}`;
  return session?.place_id;
}

/** Ends the session, and returns the cookie that says so. */
export async function closeVenueSession(deps: Deps, request: WithCookies): Promise<string> {
  const hash = sessionHash(deps, 'venue', request);
  if (hash !== undefined) await deps.pool`delete from venue_session where token_hash = ${hash}`;
  return endedSession(deps, 'venue');
}

export async function forgetVenueSessions(db: Db, now: Date): Promise<void> {
  await db`delete from venue_session where expires_at <= ${now}`;
}
