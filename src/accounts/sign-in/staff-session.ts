import type { Deps, OperationDeps } from '../../core/context.ts';
import { cookieName, readCookie, setCookie } from '../../core/secret/cookies.ts';
import type { Db } from '../../core/postgres/db.ts';
import { hashToken, newToken } from '../../core/secret/token.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import type { StaffRole } from '../staff/staff.ts';
import type { WithCookies } from './session.ts';

const SESSION_MS = 12 * HOUR_MS;
export const STAFF_IDLE_MS = HOUR_MS;
/** Lifetime of a session with only the password: setting up the second factor takes minutes. */
const ENROL_MS = 20 * MINUTE_MS;
/** Minimum interval between updates of `last_seen_at`, so that not every page causes a write. */
const SEEN_STEP_MS = MINUTE_MS;

interface StaffMember {
  id: string;
  email: string;
  role: StaffRole;
}

export interface StaffSession {
  staff: StaffMember;
  tokenHash: Buffer;
  /** Step to complete before the console opens; undefined when it is open. */
  pending: 'password' | 'second_factor' | undefined;
}

export interface SessionOrigin {
  address: string;
  userAgent: string;
}

/** Finds the session of a request's cookie, including one that may not open the console yet. */
export async function staffSession(deps: Deps, request: WithCookies): Promise<StaffSession | undefined> {
  const { baseUrl, prefix } = deps.config;
  const token = readCookie(request.headers.cookie, cookieName(baseUrl, `${prefix}_staff`));
  if (token === undefined || !/^[\w-]{43}$/.test(token)) return undefined;
  const now = deps.clock.now();
  const tokenHash = hashToken(token);
  const [row] = await deps.pool<SessionRow[]>`
    select s.id, s.email, s.role, s.must_change_password, t.second_factor, t.last_seen_at
    from staff_session t join staff s on s.id = t.staff_id
    where t.token_hash = ${tokenHash} and s.disabled_at is null and t.expires_at > ${now}
      and t.last_seen_at > ${new Date(now.getTime() - STAFF_IDLE_MS)}`;
  if (row === undefined) return undefined;
  if (now.getTime() - row.last_seen_at.getTime() >= SEEN_STEP_MS)
    await deps.pool`update staff_session set last_seen_at = ${now} where token_hash = ${tokenHash}`;
  const { id, email, role } = row;
  return { staff: { id, email, role }, tokenHash, pending: pendingStep(row) };
}

interface SessionRow extends StaffMember {
  must_change_password: boolean;
  second_factor: boolean;
  last_seen_at: Date;
}

function pendingStep(row: SessionRow): StaffSession['pending'] {
  if (row.must_change_password) return 'password';
  return row.second_factor ? undefined : 'second_factor';
}

/** Begins a session and returns the token for the cookie; only its hash is stored. */
export async function openStaffSession(
  db: Db,
  session: SessionOrigin & {
    staffId: string;
    /** Sealed secret offered to an authenticator; undefined: the second factor was proven. */
    offer: Buffer | undefined;
    now: Date;
  },
): Promise<string> {
  const token = newToken();
  const { staffId, offer, address, userAgent, now } = session;
  const secondFactor = offer === undefined;
  const expiresAt = new Date(now.getTime() + (secondFactor ? SESSION_MS : ENROL_MS));
  await db`
    insert into staff_session
      (token_hash, staff_id, second_factor, offered_totp, address, user_agent, created_at, last_seen_at, expires_at)
    values (${hashToken(token)}, ${staffId}, ${secondFactor}, ${offer ?? null}, ${address}, ${userAgent.slice(0, 300)},
            ${now}, ${now}, ${expiresAt})`;
  return token;
}

export async function endSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db`delete from staff_session where token_hash = ${tokenHash}`;
}

/** Ends every session of a person, except the given one. Returns how many were ended. */
export async function endSessionsOf(db: Db, staffId: string, except?: Buffer): Promise<number> {
  const ended = await db`
    delete from staff_session
    where staff_id = ${staffId} and token_hash is distinct from ${except ?? null}`;
  return ended.count;
}

export interface SessionInfo {
  address: string;
  user_agent: string;
  created_at: Date;
  last_seen_at: Date;
  this_one: boolean;
}

export function listSessions(
  db: Db,
  staffId: string,
  current: Buffer,
  now: Date,
): Promise<readonly SessionInfo[]> {
  return db<SessionInfo[]>`
    select address, user_agent, created_at, last_seen_at, token_hash = ${current} as this_one
    from staff_session
    where staff_id = ${staffId} and second_factor and expires_at > ${now}
      and last_seen_at > ${new Date(now.getTime() - STAFF_IDLE_MS)}
    order by this_one desc, last_seen_at desc`;
}

export function sessionCookie({ config }: Pick<OperationDeps, 'config'>, token: string | undefined): string {
  const name = `${config.prefix}_staff`;
  if (token === undefined) return setCookie(config.baseUrl, name, '', 0);
  return setCookie(config.baseUrl, name, token, SESSION_MS / 1000);
}
