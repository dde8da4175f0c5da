import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { TOKEN, hashToken, newToken } from '../../core/secret/token.ts';
import { cookieName, readCookie, setCookie } from '../../core/secret/cookies.ts';
import { DAY_MS } from '../../core/time.ts';

export interface WithCookies {
  headers: { cookie?: string | undefined };
}

/** Sessions of people who proved a contact: the table, the column that names the holder, and the lifetime. */
const SESSIONS = {
  venue: { table: 'venue_session', names: 'place_id', lifeMs: 14 * DAY_MS },
  member: { table: 'member_session', names: 'member_id', lifeMs: 30 * DAY_MS },
  operator: { table: 'operator_session', names: 'email', lifeMs: 7 * DAY_MS },
  partner: { table: 'partner_session', names: 'partner_id', lifeMs: 7 * DAY_MS },
} as const;

/** Named as in its cookie. Staff sessions are separate, because they have a second factor. */
export type SessionName = keyof typeof SESSIONS;

export const SESSION_COOKIES = ['staff', ...(Object.keys(SESSIONS) as SessionName[])] as const;

interface At {
  deps: Pick<OperationDeps, 'config'>;
  db: Db;
  now: Date;
}

/** Begins a session for a proven holder and returns the cookie. Only the hash of its token is stored. */
export async function openSession({ deps, db, now }: At, name: SessionName, who: string): Promise<string> {
  const { table, names, lifeMs } = SESSIONS[name];
  const { baseUrl, prefix } = deps.config;
  const token = newToken();
  await db`
    insert into ${db(table)} (token_hash, ${db(names)}, created_at, expires_at)
    values (${hashToken(token)}, ${who}, ${now}, ${new Date(now.getTime() + lifeMs)})`;
  return setCookie(baseUrl, `${prefix}_${name}`, token, lifeMs / 1000);
}

export async function sessionHolder(
  { deps, db, now }: At,
  name: SessionName,
  request: WithCookies,
): Promise<string | undefined> {
  const { table, names } = SESSIONS[name];
  const hash = sessionHash(deps, name, request);
  if (hash === undefined) return undefined;
  const [session] = await db<{ who: string }[]>`
    select ${db(names)} as who from ${db(table)} where token_hash = ${hash} and expires_at > ${now}`;
  return session?.who;
}

export async function closeSession(
  { deps, db }: Pick<At, 'deps' | 'db'>,
  name: SessionName,
  request: WithCookies,
): Promise<string> {
  const hash = sessionHash(deps, name, request);
  if (hash !== undefined) await db`delete from ${db(SESSIONS[name].table)} where token_hash = ${hash}`;
  return setCookie(deps.config.baseUrl, `${deps.config.prefix}_${name}`, '', 0);
}

function sessionHash(
  { config }: Pick<OperationDeps, 'config'>,
  name: SessionName,
  request: WithCookies,
): Buffer | undefined {
  const cookie = cookieName(config.baseUrl, `${config.prefix}_${name}`);
  const token = readCookie(request.headers.cookie, cookie);
  return token !== undefined && TOKEN.test(token) ? hashToken(token) : undefined;
}
