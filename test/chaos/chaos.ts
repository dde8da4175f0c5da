import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findNginx } from '../../src/commands/cluster/balancer.ts';
import { Unknown } from './client.ts';
import { doHarm, type HarmDone, type Trouble } from './harm.ts';
import { judgeAccounts } from './judge/accounts.ts';
import { judgeBookings } from './judge/bookings.ts';
import type { Finding } from './judge/finding.ts';
import { judgeMoney } from './judge/money.ts';
import { PostgresPair } from './postgres-pair.ts';
import { PostgresServer } from './postgres-server.ts';
import { becomeQuiet } from './quiet.ts';
import { Random } from './random.ts';
import { untilNormal, untilWritten } from './recovery.ts';
import { openWorld, type World } from './world.ts';
import { changeWebhook, review, rotate, submitSome } from './writers/agents.ts';
import { answerMail, askForTable, changeBooking, spoilVenue } from './writers/bookings.ts';
import { importMap } from './writers/imports.ts';
import { buy, photograph } from './writers/photos.ts';
import { readSome } from './writers/reads.ts';

// Kills and freezes while everybody writes: npm run chaos -- --harms 100 [--seed 7] [--postgres 15]
// With --cluster nodes are also cut off from the primary, and their disks filled (as root on Linux).
// --cluster: three nodes behind nginx on a primary with a synchronous standby, which takes over from a harmed primary.
// --failovers 50: with --cluster, that many failovers and no harm to nodes.
const { values } = parseArgs({
  options: {
    harms: { type: 'string', default: '100' },
    seed: { type: 'string' },
    postgres: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    failovers: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
const harms = Number(values.failovers ?? values.harms);
if (values.failovers !== undefined && !values.cluster) throw new Error('--failovers needs --cluster.');
/** From its promotion on, how long it took each new primary to have a write acknowledged. */
const recoveries: number[] = [];
/** The same from the end of each harm on, until the harmed node is ready and a write is acknowledged. */
const normal: number[] = [];
const note = (line: string) => process.stdout.write(`${line}\n`);

type Writer = (world: World, random: Random) => Promise<void> | void;

/** Each goes round and round beside the others, with a rest after each round. */
const WRITERS: readonly { write: Writer; restMs: number }[] = [
  { write: submitSome, restMs: 300 },
  { write: submitSome, restMs: 300 },
  { write: review, restMs: 300 },
  { write: rotate, restMs: 1_000 },
  { write: changeWebhook, restMs: 3_000 },
  { write: photograph, restMs: 500 },
  { write: buy, restMs: 500 },
  { write: buy, restMs: 500 },
  { write: askForTable, restMs: 400 },
  { write: askForTable, restMs: 400 },
  { write: changeBooking, restMs: 800 },
  { write: answerMail, restMs: 500 },
  { write: spoilVenue, restMs: 3_000 },
  { write: importMap, restMs: 5_000 },
  { write: readSome, restMs: 100 },
];

/** Writes until it is over. What is unknown is no fault; any other refusal is one of the run. */
async function goRound(
  world: World,
  { write, restMs }: (typeof WRITERS)[number],
  random: Random,
  refused: string[],
): Promise<void> {
  while (!world.client.isOver) {
    try {
      await write(world, random);
    } catch (thrown) {
      if (!(thrown instanceof Unknown)) refused.push(`refused: ${String(thrown)}`);
    }
    await pause(restMs);
  }
}

async function run(server: PostgresServer | PostgresPair): Promise<boolean> {
  const random = new Random(seed);
  const world = await openWorld(
    server,
    random,
    values.cluster ? { nodeCount: 3, nginx: findNginx(undefined) } : { nodeCount: 2, nginx: undefined },
  );
  world.client.readFailed = note;
  if (server instanceof PostgresPair) server.promoted = () => void noteRecovery(world);
  started.unshift(() => world.close(true));
  let sound = false;
  try {
    note(`seed ${seed}, ${harms} harms, ${await server.version()}; nodes log to ${world.folder}/nodes.log`);
    const refused: string[] = [];
    const writing = Promise.all(WRITERS.map((writer) => goRound(world, writer, random.fork(), refused)));
    const databaseShare = values.failovers === undefined ? {} : { databaseShare: 1 };
    const done = await doHarm(harms, {
      ...{ ...world, ...databaseShare, server, random, note },
      troubles: (at) => troublesOf(world, server, at),
      isOver: (what, node) => void noteNormal(world, what, node),
    });
    world.client.overAt = performance.now();
    await writing;
    note('Everybody is well again. Waiting until nothing is left to do.');
    const left = await becomeQuiet(world);
    const findings = [
      ...(await judgeAccounts(world)),
      ...(await judgeMoney(world)),
      ...(await judgeBookings(world)),
    ];
    sound = report(
      findings,
      [...Object.entries(left).map(([what, count]) => `stuck: ${count} ${what}`), ...done.ended, ...refused],
      done,
      world,
    );
    return sound;
  } finally {
    await world.close(!sound);
  }
}

/** Troubles of one node besides being frozen. */
function troublesOf({ cables, disks }: World, server: PostgresServer | PostgresPair, at: number) {
  const [cable, disk] = [cables[at], disks[at]];
  return {
    ...(cable !== undefined &&
      server instanceof PostgresPair && {
        'cut off': {
          begin: () => cable.get(server.primaryPort)?.cut(),
          end: () => {
            for (const one of cable.values()) one.mend();
          },
        },
      }),
    ...(disk !== undefined && {
      'out of disk': {
        begin: () => {
          disk.fill();
        },
        end: () => {
          disk.empty();
        },
      },
    }),
  };
}

async function noteNormal(
  world: World,
  what: string,
  node: World['nodes'][number] | undefined,
): Promise<void> {
  const ms = Math.round(await untilNormal(world, node));
  normal.push(ms);
  note(`normal ${ms} ms after ${what}`);
}

async function noteRecovery(world: World): Promise<void> {
  const ms = Math.round(await untilWritten(world));
  recoveries.push(ms);
  note(`writes work ${ms} ms after the promotion`);
}

function report(
  findings: readonly Finding[],
  others: readonly string[],
  { counts }: HarmDone,
  { client: { tally, reads } }: World,
): boolean {
  const line = (what: string, ...cells: (string | number)[]) => {
    note(what.padEnd(30) + cells.map((cell) => String(cell).padStart(14)).join(''));
  };
  note('');
  const kinds: readonly (Trouble | 'killed')[] = ['killed', 'frozen', 'cut off', 'out of disk'];
  line('', ...kinds);
  for (const name of [...counts.keys()].toSorted())
    line(name, ...kinds.map((kind) => counts.get(name)?.get(kind) ?? 0));
  if (recoveries.length > 0) {
    note(`\n${recoveries.length} promotions; writes worked after ${medianAndMax(recoveries)}.`);
  }
  if (normal.length > 0)
    note(`After ${normal.length} harms everything was normal after ${medianAndMax(normal)}.`);
  note(`\n${tally.answered} requests were answered; of ${tally.unknown} nobody knew what became of them.\n`);
  line('reads, never repeated', 'answered', 'failed');
  for (const [name, { answered, failed }] of reads) line(name, answered, failed);
  note('');
  line('', 'acknowledged', 'lost', 'doubled');
  for (const { what, acknowledged, lost, doubled } of findings)
    line(what, acknowledged, lost.length, doubled.length);
  const faults = [
    ...findings.flatMap(({ what, lost, doubled }) => [
      ...lost.map((one) => `lost, ${what}: ${one}`),
      ...doubled.map((one) => `doubled, ${what}: ${one}`),
    ]),
    ...others,
    // A run without such writes shows nothing about them.
    ...findings
      .filter(({ acknowledged }) => acknowledged === 0)
      .map(({ what }) => `nothing written: ${what}`),
  ];
  note(faults.length === 0 ? '\n0 lost, 0 doubled, 0 stuck.' : `\n${faults.join('\n')}`);
  note(`seed ${seed}`);
  return faults.length === 0;
}

function medianAndMax(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  return `${sorted[Math.floor((sorted.length - 1) / 2)]} ms (median), ${sorted.at(-1)} ms (longest)`;
}

const server = values.cluster
  ? await PostgresPair.open(values.postgres ?? '15')
  : await PostgresServer.open(values.postgres);
const started = [() => server.close()];
// A run that is ended early stops the processes that it started, and says so.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    note(`\nEnded by ${signal}; nothing was judged. seed ${seed}`);
    void Promise.allSettled(started.map((close) => close())).then(() => process.exit(1));
  });
const sound = await run(server).finally(() => server.close());
process.exit(sound ? 0 : 1);
