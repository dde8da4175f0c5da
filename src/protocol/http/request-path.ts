import type { FastifyRequest } from 'fastify';

/**
 * The path that a request is about. A route can be spelled in many ways (percent-encoded, as a whole address, with a
 * fragment), so where one was found its own spelling counts: no rule may depend on how the caller wrote it.
 */
export function pathOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? spelledPath(request.url);
}

/** The path of an address that leads to no route. Only its beginning is of interest, so that bytes may stay bytes. */
function spelledPath(url: string): string {
  const path = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? '';
  return path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => String.fromCharCode(Number(`0x${escape.slice(1)}`)));
}

export function isAgentSurface(path: string): boolean {
  return path === '/mcp' || path === '/api/agent' || path.startsWith('/api/agent/');
}

/** What clients of OAuth call by themselves; the rest of it is for a person's browser. */
const MACHINE_PATHS = new Set(['/oauth/token', '/oauth/register', '/oauth/revoke']);

/** Whether programs, not people, read what is here: errors are problem documents, and other origins may look. */
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

/** Whose credential opens a path: an agent's bearer token, or a partner's key. */
export function surfaceOf(path: string): 'agent' | 'partner' | 'reserve' {
  if (path.startsWith('/api/agent/')) return 'agent';
  return path.startsWith('/api/reserve/') ? 'reserve' : 'partner';
}
