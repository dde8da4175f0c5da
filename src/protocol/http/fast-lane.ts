import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Deps } from '../../core/context.ts';
import { orElse } from '../../core/memory/maybe-promise.ts';
import { addressGroup } from '../../core/text/address-group.ts';
import { answerHeaders, REMAINING } from './answer-headers.ts';
import type { ExchangeRequest, Exchange, ExchangeReply } from './exchange.ts';
import type { Guard } from './guard.ts';
import { BODY_LIMIT_BYTES, parseJson } from './json-body.ts';

interface LaneRoute {
  exchange: Exchange;
  mcp: boolean;
  refuse(request: ExchangeRequest, thrown: unknown): ExchangeReply;
}

export type LaneRoutes = Map<string, LaneRoute>;

const PLAIN_JSON = new Set(['application/json', 'application/json; charset=utf-8']);

/** Serves plain requests to the busiest routes before the router, which would cost as much as the work itself. */
export function fastLane(
  deps: Deps,
  guard: Guard,
  routes: LaneRoutes,
  router: RequestListener,
): RequestListener {
  const trusts = proxyAddr.compile([...deps.config.trustedProxies]);
  const proxied = deps.config.trustedProxies.length > 0;
  const addressOf = (request: IncomingMessage) =>
    addressGroup(proxied ? proxyAddr(request, trusts) : (request.socket.remoteAddress ?? ''));
  const lanes = new Map<string, Lane>();
  const batch = new ReplyBatch();
  return (request, response) => {
    const { method = '', url = '' } = request;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const name = `${method} ${path}`;
    const route = routes.get(name);
    if (route === undefined || !isPlain(request) || !guard.passes(request, path, route.mcp)) {
      router(request, response);
      return;
    }
    let lane = lanes.get(name);
    if (lane === undefined) {
      const { [REMAINING]: remaining, ...headers } = fixedHeaders(deps.config.baseUrl, path);
      lanes.set(
        name,
        (lane = { deps, route, path, fixed: Object.entries(headers).flat(), remaining, batch }),
      );
    }
    const laneRequest = new LaneRequest(lane, response);
    const exchange = {
      id: deps.newId('req'),
      method,
      url,
      address: addressOf(request),
      headers: request.headers,
      params: {},
      body: undefined,
    };
    if (method === 'GET') laneRequest.answer(exchange);
    else readBody(request, (body) => laneRequest.answerBody(exchange, body));
  };
}

/** True when the form of the request does not need the router. */
function isPlain({ method, headers, socket }: IncomingMessage): boolean {
  // A stopping service makes its callers disconnect, which the router handles.
  if ((socket as { server?: { listening: boolean } }).server?.listening === false) return false;
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return false;
  if (method === 'GET') return headers['content-length'] === undefined;
  return (
    Number(headers['content-length'] ?? Infinity) <= BODY_LIMIT_BYTES &&
    PLAIN_JSON.has(headers['content-type'] ?? '')
  );
}

/** Passes on the whole body; if the caller disconnects before its end, nothing is done. */
function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  request.on('data', (chunk: Buffer) => {
    if (first === undefined) first = chunk;
    else (rest ??= []).push(chunk);
  });
  request.on('end', () => {
    const body = first ?? Buffer.alloc(0);
    done(rest === undefined ? body : Buffer.concat([body, ...rest]));
  });
}

interface Lane {
  deps: Deps;
  route: LaneRoute;
  path: string;
  fixed: readonly string[];
  /** Default for the remaining reads on the agent surface, where a response does not state them itself. */
  remaining: string | undefined;
  batch: ReplyBatch;
}

class LaneRequest {
  readonly #lane: Lane;
  readonly #response: ServerResponse;
  readonly #startedAt = performance.now();

  constructor(lane: Lane, response: ServerResponse) {
    this.#lane = lane;
    this.#response = response;
  }

  answerBody(request: ExchangeRequest, body: Buffer): void {
    try {
      request.body = parseJson(body);
    } catch (thrown) {
      this.#send(request, this.#lane.route.refuse(request, thrown));
      return;
    }
    this.answer(request);
  }

  answer(request: ExchangeRequest): void {
    const reply = orElse(
      () => this.#lane.route.exchange(request),
      (thrown) => this.#lane.route.refuse(request, thrown),
    );
    if (!(reply instanceof Promise)) this.#send(request, reply);
    else void reply.then((late) => this.#send(request, late));
  }

  #send(request: ExchangeRequest, reply: ExchangeReply): void {
    this.#lane.batch.add(() => this.#write(request, reply));
  }

  #write({ id, method }: ExchangeRequest, { status, headers, body }: ExchangeReply): void {
    const response = this.#response;
    const lines = [...this.#lane.fixed, 'x-request-id', id];
    for (const name of Object.keys(headers)) lines.push(name, headers[name] ?? '');
    const { remaining } = this.#lane;
    if (remaining !== undefined && !(REMAINING in headers)) lines.push(REMAINING, remaining);
    if (body === undefined) {
      if (status !== 304) lines.push('content-length', '0');
      response.writeHead(status, lines).end();
    } else if (typeof body === 'string' || Buffer.isBuffer(body)) {
      lines.push('content-length', String(Buffer.byteLength(body)));
      response.writeHead(status, lines).end(body);
    } else {
      const [fresh, ready] = body;
      lines.push('content-length', String(Buffer.byteLength(fresh) + ready.length));
      response.writeHead(status, lines).write(fresh);
      response.end(ready);
    }
    const ms = performance.now() - this.#startedAt;
    const { deps, path: route } = this.#lane;
    deps.requestNotes.note({ id, method, route, status, ms, at: Date.now() });
  }
}

function fixedHeaders(baseUrl: string, path: string): Record<string, string> {
  const { 'x-request-id': _id, ...fixed } = answerHeaders(baseUrl, path, '');
  return fixed;
}

/** Sends the responses of one event loop turn together: one by one, each would wake its reader. */
class ReplyBatch {
  #writes: (() => void)[] = [];

  add(write: () => void): void {
    if (this.#writes.push(write) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const writes = this.#writes;
    this.#writes = [];
    for (const write of writes) write();
  }
}
