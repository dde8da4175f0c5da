import { createHash, randomBytes } from 'node:crypto';
import type { Deps } from '../../core/context.ts';
import { cookieName, readCookie, setCookie } from '../../core/secret/cookies.ts';

/** What a request must have for us to know who sends it. */
export interface WithCookies {
  headers: { cookie?: string | undefined };
}

/** The sessions of people, by the name of their cookie. csrf.ts binds forms to each of them. */
export type SessionName = 'venue' | 'operator' | 'member' | 'partner';

const TOKEN = /^[\w-]{43}$/;

/** A new session: the cookie for the browser, and the hash for the database, which never sees the token itself. */
export function newSession(
  { config }: Deps,
  name: SessionName,
  lifeMs: number,
): { cookie: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  const cookie = setCookie(config.baseUrl, fullName(config.prefix, name), token, lifeMs / 1000);
  return { cookie, tokenHash: hashToken(token) };
}

/** The hash of the session that a request brings, or undefined. */
export function sessionHash({ config }: Deps, name: SessionName, request: WithCookies): Buffer | undefined {
  const cookie = cookieName(config.baseUrl, fullName(config.prefix, name));
  const token = readCookie(request.headers.cookie, cookie);
  return token !== undefined && TOKEN.test(token) ? hashToken(token) : undefined;
}

/** The cookie that ends a session in the browser. */
export function endedSession({ config }: Deps, name: SessionName): string {
  return setCookie(config.baseUrl, fullName(config.prefix, name), '', 0);
}

function fullName(prefix: string, name: SessionName): string {
  return `${prefix}_${name}`;
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
