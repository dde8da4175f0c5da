/**
 * Reads a cookie from a `Cookie` header. The first of two with one name counts, as browsers send the more specific
 * first.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
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
  const parts = [`${cookieName(baseUrl, name)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (baseUrl.startsWith('https:')) parts.push('Secure');
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`);
  return parts.join('; ');
}
