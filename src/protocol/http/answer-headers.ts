import { isAgentSurface, isMachineReadable } from './request-path.ts';

const EXPOSED_HEADERS =
  'Mcp-Session-Id, X-Request-Id, X-RateLimit-Remaining, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, ETag, Idempotent-Replayed';

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/** What a page may load: nothing but our own. */
const FOR_PEOPLE = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
};

/** Data may load nothing. It rests on no cookie, so any web page may read it; keys are what opens it. */
const FOR_PROGRAMS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

const TRANSPORT = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** Says how many reads the caller has left today. Every answer of the agent surface carries it. */
export const REMAINING = 'x-ratelimit-remaining';

/** A caller that is not known has nothing left. */
export const NOTHING_LEFT = { [REMAINING]: '0' };

/** The headers of every answer, whoever writes it: a route, the router that found none, or the HTTP parser. */
export function answerHeaders(baseUrl: string, path: string, requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    ...ALWAYS,
    ...(isMachineReadable(path) ? FOR_PROGRAMS : FOR_PEOPLE),
    ...(isAgentSurface(path) ? NOTHING_LEFT : undefined),
    ...(baseUrl.startsWith('https:') ? TRANSPORT : undefined),
  };
}
