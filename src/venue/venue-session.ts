import { createHash, randomBytes } from 'node:crypto';
import type { Deps } from '../core/context.ts';
import { cookieName, readCookie, setCookie } from '../core/cookies.ts';
import type { Db } from '../core/db.ts';

const SESSION_DAYS = 14;
const DAY_MS = 86_400_000;
const TOKEN = /^[\w-]{43}$/;

/** What a request must have for us to know who sends it. */
interface WithCookies {
  headers: { cookie?: string | undefined };
}

/** Begins a session for whoever entered the code of a claimed place, and returns the cookie for it. */
export async function openVenueSession(deps: Deps, placeId: string): Promise<string> {
  const { config, pool } = deps;
  const token = randomBytes(32).toString('base64url');
  const now = deps.clock.now();
  await pool`
    insert into venue_session (token_hash, place_id, created_at, expires_at)
    values (${hash(token)}, ${placeId}, ${now}, ${new Date(now.getTime() + SESSION_DAYS * DAY_MS)})`;
  return setCookie(config.baseUrl, cookieOf(deps), token, (SESSION_DAYS * DAY_MS) / 1000);
}

/** The place whose venue is signed in, or undefined. */
export async function signedInVenue(deps: Deps, request: WithCookies): Promise<string | undefined> {
  const token = tokenOf(deps, request);
  if (token === undefined) return undefined;
  const [session] = await deps.pool<{ place_id: string }[]>`
    select place_id from venue_session where token_hash = ${hash(token)} and expires_at > ${deps.clock.now()}`;
  return session?.place_id;
}

/** Ends the session, and returns the cookie that says so. */
export async function closeVenueSession(deps: Deps, request: WithCookies): Promise<string> {
  const token = tokenOf(deps, request);
  if (token !== undefined) await deps.pool`delete from venue_session where token_hash = ${hash(token)}`;
  return setCookie(deps.config.baseUrl, cookieOf(deps), '', 0);
}

export async function forgetVenueSessions(db: Db, now: Date): Promise<void> {
  await db`delete from venue_session where expires_at <= ${now}`;
}

function tokenOf(deps: Deps, request: WithCookies): string | undefined {
  const token = readCookie(request.headers.cookie, cookieName(deps.config.baseUrl, cookieOf(deps)));
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

function cookieOf({ config }: Deps): string {
  return `${config.prefix}_venue`;
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
