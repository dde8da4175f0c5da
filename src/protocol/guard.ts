import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../core/errors.ts';
import { isRealUserAgent } from './user-agent.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on MCP endpoints, whose callers' web origin is checked. */
    mcp?: boolean;
  }
}

const EXPOSED_HEADERS =
  'Mcp-Session-Id, X-Request-Id, X-RateLimit-Remaining, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, ETag, Idempotent-Replayed';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, Api-User-Agent, Idempotency-Key, If-None-Match, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Partner-Key';

/** Probes come by address or by names that an orchestrator made up, and answer nothing worth guarding. */
const HOST_EXEMPT = new Set(['/healthz', '/readyz', '/metrics']);

/** What a page may load: nothing but our own. Everything else may load nothing at all. */
const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

/** The checks that every request passes before anything else looks at it, in this order. */
export function addGuards(app: FastifyInstance, config: Config): void {
  const hosts = new Set([
    new URL(config.baseUrl).hostname,
    new URL(config.partnerUrl).hostname,
    ...config.allowedHosts,
  ]);
  const origins = new Set([config.baseUrl, config.partnerUrl, ...config.allowedOrigins]);
  const transport: Record<string, string> = config.baseUrl.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {};

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'content-security-policy': PAGE_POLICY,
      ...transport,
    });
    const path = pathOf(request);
    const origin = request.headers.origin;
    if (isMachineReadable(path)) {
      // Nothing here rests on cookies, so any web page may read the answers; keys are what opens them.
      reply
        .header('access-control-allow-origin', '*')
        .header('access-control-expose-headers', EXPOSED_HEADERS);
    }
    if (request.method === 'OPTIONS' && isMachineReadable(path)) {
      void reply
        .code(204)
        .header('access-control-allow-methods', 'GET, HEAD, POST, DELETE, OPTIONS')
        .header('access-control-allow-headers', ALLOWED_HEADERS)
        .header('access-control-max-age', '86400')
        .send();
      return;
    }
    if (isAgentSurface(path)) requireUserAgent(request);
    if (!HOST_EXEMPT.has(path)) requireHost(request, hosts);
    if (request.routeOptions.config.mcp === true && origin !== undefined) requireOrigin(origin, origins);
    done();
  });
}

function requireUserAgent(request: FastifyRequest): void {
  const substitute = request.headers['api-user-agent'];
  const userAgent = typeof substitute === 'string' ? substitute : request.headers['user-agent'];
  if (isRealUserAgent(userAgent)) return;
  throw new AppError(
    'user_agent_required',
    'Send a User-Agent that names your agent and how to reach you, not a library default.',
    {
      hint: 'For example: User-Agent: TripPlanner/1.2 (+https://example.com/agent). In a browser send Api-User-Agent.',
    },
  );
}

/** A name that is not ours may be a page that had its own name resolved to this machine. An address cannot be. */
function requireHost(request: FastifyRequest, hosts: Set<string>): void {
  const name = hostname(request.headers.host ?? '');
  if (name !== undefined && (isLoopbackName(name) || isIP(name) !== 0 || hosts.has(name) || hosts.has('*')))
    return;
  throw new AppError('host_refused', 'This host name is not one that the service answers to.', {
    hint: 'Use the address given in BASE_URL, or have the operator add the name to ALLOWED_HOSTS.',
  });
}

function requireOrigin(origin: string, origins: Set<string>): void {
  if (origins.has(origin) || (URL.canParse(origin) && isLoopbackName(bare(new URL(origin).hostname)))) return;
  throw new AppError('origin_refused', 'Web pages of this origin may not call the service.', {
    hint: 'The operator can add the origin to ALLOWED_ORIGINS.',
  });
}

function hostname(host: string): string | undefined {
  return URL.canParse(`http://${host}`) && !/[/?#@\\]/.test(host)
    ? bare(new URL(`http://${host}`).hostname)
    : undefined;
}

function bare(name: string): string {
  return name.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)
  );
}

export function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?');
  return end < 0 ? request.url : request.url.slice(0, end);
}

function isAgentSurface(path: string): boolean {
  return path === '/mcp' || path === '/api/agent' || path.startsWith('/api/agent/');
}

/** Whether programs, not people, read what is here: errors are problem documents, and other origins may look. */
export function isMachineReadable(path: string): boolean {
  return (
    path.startsWith('/api/') ||
    path === '/mcp' ||
    path.startsWith('/.well-known/') ||
    path === '/openapi.json' ||
    path === '/llms.txt'
  );
}
