import { createServer } from 'node:http';
import { join } from 'node:path';
import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { KeyOwners } from './accounts/key-owner.ts';
import { forgetOldAttempts } from './accounts/sign-in-lock.ts';
import { forgetOldSessions } from './accounts/staff-session.ts';
import { forgetOldCallbacks } from './callbacks/callback-state.ts';
import type { Config } from './config.ts';
import type { Clock } from './core/clock.ts';
import type { Deps } from './core/context.ts';
import type { Pool } from './core/db.ts';
import { AppError } from './core/errors.ts';
import { createNewId } from './core/ids.ts';
import { Listener } from './core/listener.ts';
import type { Log } from './core/log.ts';
import { Metrics } from './core/metrics.ts';
import { loadSecrets } from './core/secrets.ts';
import { Destinations } from './directory/destinations.ts';
import { FeedRecords } from './directory/feed-records.ts';
import { PlaceIndex } from './directory/index/place-index.ts';
import { startWebsiteProbes } from './directory/probe-websites.ts';
import { startHoursRenewal } from './directory/renew-hours.ts';
import { startJobs } from './jobs/run-jobs.ts';
import { MailSender } from './messages/mail-sender.ts';
import { ReadMeter } from './metering/read-meter.ts';
import { AccessTokens } from './oauth/access-tokens.ts';
import { forgetPastWindows } from './metering/rate-window.ts';
import { answerHeaders } from './protocol/answer-headers.ts';
import { fastLane, type LaneRoutes } from './protocol/fast-lane.ts';
import { addGuards, Guard } from './protocol/guard.ts';
import { refuseConnection, toAppError } from './protocol/http-error.ts';
import { forgetOldAnswers } from './protocol/idempotency.ts';
import { addJsonParser } from './protocol/json-body.ts';
import { addMcpEndpoint } from './protocol/mcp/endpoint.ts';
import { Sessions } from './protocol/mcp/session.ts';
import type { Tool } from './protocol/mcp/tool.ts';
import { API_VERSION, openApiDocument } from './protocol/openapi.ts';
import { sendProblem } from './protocol/problem.ts';
import { isMachineReadable, pathOf } from './protocol/request-path.ts';
import { RequestNotes } from './protocol/request-notes.ts';
import { addRestRoutes } from './protocol/rest.ts';
import { addDiscovery } from './surfaces/discovery/discovery.ts';
import { addHealth } from './surfaces/health.ts';
import { addOauth } from './surfaces/oauth-server.ts';
import { OPERATIONS } from './surfaces/operations.ts';
import type { DocsModel } from './surfaces/people/docs/docs-page.ts';
import { addAccountPages } from './surfaces/people/account/account-pages.ts';
import { addConsole } from './surfaces/people/console/console.ts';
import { addPages, sendErrorPage } from './surfaces/people/pages.ts';
import { addVenuePages } from './surfaces/people/venue/venue-pages.ts';
import { describeSurfaces, surfaceOffer, surfaceTools } from './surfaces/surface-list.ts';
import { forgetVenueSessions } from './venue/venue-session.ts';

const REQUEST_TIMEOUT_MS = 30_000;
// Longer than the idle time of common proxies, so that they, not we, close a connection that is about to be used.
const KEEP_ALIVE_MS = 72_000;
const HOUSEKEEPING_MS = 3_600_000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

export interface App {
  http: FastifyInstance;
  deps: Deps;
  close(): Promise<void>;
}

export interface AppOptions {
  config: Config;
  pool: Pool;
  /** Where the database is, for the connection that listens and the thread that builds the index. */
  databaseUrl: string;
  clock: Clock;
  log: Log;
  /** Further routes, mounted before the service is ready: a test build adds its fixtures here. */
  mount?: (http: FastifyInstance, deps: Deps, lane: LaneRoutes) => void;
}

/** Builds the whole service over a migrated database. Every process-wide dependency is made here. */
export async function createApp(options: AppOptions): Promise<App> {
  const listener = new Listener(options.databaseUrl);
  try {
    return await buildApp(options, listener);
  } catch (thrown) {
    await listener.close();
    throw thrown;
  }
}

async function buildApp(options: AppOptions, listener: Listener): Promise<App> {
  const { config, pool, clock, log } = options;
  const metrics = new Metrics();
  const secrets = await loadSecrets(pool);
  const deps: Deps = {
    config,
    pool,
    clock,
    log,
    newId: createNewId(clock),
    metrics,
    requestNotes: new RequestNotes({ log, metrics }),
    secrets,
    egress: { allow: config.egressAllow },
    mail: config.smtp && new MailSender(config.smtp.url, config.smtp.from),
    keyOwners: new KeyOwners(pool, clock, config.prefix),
    accessTokens: new AccessTokens(pool, clock, config.prefix),
    reads: new ReadMeter(pool),
    sessions: await Sessions.open(pool, listener, secrets.session),
    destinations: await Destinations.open(pool, listener, clock, log, config),
    feedRecords: new FeedRecords(),
    places: await PlaceIndex.open({
      pool,
      listener,
      databaseUrl: options.databaseUrl,
      folder: join(config.dataDir, 'index'),
      clock,
      log,
    }),
  };
  const lane: LaneRoutes = new Map();
  const http = createHttp(deps, lane);
  addSurfaces(http, deps, lane);
  options.mount?.(http, deps, lane);
  const housekeeping = setInterval(() => void tidy(deps), HOUSEKEEPING_MS).unref();
  const probes = config.probeWebsites ? startWebsiteProbes(deps) : undefined;
  const renewal = startHoursRenewal(deps);
  const jobs = startJobs(deps, options.databaseUrl);
  await http.ready();
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    clearInterval(housekeeping);
    await probes?.close();
    await renewal.close();
    await http.close();
    deps.requestNotes.flush();
    await jobs.close();
    await deps.keyOwners.close();
    await deps.accessTokens.close();
    await listener.close();
    await deps.destinations.close();
    await deps.places.close();
    deps.feedRecords.close();
  };
  return {
    http,
    deps,
    close: () => (closing ??= closeAll()),
  };
}

function createHttp(deps: Deps, lane: LaneRoutes): FastifyInstance {
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
      const server = createServer({ requireHostHeader: false }, fastLane(deps, guard, lane, router));
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

function addSurfaces(http: FastifyInstance, deps: Deps, lane: LaneRoutes): void {
  const { config } = deps;
  const known = new Map<string, Set<string>>();
  http.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) known.set(url, (known.get(url) ?? new Set()).add(one));
  });
  const surfaces = describeSurfaces(config).map((described) => ({
    ...described,
    tools: surfaceTools(deps, OPERATIONS, described.surface),
  }));
  for (const described of surfaces) {
    const offer = surfaceOffer(config, API_VERSION, described, described.tools);
    addMcpEndpoint(http, deps, { ...described, offer }, lane);
  }
  addRestRoutes(http, deps, OPERATIONS, lane);
  addDiscovery(http, deps, OPERATIONS, surfaces);
  addHealth(http, deps);
  addPages(http, deps, {
    openapi: openApiDocument(config, OPERATIONS) as unknown as DocsModel['openapi'],
    surfaces: surfaces.map((described) => ({ ...described, tools: described.tools.map(listingOf) })),
  });
  addConsole(http, deps);
  addVenuePages(http, deps);
  addAccountPages(http, deps);
  addOauth(http, deps);
  http.after(() => {
    refuseOtherMethods(http, known);
  });
}

function listingOf(tool: Tool): DocsModel['surfaces'][number]['tools'][number] {
  return tool.listing as unknown as DocsModel['surfaces'][number]['tools'][number];
}

/** A known path with another method is 405, not 404, whatever its body: the caller learns that the address was right. */
function refuseOtherMethods(http: FastifyInstance, known: Map<string, Set<string>>): void {
  for (const [url, methods] of [...known]) {
    const allow = [...methods].join(', ');
    const refuse = () => {
      throw new AppError('method_not_allowed', `This address answers to ${allow}.`, { headers: { allow } });
    };
    const method = METHODS.filter((one) => !methods.has(one));
    http.route({ method, url, onRequest: refuse, handler: refuse });
  }
}

async function sendError(
  deps: Deps,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const error = toAppError(thrown);
  if (error.status >= 500) request.log.error({ err: thrown, request_id: request.id }, 'request failed');
  const forPerson =
    !isMachineReadable(pathOf(request)) && (request.headers.accept ?? '').includes('text/html');
  return forPerson ? sendErrorPage(reply, deps, error) : sendProblem(reply, deps.config.baseUrl, error);
}

async function tidy(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  try {
    await Promise.all([
      forgetOldAnswers(deps.pool, now),
      forgetPastWindows(deps.pool, now),
      forgetOldCallbacks(deps.pool, now),
      deps.sessions.forgetExpired(now),
      forgetOldSessions(deps.pool, now),
      forgetOldAttempts(deps.pool, now),
      forgetVenueSessions(deps.pool, now),
    ]);
  } catch (thrown) {
    deps.log.error({ err: thrown }, 'housekeeping failed; it will be tried again');
  }
}
