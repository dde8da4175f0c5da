import { createServer, type IncomingMessage } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config.ts';
import type { Deps } from '../core/context.ts';
import { AppError, isFailure } from '../core/errors.ts';
import { explainListening, ListenError } from '../protocol/http/listen-error.ts';
import { answerHeaders } from '../protocol/http/answer-headers.ts';
import { BodyWatch } from '../protocol/http/body-watch.ts';
import { fastLane, type LaneRoutes } from '../protocol/http/fast-lane.ts';
import { addGuards, Guard } from '../protocol/http/guard.ts';
import { refuseConnection, toAppError } from '../protocol/http/http-error.ts';
import { addJsonParser } from '../protocol/http/json-body.ts';
import { isStorable } from '../core/text/text.ts';
import { typedText } from '../core/text/visible-text.ts';
import { sendProblem } from '../protocol/http/problem.ts';
import { isMachineReadable, pathOf } from '../protocol/http/request-path.ts';
import { sendErrorPage } from '../surfaces/people/pages.ts';

const HEADERS_TIMEOUT_MS = 30_000;
// Uploading 25 MB takes minutes on a weak connection; other bodies are cut off earlier (body-watch.ts).
const REQUEST_TIMEOUT_MS = 300_000;
const CHECKING_MS = 5_000;
// Longer than the idle timeout of common proxies, so that they, not we, close a connection that is about to be reused.
const KEEP_ALIVE_MS = 72_000;

/** Creates the HTTP server: fast lane, router, guards, parser, error handling, notes. */
export function createHttp(deps: Deps, lane: LaneRoutes): FastifyInstance {
  const { config, log, newId } = deps;
  const guard = new Guard(config);
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    // A child logger per request would cost more than writing the line; lines carry the request id instead.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    serverFactory: (router) => {
      // The guards require exactly one Host header, and refuse in our own error format.
      const options = { requireHostHeader: false, connectionsCheckingInterval: CHECKING_MS };
      const serve = fastLane(deps, guard, lane, router);
      const server = createServer(options, (request, response) => {
        if (deps.stopping.turningAway && isTurnedAway(request)) {
          request.socket.destroy();
          return;
        }
        bodies.add(request, response);
        // Makes the client open its next connection elsewhere, instead of having this one closed during a request.
        if (deps.stopping.draining) response.shouldKeepAlive = false;
        serve(request, response);
      });
      const bodies = new BodyWatch(server);
      server.headersTimeout = HEADERS_TIMEOUT_MS;
      server.requestTimeout = REQUEST_TIMEOUT_MS;
      server.keepAliveTimeout = KEEP_ALIVE_MS;
      return server;
    },
    forceCloseConnections: 'idle',
    // While draining, requests on open connections are still answered, above all readiness checks.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseConnection(config.baseUrl, error, socket, newId('req')),
    frameworkErrors: (error, request, reply) => {
      // A malformed URL is refused before any hook runs, so the guards have not set these headers.
      reply.headers(answerHeaders(config.baseUrl, pathOf(request), request.id));
      void sendError(deps, error, request, reply);
    },
  }) as unknown as FastifyInstance;
  http.addHook('onResponse', ({ id, method, routeOptions }, { statusCode, elapsedTime, raw }, done) => {
    const route = routeOptions.url ?? 'none';
    // A stream is open for as long as its page, so its time says nothing.
    if (raw.getHeader('content-type') !== 'text/event-stream')
      deps.requestNotes.note({ id, method, route, status: statusCode, ms: elapsedTime, at: Date.now() });
    done();
  });
  addGuards(http, config, guard);
  // For the pages; operations parse their own input.
  http.addHook('onRequest', (request, _reply, done) => {
    const parameters = Object.entries(request.query as Record<string, string | string[]>);
    request.query = Object.fromEntries(parameters.map(([name, value]) => [name, typed(value)]));
    const pathValues = Object.values((request.params ?? {}) as Record<string, string>);
    // No id contains such characters, and PostgreSQL cannot store some of them at all.
    if (isMachineReadable(pathOf(request)) || pathValues.every(isStorable)) done();
    else done(new AppError('not_found', 'There is nothing at this address.'));
  });
  addJsonParser(http);
  http.setErrorHandler((error, request, reply) => sendError(deps, error, request, reply));
  http.setNotFoundHandler((request, reply) =>
    sendError(
      deps,
      new AppError('not_found', 'There is nothing at this address.', {
        hint: `The API reference is at ${config.baseUrl}/docs.`,
      }),
      request,
      reply,
    ),
  );
  return http;
}

function typed(value: string | string[]): string | string[] {
  return typeof value === 'string' ? typedText(value) : value.map(typedText);
}

export async function listen(http: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await http.listen({ host, port });
  } catch (thrown) {
    const sentence = explainListening(thrown, host, port);
    if (sentence === undefined) throw thrown;
    throw new ListenError(sentence, { cause: thrown });
  }
}

/** True for requests to drop without a response, which proxies retry on another node before the listener closes. */
function isTurnedAway({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers['x-forwarded-for'] !== undefined;
}

/** After an event loop turn shorter than this, hardly any new connection can be waiting to be accepted. */
const QUIET_MS = 0.2;
const TURNS_MAX = 2_000;
const FRESH_MS = 300;

/** Closes the listener when no connection waits to be accepted: such a connection may already have sent its request. */
export async function stopListening({ server }: FastifyInstance): Promise<void> {
  if (!server.listening) return;
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const startedAt = performance.now();
    await setImmediate();
    if (performance.now() - startedAt < QUIET_MS) break;
  }
  // The HTTP server's close() would also cut off connections that have not sent anything yet.
  NetServer.prototype.close.call(server);
  await delay(FRESH_MS);
}

async function sendError(
  deps: Deps,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = toAppError(thrown);
  if (isFailure(thrown, error)) request.log.error({ err: thrown, request_id: request.id }, 'request failed');
  const forPerson =
    !isMachineReadable(pathOf(request)) && (request.headers.accept ?? '').includes('text/html');
  return forPerson ? sendErrorPage(reply, deps, error) : sendProblem(reply, deps.config.baseUrl, error);
}
