import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, type Pool } from '../../src/core/postgres/db.ts';
import { migrate } from '../../src/core/postgres/migrate.ts';
import { installCatalogue } from '../../src/directory/install-catalogue.ts';
import { migrateJobs } from '../../src/jobs/migrate-jobs.ts';
import { KIND_NAMES, type Kind } from '../../src/jobs/kinds.ts';
import { openDatabaseLink } from '../jobs/database-link.ts';
import { KilledNode } from '../journeys/killed-node.ts';
import { crashWithJobsInHand } from './job-crashes.ts';
import { PostgresServer } from './postgres-server.ts';
import { Random } from './random.ts';

// Freezes starts of a node, of its database or of both, and crashes a database while every kind has jobs in hand:
// npm run chaos:jobs -- --starts 200 --crashes 50 [--parallel 8] [--load 20] [--seed 7] [--postgres 15]
// Afterwards every kind must take a new job within 30 seconds.
const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '200' },
    crashes: { type: 'string', default: '50' },
    parallel: { type: 'string', default: '8' },
    load: { type: 'string', default: '0' },
    seed: { type: 'string' },
    postgres: { type: 'string' },
  },
});
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
const note = (line: string) => process.stdout.write(`${line}\n`);

const STALLED_MS = 30_000;
const FREEZE_AFTER_MS = [0, 20_000] as const;
const FREEZE_FOR_MS = [1_000, 40_000] as const;
/** More than a database that is away for 40 seconds can end. */
const START_TRIES = 30;

/** A job of each kind that finds nothing to do. */
const PROBES: Record<Kind, [task: string, payload: object]> = {
  asking: ['advance_booking', { booking_id: 'bkg_probe' }],
  asking_by_system: ['advance_in_system', { booking_id: 'bkg_probe' }],
  asking_by_mail: ['deliver_venue_mail', { message_id: 'msg_probe' }],
  asking_by_text: ['deliver_venue_text', { message_id: 'msg_probe' }],
  telling: ['deliver_webhook', { delivery_id: 'whd_probe' }],
  mail: ['deliver_message', { message_id: 'msg_probe' }],
  photos: ['process_photo', { photoId: 'pho_probe' }],
  upkeep: ['end_drop', { photoId: 'pho_probe', dropNumber: 1 }],
};

interface Outcome {
  stalled: Kind[];
  slowestMs: number;
}

/** Adds a job of each kind, and says which of them nobody took in time. */
async function probe(pool: Pool): Promise<Outcome> {
  for (const kind of KIND_NAMES) {
    const [task, payload] = PROBES[kind];
    await pool`
      select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::text::json, job_key => ${`probe ${kind}`})`;
  }
  const begun = performance.now();
  for (;;) {
    const waiting = await pool<{ key: string }[]>`
      select key from graphile_worker.jobs where key like 'probe %' and attempts = 0`;
    const passedMs = performance.now() - begun;
    if (waiting.length === 0) return { stalled: [], slowestMs: passedMs };
    if (passedMs > STALLED_MS)
      return { stalled: waiting.map(({ key }) => key.slice('probe '.length) as Kind), slowestMs: passedMs };
    await pause(100);
  }
}

/** One start of a node with a freeze in it. */
async function freezeStart(server: PostgresServer, number: number, random: Random): Promise<Outcome> {
  const name = `frozen_${number}`;
  const url = new URL(server.url);
  const template = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = connect(url.toString(), { max: 1, statementTimeoutMs: 0 });
  await admin.unsafe(`create database ${name} template ${template}`);
  url.pathname = `/${name}`;
  const pool = connect(url.toString(), { max: 1, statementTimeoutMs: 60_000 });
  const link = await openDatabaseLink(url.toString());
  const node = new KilledNode(link.url, { VENUE_WAKING_HOURS: '00:00-23:59' });
  const which = random.pick(['node', 'database', 'crash'] as const) ?? 'node';
  const [afterMs, forMs] = [random.between(...FREEZE_AFTER_MS), random.between(...FREEZE_FOR_MS)];
  const harm = async () => {
    await pause(afterMs);
    if (which === 'node') node.signal('SIGSTOP');
    else link.set(which === 'crash' ? 'cut' : 'frozen');
    await pause(forMs);
    if (which === 'node') node.signal('SIGCONT');
    else link.set('open');
  };
  try {
    await Promise.all([harm(), startInTheEnd(node)]);
    await readyAgain(node, number);
    const outcome = await probe(pool);
    note(
      `start ${number}: ${which} away after ${afterMs} ms for ${forMs} ms: ` +
        (outcome.stalled.length === 0
          ? `all kinds within ${Math.round(outcome.slowestMs)} ms`
          : `STALLED: ${outcome.stalled.join(', ')}`),
    );
    return outcome;
  } finally {
    await node.stop('SIGKILL');
    await rm(node.dataDir, { recursive: true, force: true });
    link.close();
    await pool.end({ timeout: 1 });
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end({ timeout: 1 });
  }
}

/** Makes the database of the server one that every start copies. */
async function prepareDatabase(url: string): Promise<void> {
  const pool = connect(url, { max: 2, statementTimeoutMs: 0 });
  await migrate(pool);
  await installCatalogue(pool);
  await pool.end({ timeout: 1 });
  await migrateJobs(url);
}

/** A start that meets a database that is away ends with a sentence; whatever supervises the node starts it again. */
async function startInTheEnd(node: KilledNode): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await node.start();
      return;
    } catch (thrown) {
      if (tries === START_TRIES) throw thrown;
      await pause(1_000);
    }
}

/** Waits until the node answers that it is ready. A node that has ended is started again, as its supervisor does. */
async function readyAgain(node: KilledNode, number: number): Promise<void> {
  const begun = performance.now();
  for (let told = false; !(await node.isReady());) {
    if (node.hasEnded) {
      note(`start ${number}: the node has ended and is started again`);
      await startInTheEnd(node);
    }
    if (!told && performance.now() - begun > STALLED_MS) {
      told = true;
      const answer = await fetch(`${node.url}/readyz`).then((response) => response.text(), String);
      note(`start ${number}: not ready after ${STALLED_MS / 1000} s: ${answer}`);
    }
    await pause(100);
  }
}

/** Keeps the machine as busy as so many programs that never rest. */
function startLoad(count: number): { stop: () => Promise<void> } {
  const busy = Array.from({ length: count }, () => spawn('yes', { stdio: ['ignore', 'ignore', 'ignore'] }));
  const stop = async () => {
    await Promise.all(
      busy.map(async (one) => {
        const ended = once(one, 'exit');
        one.kill();
        await ended;
      }),
    );
  };
  return { stop };
}

const server = await PostgresServer.open(values.postgres);
note(`seed ${seed}, ${await server.version()}`);
const random = new Random(seed);
const load = startLoad(Number(values.load));
const outcomes: Outcome[] = [];
// The server is a process that nothing here waits for.
const staying = setInterval(() => undefined, 1_000);
try {
  await prepareDatabase(server.url);
  const starts = Array.from({ length: Number(values.starts) }, (_, at) => ({ at, own: random.fork() }));
  const takeNext = async () => {
    for (let next = starts.shift(); next !== undefined; next = starts.shift())
      outcomes.push(await freezeStart(server, next.at + 1, next.own));
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, takeNext));
  for (let crash = 1; crash <= Number(values.crashes); crash++) {
    const outcome = await crashWithJobsInHand(server, random, STALLED_MS);
    note(
      `crash ${crash}: ${outcome.stalled.length === 0 ? `all kinds within ${Math.round(outcome.slowestMs)} ms` : `STALLED: ${outcome.stalled.join(', ')}`}`,
    );
    outcomes.push(outcome);
  }
} finally {
  await load.stop();
  await server.close();
  clearInterval(staying);
}
const failed = outcomes.filter(({ stalled }) => stalled.length > 0).length;
const slowest = Math.max(0, ...outcomes.map(({ slowestMs }) => slowestMs));
note(`${outcomes.length - failed} passed, ${failed} failed`);
note(`slowest: ${Math.round(slowest)} ms`);
process.exit(failed === 0 ? 0 : 1);
