/** One cookie of a `Cookie` header, or undefined. Of two with one name the first counts, as browsers send the nearer first. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * The full name of a cookie. Over https it gets the prefix with which a browser takes it only from this very host, so
 * that no neighbouring subdomain can plant one.
 */
export function cookieName(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** A `Set-Cookie` value for a cookie that no script reads. Without an age it ends with the browser. */
export function setCookie(baseUrl: string, name: string, value: string, maxAgeSeconds?: number): string {
  const parts = [`${cookieName(baseUrl, name)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (baseUrl.startsWith('https:')) parts.push('Secure');
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`);
  return parts.join('; ');
}
