import { parseCookie, stringifySetCookie } from 'cookie';

/** Reads a cookie. The first of two with one name counts: browsers send the more specific first. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  return parseCookie(header ?? '', { decode: (value) => value })[name];
}

/** Name of a cookie, over https with the `__Host-` prefix, so that no other subdomain can set it. */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** Builds a `Set-Cookie` value that scripts cannot read. Without an age it ends with the browser session. */
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
