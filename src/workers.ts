import { setTimeout as delay } from 'node:timers/promises';
import { ClosedDoor, type DoorCount } from './accounts/staff/closed-door.ts';
import { PasswordGate } from './accounts/staff/password-line.ts';
import type { Config } from './config.ts';
import type { Deps } from './core/context.ts';
import { addedUp, type Figures } from './core/metrics.ts';
import type { Counterpart } from './core/workers/counterpart.ts';
import { gateOf, keepGate, type Gate } from './core/workers/gate.ts';
import type { DestinationSnapshot } from './directory/destinations.ts';
import type { Kind } from './jobs/kinds.ts';
import { ReadIndex } from './search/read-index.ts';
import { VisitorGate } from './surfaces/people/person/visitors.ts';

/** What one process counts for all of a node. What PostgreSQL counts is one for all nodes anyway. */
export interface NodeCounts {
  visitors: Gate;
  passwords: Gate;
  closedDoor: DoorCount;
  /** Where another process counts destinations. */
  destinations?: { count: () => Promise<DestinationSnapshot> };
  /** Where another process writes the index. */
  reportDamage?: (file: string, isCertain: boolean) => void;
}

/** Counts that this process keeps. */
export function ownCounts(): NodeCounts {
  return { visitors: new VisitorGate(), passwords: new PasswordGate(), closedDoor: new ClosedDoor() };
}

/** Counts that the main process keeps, for a process that serves. */
export function countsOf(main: Counterpart): NodeCounts {
  return {
    visitors: gateOf(main, 'visitors'),
    passwords: gateOf(main, 'passwords'),
    closedDoor: { take: (address, now) => main.ask<Date | undefined>('closed door', { address, now }) },
    destinations: { count: () => main.ask<DestinationSnapshot>('destinations') },
    reportDamage: (file, isCertain) => {
      main.tell(isCertain ? 'index damaged' : 'index suspected', file);
    },
  };
}

const FIGURES_MS = 2_000;
const late = () => delay<Figures>(FIGURES_MS, [], { ref: false });

/** What the main process answers one that serves. */
export function answerWorker(
  worker: Counterpart,
  {
    places,
    destinations,
    metrics,
    stalledKinds,
    config,
  }: Pick<Deps, 'places' | 'destinations' | 'metrics' | 'stalledKinds' | 'config'>,
  counts: NodeCounts,
  all: () => readonly Counterpart[],
): void {
  keepGate(worker, 'visitors', counts.visitors);
  keepGate(worker, 'passwords', counts.passwords);
  worker.on('database url', () => config.databaseUrl);
  worker.on('closed door', ({ address, now }: { address: string; now: Date }) =>
    counts.closedDoor.take(address, now),
  );
  worker.on('destinations', async () => {
    await destinations.refresh();
    // Whoever got the old counts would not ask again.
    if (destinations.isBehind) throw new Error('Destinations could not be counted.');
    return destinations.current;
  });
  // Told in the turn in which it is asked, so that no older word comes after a newer one.
  worker.on('which index', () => {
    worker.tell('index', places.file);
  });
  worker.on('which stalled kinds', () => {
    worker.tell('stalled kinds', stalledKinds.kinds);
  });
  worker.on('index damaged', (file: string) => {
    places.distrustFile(file);
  });
  worker.on('index suspected', (file: string) => {
    places.suspectFile(file);
  });
  worker.on('metrics', async () => {
    // One that has just ended tells nothing, and is no reason to tell nothing at all.
    const others = all().map((one) => Promise.race([one.ask<Figures>('figures').catch(() => []), late()]));
    return addedUp(await Promise.all([metrics.figures(), ...others]));
  });
}

/** The settings of the node. A process that serves is given the address of the node's own PostgreSQL as DATABASE_URL. */
export async function settingsOf(main: Counterpart, config: Config): Promise<Config> {
  return { ...config, databaseUrl: await main.ask<string | undefined>('database url') };
}

/** What a process that serves hears from the main one, and asks it. */
export function followMain(
  main: Counterpart,
  { places, metrics, stalledKinds, clock }: Pick<Deps, 'places' | 'metrics' | 'stalledKinds' | 'clock'>,
): void {
  metrics.text = () => main.ask<string>('metrics');
  main.on('figures', () => metrics.figures());
  main.on('stalled kinds', (kinds: Kind[]) => {
    stalledKinds.replaceAll(kinds, clock.now());
  });
  main.tell('which stalled kinds');
  if (!(places instanceof ReadIndex)) return;
  main.on('index', (file: string | undefined) => {
    places.use(file);
  });
  main.tell('which index');
}
