import { createServer, type IncomingMessage } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from './config.ts';
import type { Deps } from './core/context.ts';
import { AppError, isFailure } from './core/errors.ts';
import { explainListening, ListenError } from './protocol/http/listen-error.ts';
import { answerHeaders } from './protocol/http/answer-headers.ts';
import { BodyWatch } from './protocol/http/body-watch.ts';
import { fastLane, type LaneRoutes } from './protocol/http/fast-lane.ts';
import { addGuards, Guard } from './protocol/http/guard.ts';
import { refuseConnection, toAppError } from './protocol/http/http-error.ts';
import { addJsonParser } from './protocol/http/json-body.ts';
import { isStorable } from './core/text/text.ts';
import { typedText } from './core/text/visible-text.ts';
import { sendProblem } from './protocol/http/problem.ts';
import { isMachineReadable, pathOf } from './protocol/http/request-path.ts';
import { sendErrorPage } from './surfaces/people/pages.ts';

const HEADERS_TIMEOUT_MS = 30_000;
// A photo of 25 MB takes minutes on a phone far from the next mast; other bodies are cut off long before (body-watch.ts).
const REQUEST_TIMEOUT_MS = 300_000;
// How often Node looks whether these have passed.
const CHECKING_MS = 5_000;
// Longer than the idle time of common proxies, so that they, not we, close a connection that is about to be used.
const KEEP_ALIVE_MS = 72_000;

/** The HTTP server with what every request passes: the fast lane, the router, guards, parser, errors, notes. */
export function createHttp(deps: Deps, lane: LaneRoutes): FastifyInstance {
  const { config, log, newId } = deps;
  const guard = new Guard(config);
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    // A logger of its own for every request would cost more than the line that is written; lines carry the id.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    serverFactory: (router) => {
      // The guards ask for exactly one Host, and answer in our own form.
      const options = { requireHostHeader: false, connectionsCheckingInterval: CHECKING_MS };
      const serve = fastLane(deps, guard, lane, router);
      const server = createServer(options, (request, response) => {
        if (deps.stopping.turningAway && isTurnedAway(request)) {
          request.socket.destroy();
          return;
        }
        bodies.add(request, response);
        // Its client opens the next connection elsewhere, before this one is closed under a request.
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
    // While the service drains, what arrives on open connections is still answered, readiness first of all.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => {
      refuseConnection(config.baseUrl, error, socket, newId('req'));
    },
    frameworkErrors: (error, request, reply) => {
      // An address that cannot be read is refused before any hook runs, so the guards have not set these.
      reply.headers(answerHeaders(config.baseUrl, pathOf(request), request.id));
      void sendError(deps, error, request, reply);
    },
  }) as unknown as FastifyInstance;
  http.addHook('onResponse', ({ id, method, routeOptions }, { statusCode, elapsedTime }, done) => {
    const route = routeOptions.url ?? 'none';
    deps.requestNotes.note({ id, method, route, status: statusCode, ms: elapsedTime, at: Date.now() });
    done();
  });
  addGuards(http, config, guard);
  // Operations read what they are asked themselves; this is for the pages.
  http.addHook('onRequest', (request, _reply, done) => {
    const sent = Object.entries(request.query as Record<string, string | string[]>);
    request.query = Object.fromEntries(sent.map(([name, value]) => [name, typed(value)]));
    const named = Object.values((request.params ?? {}) as Record<string, string>);
    // No id has such characters, and the database cannot even look for some of them.
    if (isMachineReadable(pathOf(request)) || named.every(isStorable)) done();
    else done(new AppError('not_found', 'Nothing is here.'));
  });
  addJsonParser(http);
  http.setErrorHandler((error, request, reply) => sendError(deps, error, request, reply));
  http.setNotFoundHandler((request, reply) =>
    sendError(
      deps,
      new AppError('not_found', 'Nothing is here.', {
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

/**
 * A proxy that gets no answer to a request which may be repeated asks another node, and sends nothing more here for a while
 * (nginx does both unless told otherwise). So nothing is on its way when the listener closes, what changes things least of all.
 */
function isTurnedAway({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers['x-forwarded-for'] !== undefined;
}

/** In a turn of the event loop that was so short, hardly anybody can have come since connections were taken in. */
const QUIET_MS = 0.2;
const TURNS_MAX = 2_000;
/** So long a connection that was just taken in may take to say what it wants. */
const FRESH_MS = 300;

/** Closes the listener when nobody waits at it: whoever did would lose a request that is sent already. */
export async function stopListening({ server }: FastifyInstance): Promise<void> {
  if (!server.listening) return;
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    const begun = performance.now();
    await setImmediate();
    if (performance.now() - begun < QUIET_MS) break;
  }
  // That of HTTP would also cut off connections over which nothing has come yet.
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
