import cluster from 'node:cluster';
import type { Worker } from 'node:worker_threads';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { systemClock } from './core/clock.ts';
import { isUnavailable, POOL_END_SECONDS, transactionsOf } from './core/postgres/db.ts';
import { poolSizesOfServing } from './core/postgres/connection-budget.ts';
import { findPrimary } from './core/postgres/servers.ts';
import { closeFolders } from './core/files/private-files.ts';
import { createLog, type Log } from './core/log.ts';
import { RELEASE } from './core/release.ts';
import { aborted } from './core/workers/aborted.ts';
import { lazy } from './core/memory/lazy.ts';
import { ProcessChannel } from './core/workers/process-channel.ts';
import { WorkerProcesses } from './core/workers/worker-processes.ts';
import { openDatabase, openServicePool, type Database } from './node/database.ts';
import { prepareDemo, prepareStaff } from './node/first-start.ts';
import { checkPhotoStore } from './photos/store-probe.ts';
import { ListenError } from './protocol/http/listen-error.ts';
import { accountWelcome, welcome } from './node/welcome.ts';
import type { NodeCounts } from './node/workers.ts';

/** Time limit for requests in flight once no new ones are accepted. */
const FINISH_MS = 25_000;
/** Last part of a drain, in which proxied requests are dropped so that proxies switch to another node. */
const TURN_AWAY_MS = 1_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** npm forwards a Ctrl-C that the group already got; within this time it counts as the same. */
const SAME_STOP_MS = 1_000;

/** Runs the service until it is stopped. Standard output is for people; the log goes to standard error. */
export async function startService(config: Config): Promise<void> {
  const destination = pino.destination({ fd: 2, sync: false, minLength: 12_288 });
  const flushing = setInterval(() => destination.flush(), 1000).unref();
  const log = createLog(config.logLevel, destination);
  survivePoolErrors(log);
  const write = (lines: string) => void destination.write(lines);
  try {
    if (cluster.isWorker) await serve(config, log);
    else await runNode(config, { log, write }, stopSignal());
  } finally {
    clearInterval(flushing);
    destination.flushSync();
  }
}

async function runNode(
  config: Config,
  { log, write }: { log: Log; write: (lines: string) => void },
  stop: AbortSignal,
): Promise<void> {
  if (config.egressAllow.length > 0)
    log.warn({ hosts: config.egressAllow }, 'EGRESS_ALLOW permits outbound calls to these private addresses');
  let running = false;
  // Loads hundreds of modules while PostgreSQL starts.
  const loading = lazy(() => import('./app.ts'));
  const note = (message: string) => {
    // Messages of PostgreSQL while the service runs are never routine.
    if (running) log.warn(message);
    else log.info(message);
  };
  const database = await openDatabase(config, 'service', note, () => void loading());
  try {
    await closeFolders(config, log);
    // Other nodes may run on the same database, and must see the same photos.
    if (config.databaseUrl !== undefined)
      await transactionsOf(database.pool)((tx) => checkPhotoStore(tx, config));
    if (config.demo) await prepareDemo(database);
    const { createApp } = await loading();
    const { ownCounts } = await import('./node/workers.ts');
    const counts = ownCounts();
    let streets: Worker | undefined;
    const app = await createApp({
      config,
      pool: database.pool,
      databaseUrl: database.url,
      clock: systemClock,
      log,
      role: config.workers === 1 ? 'alone' : 'main',
      counts,
    });
    const workers =
      config.workers === 1 ? undefined : await prepareWorkers(config, { log, write, database, app, counts });
    try {
      await Promise.race([workers?.start(), aborted(stop)]);
      await app.listen();
      // Printed at once after a successful start: a failed one would lose a password that is shown only once.
      process.stdout.write(accountWelcome(await prepareStaff(config, database, { log, stop })));
      const ended = Promise.race([aborted(stop), ...(workers === undefined ? [] : [workers.failed])]);
      // Requests that need no search are already answered; the person is notified once everything is ready.
      await Promise.race([app.deps.places.whenReady(), ended]);
      if (!stop.aborted) {
        process.stdout.write(welcome(config, app, database.place));
        running = true;
        log.info({ port: config.port, ...RELEASE }, 'ready');
        if (config.demo && config.mapTiles === undefined) {
          const { buildSampleStreets } = await import('./demo/load-sample.ts');
          streets = await buildSampleStreets(database.pool, config.mapDir, log);
        }
      }
      await ended;
      await drain(config, { log, app, workers }, stop);
      log.info('stopping after the requests in flight have finished');
    } finally {
      running = false;
      await streets?.terminate();
      await workers?.stop(FINISH_MS);
      await closeWithin(app, FINISH_MS, log);
    }
  } finally {
    await database.close();
  }
}

/** Keeps answering but reports as draining, so that load balancers move traffic. Skipped on Ctrl-C. */
async function drain(
  { drainMs }: Config,
  { log, app, workers }: { log: Log; app: App; workers: WorkerProcesses | undefined },
  stop: AbortSignal,
): Promise<void> {
  if (stop.reason !== 'SIGTERM' || drainMs === 0) return;
  log.info({ ms: drainMs }, 'draining: /readyz reports it, and requests are still answered');
  const turnAwayMs = Math.min(TURN_AWAY_MS, drainMs / 2);
  app.deps.stopping.draining = true;
  workers?.broadcast('drain');
  await delay(drainMs - turnAwayMs);
  app.deps.stopping.turningAway = true;
  workers?.broadcast('turn away');
  await delay(turnAwayMs);
  await app.stopListening();
}

interface MainProcess {
  log: Log;
  write: (lines: string) => void;
  database: Database;
  app: App;
  counts: NodeCounts;
}

async function prepareWorkers(config: Config, main: MainProcess): Promise<WorkerProcesses> {
  const { log, write, database, app, counts } = main;
  const { answerWorker } = await import('./node/workers.ts');
  const workers: WorkerProcesses = new WorkerProcesses({
    count: config.workers,
    env: { DATABASE_URL: config.databaseUrl ?? database.url, LOG_LEVEL: config.logLevel },
    log,
    write,
    greet: (worker) => {
      answerWorker(worker, app.deps, counts, () => workers.counterparts);
      worker.on('cannot listen', (sentence: string) => workers.fail(new ListenError(sentence)));
    },
  });
  app.deps.stalledKinds.changed = (state) => workers.broadcast('stalled kinds', state);
  app.deps.places.onFileChange = (file) => workers.broadcast('index', file);
  return workers;
}

/** Runs one serving process, which stops by a message of the main process and ends when that is gone. */
async function serve(given: Config, log: Log): Promise<void> {
  const config = { ...given, pools: poolSizesOfServing(given.connections, given.workers) };
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
  const main = new ProcessChannel((message) => process.send?.(message));
  const stopped = new AbortController();
  main.on('stop', () => stopped.abort());
  process.on('message', (message) => void main.receive(message));
  const { createApp } = await import('./app.ts');
  const { countsOf, followMain, settingsOf } = await import('./node/workers.ts');
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl ?? '';
  await findPrimary(databaseUrl);
  const pool = openServicePool(config, databaseUrl);
  try {
    const app = await createApp({
      config: await settingsOf(main, config),
      pool,
      databaseUrl,
      clock: systemClock,
      log,
      role: 'serving',
      counts: countsOf(main),
    });
    try {
      followMain(main, app.deps);
      const { stopping } = app.deps;
      main.on('drain', () => (stopping.draining = true));
      main.on('turn away', () => (stopping.turningAway = true));
      await app.listen();
      await aborted(stopped.signal);
      if (stopping.draining) await app.stopListening();
    } catch (thrown) {
      if (!(thrown instanceof ListenError)) throw thrown;
      await main.request('cannot listen', thrown.message);
    } finally {
      await closeWithin(app, FINISH_MS, log);
    }
  } finally {
    await pool.end({ timeout: POOL_END_SECONDS });
    process.channel?.unref();
  }
}

/** Returns a signal that aborts on the first stop signal. A later signal ends the process, as it would by default. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    stop.abort(signal);
    setTimeout(() => {
      for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    }, SAME_STOP_MS).unref();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return stop.signal;
}

/** When the database is lost, the client rejects internal statements that nobody awaits; the service goes on. */
function survivePoolErrors(log: Log): void {
  process.on('unhandledRejection', (thrown) => {
    if (!isUnavailable(thrown)) throw thrown;
    log.warn({ err: thrown }, 'a background statement lost its database connection');
  });
}

async function closeWithin(app: App, limitMs: number, log: Log): Promise<void> {
  const cutOff = setTimeout(() => {
    log.warn('some requests did not finish in time and were aborted');
    app.http.server.closeAllConnections();
  }, limitMs).unref();
  await app.close();
  clearTimeout(cutOff);
}
