import type { FastifyRequest } from 'fastify';

/** Path of a request in the spelling of its route: no rule may depend on how the caller wrote it. */
export function pathOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? spelledPath(request.url);
}

/** Returns the path of a URL without a route. Only its beginning matters, so escapes are decoded to single bytes. */
function spelledPath(url: string): string {
  const path = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? '';
  return path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => String.fromCharCode(Number(`0x${escape.slice(1)}`)));
}

export function isAgentSurface(path: string): boolean {
  return path === '/mcp' || path === '/api/agent' || path.startsWith('/api/agent/');
}

/** OAuth endpoints that clients call themselves; the others are for a person's browser. */
const MACHINE_PATHS = new Set(['/oauth/token', '/oauth/register', '/oauth/revoke']);

/** True for paths read by programs, not people: errors are problem documents, and other origins may read them. */
export function isMachineReadable(path: string): boolean {
  return (
    path.startsWith('/api/') ||
    path === '/mcp' ||
    path.startsWith('/.well-known/') ||
    MACHINE_PATHS.has(path) ||
    path === '/openapi.json' ||
    path === '/llms.txt'
  );
}

/** Returns the surface whose credential a path takes: an agent's bearer token, or a partner's key. */
export function surfaceOf(path: string): 'agent' | 'partner' | 'reserve' {
  if (path.startsWith('/api/agent/')) return 'agent';
  return path.startsWith('/api/reserve/') ? 'reserve' : 'partner';
}
