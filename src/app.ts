import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { KeyOwners } from './accounts/keys/key-owner.ts';
import { PartnerKeys } from './accounts/partners/partner-keys.ts';
import { PasswordHashQueue } from './accounts/staff/password-hash-queue.ts';
import { SignInLookup } from './accounts/staff/sign-in-lookup.ts';
import { DeliveryPool } from './delivery/delivery-pool.ts';
import type { Config } from './config.ts';
import type { Clock } from './core/clock.ts';
import type { Deps } from './core/context.ts';
import { POOL_END_SECONDS, transactionsOf, type Pool } from './core/postgres/db.ts';
import { openReadPools } from './node/database.ts';
import { AppError } from './core/errors.ts';
import { createNewId } from './core/ids.ts';
import { Lease } from './core/memory/lease.ts';
import { lazy } from './core/memory/lazy.ts';
import { ChangeHub } from './core/postgres/change-hub.ts';
import { TransactionShares } from './core/postgres/transaction-shares.ts';
import { Listener } from './core/postgres/listener.ts';
import type { Log } from './core/log.ts';
import { Metrics } from './core/metrics.ts';
import { writeMetricsToken } from './core/secret/metrics-token.ts';
import { loadSecrets } from './core/secret/secrets.ts';
import { Destinations } from './directory/destinations.ts';
import { FeedRecords } from './feed/feed-records.ts';
import { addIndexMetrics } from './search/follow/index-metrics.ts';
import { OwnIndex } from './search/follow/own-index.ts';
import { ReadIndex } from './search/read-index.ts';
import { MapImports } from './import/map-imports.ts';
import { StalledKinds } from './jobs/stalled-kinds.ts';
import { MailSender } from './messages/mail-sender.ts';
import { KillSwitchGate } from './messages/kill-switch-gate.ts';
import { Meter } from './metering/meter.ts';
import { PartnerCalls } from './metering/partner-calls.ts';
import { AccessTokens } from './oauth/access-tokens.ts';
import { isSharedStorage, openPhotoStorage } from './photos/storage/open-storage.ts';
import type { LaneRoutes } from './protocol/http/fast-lane.ts';
import { addMcpEndpoint } from './protocol/mcp/endpoint.ts';
import { Sessions } from './protocol/mcp/session.ts';
import type { Tool } from './protocol/mcp/tool.ts';
import { API_VERSION, openApiDocument } from './protocol/describe/openapi.ts';
import { RequestNotes } from './protocol/http/request-notes.ts';
import { addRestRoutes } from './protocol/rest.ts';
import { StreetTiles } from './streets/street-tiles.ts';
import { addDiscovery } from './surfaces/discovery/discovery.ts';
import { addHealth } from './surfaces/health.ts';
import { addOauth } from './surfaces/oauth-server.ts';
import { installLinks } from './surfaces/listing/install-links.ts';
import { listingOf } from './surfaces/listing/listing.ts';
import { OUTGOING_EVENTS, servedOperations } from './surfaces/operations.ts';
import type { DocsModel } from './surfaces/people/docs/docs-model.ts';
import { addAccountPages } from './surfaces/people/account/account-pages.ts';
import { addConsole } from './surfaces/people/console/console.ts';
import { addLicencePages } from './surfaces/people/licence-pages.ts';
import { addPublicPages } from './surfaces/people/pages.ts';
import { addPartnerPages } from './surfaces/people/partner/partner-pages.ts';
import { addMailReplies } from './surfaces/mail-replies.ts';
import { addPhoneRoutes } from './surfaces/people/phone-routes.ts';
import { addTapPages } from './surfaces/people/tap/tap-routes.ts';
import { addPhotoPages } from './surfaces/people/photos/photo-pages.ts';
import { addMemberPages } from './surfaces/people/member/member-pages.ts';
import { PreparedPages } from './surfaces/people/frame/prepared-pages.ts';
import { EventStreams } from './surfaces/people/person/event-streams.ts';
import { Visitors } from './surfaces/people/person/visitors.ts';
import { addVenuePages } from './surfaces/people/venue/venue-pages.ts';
import { describeSurfaces, surfaceOffer, surfaceTools } from './surfaces/surface-list.ts';
import { addStripeWebhook } from './surfaces/stripe-webhook.ts';
import { addVenueSystemWebhook } from './surfaces/venue-system-webhook.ts';
import { Twilio } from './twilio/twilio.ts';
import { createHttp, listen, stopListening } from './node/http-server.ts';
import { startServing, startWork, type NodeWork } from './node/node-work.ts';
import { ownCounts, type NodeCounts } from './node/workers.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

export interface App {
  http: FastifyInstance;
  deps: Deps;
  /** Starts to accept requests, and only then takes jobs: a node that cannot listen leaves them to others. */
  listen(): Promise<void>;
  /** Accepts no more connections; requests on open connections are still answered. */
  stopListening(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  config: Config;
  pool: Pool;
  /** Used by the LISTEN connection and the thread that builds the index. */
  databaseUrl: string;
  clock: Clock;
  log: Log;
  /** Role of this process in its node: the only process, the main process beside the workers, or a worker. */
  role?: 'alone' | 'main' | 'serving';
  /** Counters shared by all processes of the node; by default this process keeps its own. */
  counts?: NodeCounts;
  /** False to schedule no maintenance; a test runs its tasks itself. */
  isScheduled?: boolean;
  /** Adds routes before the service is ready; test builds mount their fixtures here. */
  mount?: (http: FastifyInstance, deps: Deps, lane: LaneRoutes) => void;
}

/** Builds the whole service on a migrated database. Creates every process-wide dependency. */
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
  const { config, pool, clock, log, role = 'alone', counts = ownCounts() } = options;
  const metrics = new Metrics();
  const secrets = await loadSecrets(pool);
  if (role !== 'serving') await writeMetricsToken(config, secrets);
  const lease = new Lease(config.leaseMs);
  const newId = createNewId(clock);
  const changes = await ChangeHub.open(listener);
  const reads = openReadPools(config, options.databaseUrl);
  const lookup = { pool, publicReads: reads.publicReads };
  const deps: Deps = {
    config,
    pool,
    ...reads,
    outside: new TransactionShares(transactionsOf(pool), Math.floor(config.pools.write / 2), ['requests']).of(
      'requests',
    ),
    clock,
    log,
    newId,
    metrics,
    requestNotes: new RequestNotes({ log, metrics }),
    secrets,
    lease,
    stopping: { draining: false, turningAway: false },
    egress: { allow: config.egressAllow },
    deliveryPool: new DeliveryPool(log),
    killSwitchGate: new KillSwitchGate(pool),
    photoStorage: openPhotoStorage(config),
    streets: new StreetTiles({ folder: config.mapDir, file: config.mapTiles, log }),
    mail: config.smtp && new MailSender(config.smtp.url, config.smtp.from),
    twilio: config.twilio && new Twilio({ allow: config.egressAllow }, config.twilio),
    stripe: config.stripe && (await openStripe(config, clock)),
    keyOwners: new KeyOwners(lookup, clock, config, lease),
    partnerKeys: new PartnerKeys(lookup, clock, { config, newId }, lease),
    signInLookup: new SignInLookup(pool, secrets.staff, counts.lockedAccounts),
    passwordHashQueue: new PasswordHashQueue(counts.passwords),
    accessTokens: new AccessTokens(lookup, clock, config.prefix),
    meter: new Meter(pool, lease, clock),
    partnerCalls: new PartnerCalls(pool, clock),
    sessions: await Sessions.open(pool, listener, secrets.session),
    destinations: await Destinations.open({ pool, listener, clock, log, config, ...counts.destinations }),
    visitors: new Visitors(counts.visitors),
    eventStreams: new EventStreams(changes),
    mapImports: new MapImports({
      ...{ pool, clock, log, changes },
      command: [process.execPath, join(import.meta.dirname, 'cli.ts')],
      env: commandEnvironment(config, options.databaseUrl),
    }),
    preparedPages: new PreparedPages(),
    feedRecords: new FeedRecords(options.pool),
    stalledKinds: new StalledKinds(),
    places: await openIndex(options, listener, metrics),
  };
  metrics.watchPool('write', () => pool.use());
  metrics.watchPool('read', () => deps.readPool.use());
  await deps.streets.look();
  const lane: LaneRoutes = new Map();
  const http = createHttp(deps, lane);
  addSurfaces(http, deps, lane);
  options.mount?.(http, deps, lane);
  http.addHook('preClose', (done) => {
    deps.eventStreams.close();
    done();
  });
  await http.ready();
  let working: Promise<NodeWork> | undefined;
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    const work = await working;
    await work?.rounds.close();
    await http.close();
    deps.requestNotes.flush();
    await work?.jobs.close();
    await deps.mapImports.close();
    await deps.keyOwners.close();
    await deps.partnerKeys.close();
    await deps.meter.close();
    await deps.partnerCalls.close();
    await deps.accessTokens.close();
    await listener.close();
    await deps.destinations.close();
    await deps.places.close();
    await deps.streets.close();
    deps.feedRecords.close();
    await deps.publicReads.end({ timeout: POOL_END_SECONDS });
  };
  return {
    http,
    deps,
    listen: async () => {
      if (role !== 'main') await listen(http, config);
      working =
        role === 'serving'
          ? startServing(deps)
          : startWork(deps, {
              databaseUrl: options.databaseUrl,
              listener,
              isScheduled: options.isScheduled ?? true,
            });
    },
    stopListening: () => stopListening(http),
    close: () => (closing ??= closeAll()),
  };
}

/** Environment of a command that works on this installation. */
function commandEnvironment(config: Config, databaseUrl: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: undefined,
    DATA_DIR: config.dataDir,
    EGRESS_ALLOW: config.egressAllow.join(','),
    LOG_LEVEL: 'fatal',
  };
}

async function openIndex(options: AppOptions, listener: Listener, metrics: Metrics): Promise<Deps['places']> {
  const { config, pool, clock, log, databaseUrl, role, counts } = options;
  if (role === 'serving')
    return new ReadIndex({ clock, reportDamage: counts?.reportDamage ?? (() => undefined) });
  const folder = join(config.dataDir, 'index');
  const isShared = role === 'main';
  const { photoDir, photoS3 } = config;
  const storage = isSharedStorage(config) ? { photoDir, photoS3 } : undefined;
  const index = await OwnIndex.open({ pool, listener, databaseUrl, folder, clock, log, isShared, storage });
  addIndexMetrics(index, metrics.registry);
  return index;
}

function addSurfaces(http: FastifyInstance, deps: Deps, lane: LaneRoutes): void {
  const { config } = deps;
  const methodsByUrl = new Map<string, Set<string>>();
  http.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) methodsByUrl.set(url, (methodsByUrl.get(url) ?? new Set()).add(one));
  });
  const operations = servedOperations(config);
  const surfaces = describeSurfaces(config).map((described) => ({
    ...described,
    ...surfaceTools(deps, operations, described.surface),
  }));
  for (const described of surfaces) {
    const { tools, furtherTools } = described;
    const hasStreets = () => deps.streets.map !== undefined;
    const offer = surfaceOffer(config, API_VERSION, described, { tools, hasStreets });
    const allTools = [...tools, ...furtherTools];
    const fullOffer = surfaceOffer(config, API_VERSION, described, { tools: allTools, hasStreets });
    addMcpEndpoint(http, deps, { ...described, offer, fullOffer }, lane);
  }
  addRestRoutes(http, deps, operations, lane);
  addDiscovery(http, deps, operations, surfaces);
  addHealth(http, deps);
  addPublicPages(
    http,
    deps,
    lazy(() => ({
      openapi: openApiDocument(config, operations, OUTGOING_EVENTS) as unknown as DocsModel['openapi'],
      surfaces: surfaces.map((described) => ({
        ...described,
        tools: described.tools.map(referenceOf),
        links: installLinks(listingOf(config, described)),
      })),
    })),
  );
  addConsole(http, deps);
  addVenuePages(http, deps);
  addMemberPages(http, deps);
  addPhotoPages(http, deps);
  addTapPages(http, deps);
  addPhoneRoutes(http, deps);
  addMailReplies(http, deps);
  addAccountPages(http, deps);
  addPartnerPages(http, deps);
  addLicencePages(http, deps);
  addOauth(http, deps);
  addStripeWebhook(http, deps);
  addVenueSystemWebhook(http, deps);
  http.after(() => refuseOtherMethods(http, methodsByUrl));
}

function referenceOf({
  listing,
  referenceInput,
  outputSchema,
  example,
  key,
}: Tool): DocsModel['surfaces'][number]['tools'][number] {
  return {
    ...listing,
    ...(referenceInput === undefined ? {} : { inputSchema: referenceInput }),
    outputSchema,
    example,
    key,
  } as unknown as DocsModel['surfaces'][number]['tools'][number];
}

// Loaded on demand: it takes long to load, and most installations have no payment provider.
async function openStripe({ stripe, egressAllow }: Config, clock: Clock): Promise<Deps['stripe']> {
  const { StripePayments } = await import('./wallet/stripe-payments.ts');
  return stripe && new StripePayments({ allow: egressAllow }, clock, stripe);
}

/** Answers 405, not 404, to a known path with another method: the caller learns that the address was right. */
function refuseOtherMethods(http: FastifyInstance, methodsByUrl: ReadonlyMap<string, Set<string>>): void {
  for (const [url, methods] of [...methodsByUrl]) {
    const allow = [...methods].join(', ');
    const refuse = () => {
      throw new AppError('method_not_allowed', `This address accepts ${allow} only.`, { headers: { allow } });
    };
    const method = METHODS.filter((one) => !methods.has(one));
    http.route({ method, url, onRequest: refuse, handler: refuse });
  }
}
