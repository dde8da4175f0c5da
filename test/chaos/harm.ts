import { setTimeout as pause } from 'node:timers/promises';
import type { KilledNode } from '../journeys/killed-node.ts';
import type { Random } from './random.ts';

/** Somebody who can be harmed, and who looks after them, as the supervisor of a machine does. */
interface Victim {
  name: string;
  kill(): Promise<void>;
  freeze(): Promise<void> | void;
  thaw(): Promise<void> | void;
  /** Starts it again, and waits until it works. */
  revive(): Promise<void>;
}

/** A database server, or a pair of which one takes over when the other is harmed. */
export interface HarmedDatabase {
  kill(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  start(): Promise<void>;
}

/** Between two harms; those that were harmed may still be down. */
const PAUSE_MS: readonly [number, number] = [200, 7_000];
const FREEZE_MS: readonly [number, number] = [300, 12_000];
/** Longer than a node may be silent before others take its jobs: it comes back among those who took them. */
const LONG_FREEZE_MS: readonly [number, number] = [33_000, 45_000];
const LONG_SHARE = 0.12;
/** The database is harmed less often than nodes, so that there is something to write between two harms. */
const DATABASE_SHARE = 0.25;
const SUPERVISOR_MS = 500;

export interface HarmDone {
  kills: Record<string, number>;
  freezes: Record<string, number>;
  /** Nodes that ended although nobody killed them. */
  ended: string[];
}

/** Kills and freezes at random, so many times in all, and waits until everybody is well again. */
export async function doHarm(
  count: number,
  {
    nodes,
    server,
    databaseShare = DATABASE_SHARE,
    random,
    note,
  }: {
    nodes: readonly KilledNode[];
    server: HarmedDatabase;
    databaseShare?: number;
    random: Random;
    note: (line: string) => void;
  },
): Promise<HarmDone> {
  const done: HarmDone = { kills: {}, freezes: {}, ended: [] };
  const database: Victim = {
    name: 'PostgreSQL',
    kill: () => server.kill(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    revive: () => server.start(),
  };
  const services = nodes.map((node, at) => asVictim(node, `node ${'abc'[at] ?? ''}`, done));
  const ill = new Map<Victim, Promise<void>>();
  const watch = watchOver(services, ill, done);
  for (let at = 1; at <= count; at++) {
    await pause(random.between(...PAUSE_MS));
    const wanted = random.chance(databaseShare) ? database : (random.pick(services) ?? database);
    // Choices are drawn in any case, so that a seed gives the same ones however fast the machine is.
    const kills = random.chance(0.5);
    const long = random.chance(LONG_SHARE);
    const span = long && wanted !== database ? LONG_FREEZE_MS : FREEZE_MS;
    const frozenMs = random.between(...span);
    while (ill.has(wanted)) await pause(SUPERVISOR_MS / 5);
    note(`${at}/${count}: ${wanted.name} ${kills ? 'is killed' : `is frozen for ${frozenMs} ms`}`);
    const counted = kills ? done.kills : done.freezes;
    counted[wanted.name] = (counted[wanted.name] ?? 0) + 1;
    const well = (kills ? killed(wanted) : frozen(wanted, frozenMs)).finally(() => ill.delete(wanted));
    ill.set(wanted, well);
  }
  await Promise.all(ill.values());
  watch.end();
  await watch.ended;
  return done;
}

async function killed(victim: Victim): Promise<void> {
  await victim.kill();
  await victim.revive();
}

async function frozen(victim: Victim, ms: number): Promise<void> {
  await victim.freeze();
  await pause(ms);
  await victim.thaw();
}

function asVictim(node: KilledNode, name: string, done: HarmDone): Victim & { node: KilledNode } {
  return {
    name,
    node,
    kill: () => node.stop('SIGKILL'),
    freeze: () => {
      node.signal('SIGSTOP');
    },
    thaw: () => {
      node.signal('SIGCONT');
    },
    // A start without a database may end; a supervisor starts it again.
    revive: async () => {
      for (;;) {
        try {
          await node.start();
          return;
        } catch (thrown) {
          if (!node.hasEnded) {
            done.ended.push(`${name} did not become ready: ${String(thrown)}`);
            await node.stop('SIGKILL');
          }
          await pause(SUPERVISOR_MS);
        }
      }
    },
  };
}

/** A node that ends of itself is started again, but that is a fault. */
function watchOver(
  services: readonly (Victim & { node: KilledNode })[],
  ill: Map<Victim, Promise<void>>,
  done: HarmDone,
) {
  let over = false;
  const look = async () => {
    while (!over) {
      for (const victim of services) {
        if (ill.has(victim) || !victim.node.hasEnded) continue;
        done.ended.push(`${victim.name} ended of itself`);
        ill.set(
          victim,
          victim.revive().finally(() => ill.delete(victim)),
        );
      }
      await pause(SUPERVISOR_MS);
    }
  };
  return {
    end: () => {
      over = true;
    },
    ended: look(),
  };
}
