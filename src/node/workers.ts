import { setTimeout as delay } from 'node:timers/promises';
import { LockedAccountLimiter, type AttemptCounter } from '../accounts/staff/locked-account-limiter.ts';
import { PasswordGate } from '../accounts/staff/password-hash-queue.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../core/context.ts';
import { mergeMetrics, type MetricValues } from '../core/metrics.ts';
import type { ProcessChannel } from '../core/workers/process-channel.ts';
import { gateOf, keepGate, type Gate } from '../core/workers/gate.ts';
import type { DestinationSnapshot } from '../directory/destinations.ts';
import { ReadIndex } from '../search/read-index.ts';
import { VisitorGate } from '../surfaces/people/person/visitors.ts';

/** Counters kept by one process for its whole node. Counters in PostgreSQL are shared by all nodes anyway. */
export interface NodeCounts {
  visitors: Gate;
  passwords: Gate;
  lockedAccounts: AttemptCounter;
  destinations?: { count: () => Promise<DestinationSnapshot> };
  /** Set when another process writes the index. */
  reportDamage?: (file: string, isCertain: boolean) => void;
}

export function ownCounts(): NodeCounts {
  return {
    visitors: new VisitorGate(),
    passwords: new PasswordGate(),
    lockedAccounts: new LockedAccountLimiter(),
  };
}

/** Returns counters kept by the main process, for use in a serving process. */
export function countsOf(main: ProcessChannel): NodeCounts {
  return {
    visitors: gateOf(main, 'visitors'),
    passwords: gateOf(main, 'passwords'),
    lockedAccounts: {
      take: (address, now) => main.request<Date | undefined>('closed door', { address, now }),
    },
    destinations: { count: () => main.request<DestinationSnapshot>('destinations') },
    reportDamage: (file, isCertain) => main.send(isCertain ? 'index damaged' : 'index suspected', file),
  };
}

const FIGURES_MS = 2_000;
const late = () => delay<MetricValues>(FIGURES_MS, [], { ref: false });

export function answerWorker(
  worker: ProcessChannel,
  {
    places,
    destinations,
    metrics,
    stalledKinds,
    config,
  }: Pick<Deps, 'places' | 'destinations' | 'metrics' | 'stalledKinds' | 'config'>,
  counts: NodeCounts,
  all: () => readonly ProcessChannel[],
): void {
  keepGate(worker, 'visitors', counts.visitors);
  keepGate(worker, 'passwords', counts.passwords);
  worker.on('database url', () => config.databaseUrl);
  worker.on('closed door', ({ address, now }: { address: string; now: Date }) =>
    counts.lockedAccounts.take(address, now),
  );
  worker.on('destinations', async () => {
    await destinations.refresh();
    // A worker that got the old counts would not request them again.
    if (destinations.isBehind) throw new Error('Destinations could not be counted.');
    return destinations.current;
  });
  // Answered in the same turn as the request, so that an older message never arrives after a newer one.
  worker.on('which index', () => worker.send('index', places.file));
  worker.on('which stalled kinds', () => worker.send('stalled kinds', stalledKinds.state));
  worker.on('index damaged', (file: string) => places.distrustFile(file));
  worker.on('index suspected', (file: string) => places.suspectFile(file));
  worker.on('metrics', async () => {
    // A worker that has just ended reports nothing; the others are still reported.
    const others = all().map((one) =>
      Promise.race([one.request<MetricValues>('figures').catch(() => []), late()]),
    );
    return mergeMetrics(await Promise.all([metrics.figures(), ...others]));
  });
}

/** Returns the node's settings; a serving process gets the URL of the node's embedded PostgreSQL as DATABASE_URL. */
export async function settingsOf(main: ProcessChannel, config: Config): Promise<Config> {
  return { ...config, databaseUrl: await main.request<string | undefined>('database url') };
}

/** Subscribes a serving process to the main process's messages, and requests the current state. */
export function followMain(
  main: ProcessChannel,
  { places, metrics, stalledKinds, clock }: Pick<Deps, 'places' | 'metrics' | 'stalledKinds' | 'clock'>,
): void {
  metrics.text = () => main.request<string>('metrics');
  main.on('figures', () => metrics.figures());
  main.on('stalled kinds', (state: Deps['stalledKinds']['state']) =>
    stalledKinds.replaceAll(state, clock.now()),
  );
  main.send('which stalled kinds');
  if (!(places instanceof ReadIndex)) return;
  main.on('index', (file: string | undefined) => places.use(file));
  main.send('which index');
}
