import { isAgentSurface, isMachineReadable } from './request-path.ts';

const EXPOSED_HEADERS =
  'Mcp-Session-Id, X-Request-Id, X-RateLimit-Remaining, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, ETag, Idempotent-Replayed';

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/** Pages may load only our own resources. */
const FOR_PEOPLE = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
};

/** Data may load nothing. It does not depend on cookies, so any web page may read it; access is controlled by keys. */
const FOR_PROGRAMS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

const TRANSPORT = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Header with the number of reads that the caller has left today; every response of the agent surface has it. */
export const REMAINING = 'x-ratelimit-remaining';

export const NOTHING_LEFT = { [REMAINING]: '0' };

/** Returns the headers of every response, whether a route, the router's 404 or the HTTP parser writes it. */
export function answerHeaders(baseUrl: string, path: string, requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    ...ALWAYS,
    ...(isMachineReadable(path) ? FOR_PROGRAMS : FOR_PEOPLE),
    ...(isAgentSurface(path) ? NOTHING_LEFT : undefined),
    ...(baseUrl.startsWith('https:') ? TRANSPORT : undefined),
  };
}
