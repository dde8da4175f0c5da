import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../core/errors.ts';
import { answerHeaders } from './answer-headers.ts';
import { handleNodeRejections } from './http-error.ts';
import { isAgentSurface, isMachineReadable, pathOf } from './request-path.ts';
import { memoizeText } from '../../core/memory/memoize-text.ts';
import { isRealUserAgent } from './user-agent.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    mcp?: boolean;
  }
}

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, Api-User-Agent, Idempotency-Key, If-None-Match, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Partner-Key';

/** Probes use addresses or names invented by an orchestrator, and return nothing worth guarding. */
const HOST_EXEMPT = new Set(['/healthz', '/readyz', '/metrics']);

export class Guard {
  readonly #hosts: Set<string>;
  readonly #origins: Set<string>;

  constructor({ baseUrl, partnerUrl, allowedHosts, allowedOrigins }: Config) {
    this.#hosts = new Set([new URL(baseUrl).hostname, new URL(partnerUrl).hostname, ...allowedHosts]);
    this.#origins = new Set([baseUrl, partnerUrl, ...allowedOrigins]);
  }

  check({ headers, rawHeaders }: IncomingMessage, path: string, mcp: boolean): void {
    if (isAgentSurface(path)) requireUserAgent(headers);
    if (!HOST_EXEMPT.has(path)) requireHost(headers, rawHeaders, this.#hosts);
    if (mcp && headers.origin !== undefined) requireOrigin(headers.origin, this.#origins);
  }

  passes(request: IncomingMessage, path: string, mcp: boolean): boolean {
    try {
      this.check(request, path, mcp);
      return true;
    } catch {
      return false;
    }
  }
}

export function addGuards(app: FastifyInstance, config: Config, guard: Guard): void {
  handleNodeRejections(app);
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify rebuilds this object on every access.
    const { config: route } = request.routeOptions;
    const path = pathOf(request);
    reply.headers(answerHeaders(config.baseUrl, path, request.id));
    if (request.method === 'OPTIONS' && isMachineReadable(path)) {
      void reply
        .code(204)
        .header('access-control-allow-methods', 'GET, HEAD, POST, DELETE, OPTIONS')
        .header('access-control-allow-headers', ALLOWED_HEADERS)
        .header('access-control-max-age', '86400')
        .send();
      return;
    }
    guard.check(request.raw, path, route.mcp === true);
    done();
  });
}

const REMEMBERED = 500;
const isReal = memoizeText(isRealUserAgent, REMEMBERED);

function requireUserAgent(headers: IncomingHttpHeaders): void {
  const substitute = headers['api-user-agent'];
  if (isReal(headers['user-agent'] ?? '')) return;
  if (typeof substitute === 'string' && isReal(substitute)) return;
  throw new AppError(
    'user_agent_required',
    'Send a User-Agent that names your agent and how to reach you, not a library default.',
    {
      hint: 'For example: User-Agent: TripPlanner/1.2 (+https://example.com/agent). In a browser send Api-User-Agent.',
    },
  );
}

/**
 * Refuses unknown host names: the request may come from a web page whose name was made to resolve to this
 * machine (DNS rebinding). IP addresses are accepted, because they cannot be rebound.
 */
function requireHost(headers: IncomingHttpHeaders, rawHeaders: readonly string[], hosts: Set<string>): void {
  if (countHosts(rawHeaders) !== 1) throw new AppError('bad_request', 'Send exactly one Host header.');
  const name = hostname(headers.host ?? '');
  if (name !== '' && (isLoopbackName(name) || isIP(name) !== 0 || hosts.has(name) || hosts.has('*'))) return;
  throw new AppError('host_refused', 'The service does not answer to this host name.', {
    hint: 'Use the address given in BASE_URL, or have the operator add the name to ALLOWED_HOSTS.',
  });
}

/**
 * Counts the Host headers. Node keeps the first of two and a proxy may keep the second, so RFC 9112 requires
 * refusing such a request.
 */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

function requireOrigin(origin: string, origins: Set<string>): void {
  if (origins.has(origin) || (URL.canParse(origin) && isLoopbackName(bare(new URL(origin).hostname)))) return;
  throw new AppError('origin_refused', 'Web pages of this origin may not call the service.', {
    hint: 'The operator can add the origin to ALLOWED_ORIGINS.',
  });
}

const hostname = memoizeText((host) => {
  if (!URL.canParse(`http://${host}`) || /[/?#@\\]/.test(host)) return '';
  return bare(new URL(`http://${host}`).hostname);
}, REMEMBERED);

function bare(name: string): string {
  return name.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isLoopbackName(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)
  );
}
