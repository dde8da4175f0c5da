import { parseCookie, stringifySetCookie } from 'cookie';

/**
 * Reads a cookie from a `Cookie` header. The first of two with one name counts, as browsers send the more specific
 * first. Values are not decoded: ours need no encoding.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return parseCookie(header ?? '', { decode: (value) => value })[name];
}

/**
 * Returns the full name of a cookie. Over https it gets the `__Host-` prefix, which browsers accept only from this
 * exact host, so that no neighbouring subdomain can set one.
 */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/**
 * Returns a `Set-Cookie` value for a cookie that scripts cannot read. Without an age it ends with the browser
 * session.
 */
export function setCookie(baseUrl: string, name: string, value: string, maxAgeSeconds?: number): string {
  return stringifySetCookie({
    name: cookieName(baseUrl, name),
    value,
    path: '/',
    httpOnly: true,
    secure: baseUrl.startsWith('https:'),
    sameSite: 'lax',
    ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
  });
}
