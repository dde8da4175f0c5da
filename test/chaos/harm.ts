import { setTimeout as pause } from 'node:timers/promises';
import type { KilledNode } from '../journeys/killed-node.ts';
import type { Random } from './random.ts';

/** Somebody who can be harmed, and who looks after them, as the supervisor of a machine does. */
interface Victim {
  name: string;
  kill(): Promise<void>;
  /** Starts it again, and waits until it works. */
  revive(): Promise<void>;
  troubles: Partial<Record<Trouble, TroubleMaker>>;
}

/** A trouble that lasts for a while. A node that is cut off cannot reach the primary. */
export type Trouble = 'frozen' | 'cut off' | 'out of disk';

interface TroubleMaker {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** A database server, or a pair of which one takes over when the other is harmed. */
export interface HarmedDatabase {
  kill(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void> | void;
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
  /** Number of harms by victim, then by their kind. */
  counts: Map<string, Map<Trouble | 'killed', number>>;
  /** Nodes that ended although nobody killed them. */
  ended: string[];
}

/** Harms at random, so many times in all, and waits until everybody is well again. */
export async function doHarm(
  count: number,
  {
    nodes,
    server,
    databaseShare = DATABASE_SHARE,
    random,
    note,
    troubles = () => ({}),
    isOver = () => undefined,
  }: {
    nodes: readonly KilledNode[];
    /** Troubles of a node, by its number, besides being frozen. */
    troubles?: (at: number) => Victim['troubles'];
    /** Called when a harm is over: a node that was killed is started, a trouble has ended. */
    isOver?: (what: string, node: KilledNode | undefined) => void;
    server: HarmedDatabase;
    databaseShare?: number;
    random: Random;
    note: (line: string) => void;
  },
): Promise<HarmDone> {
  const done: HarmDone = { counts: new Map(), ended: [] };
  const database: Victim = {
    name: 'PostgreSQL',
    kill: () => server.kill(),
    revive: () => server.start(),
    troubles: { frozen: { begin: () => server.freeze(), end: () => server.thaw() } },
  };
  const services = nodes.map((node, at) =>
    asVictim(node, `node ${'abc'[at] ?? ''}`, { done, troubles: troubles(at) }),
  );
  const ill = new Map<Victim, Promise<void>>();
  const watch = watchOver(services, ill, done);
  for (let at = 1; at <= count; at++) {
    await pause(random.between(...PAUSE_MS));
    const wanted = random.chance(databaseShare) ? database : (random.pick(services) ?? database);
    // Choices are drawn in any case, so that a seed gives the same ones however fast the machine is.
    const kind = random.pick(['killed', ...(Object.keys(wanted.troubles) as Trouble[])] as const) ?? 'killed';
    const long = random.chance(LONG_SHARE);
    const span = long && wanted !== database ? LONG_FREEZE_MS : FREEZE_MS;
    const ms = random.between(...span);
    while (ill.has(wanted)) await pause(SUPERVISOR_MS / 5);
    note(`${at}/${count}: ${wanted.name} is ${kind}${kind === 'killed' ? '' : ` for ${ms} ms`}`);
    const counts = done.counts.getOrInsertComputed(wanted.name, () => new Map<Trouble | 'killed', number>());
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const over = () => {
      isOver(`${wanted.name} was ${kind}`, services.find((one) => one === wanted)?.node);
    };
    const well = harm(wanted, kind, ms, over).finally(() => ill.delete(wanted));
    ill.set(wanted, well);
  }
  await Promise.all(ill.values());
  watch.end();
  await watch.ended;
  return done;
}

async function harm(victim: Victim, kind: Trouble | 'killed', ms: number, over: () => void): Promise<void> {
  if (kind === 'killed') {
    await victim.kill();
    over();
    await victim.revive();
    return;
  }
  await victim.troubles[kind]?.begin();
  await pause(ms);
  await victim.troubles[kind]?.end();
  over();
}

function asVictim(
  node: KilledNode,
  name: string,
  { done, troubles }: { done: HarmDone; troubles: Victim['troubles'] },
): Victim & { node: KilledNode } {
  return {
    name,
    node,
    kill: () => node.stop('SIGKILL'),
    troubles: {
      frozen: {
        begin: () => {
          node.signal('SIGSTOP');
        },
        end: () => {
          node.signal('SIGCONT');
        },
      },
      ...troubles,
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
