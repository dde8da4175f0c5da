import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { DeliveryPool } from '../../src/delivery/delivery-pool.ts';
import { parseConfig } from '../../src/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Deps } from '../../src/core/context.ts';
import { Metrics } from '../../src/core/metrics.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { Listener } from '../../src/core/postgres/listener.ts';
import { KIND_NAMES, type Kind } from '../../src/jobs/kinds.ts';
import { startJobs } from '../../src/jobs/run-jobs.ts';
import { StalledKinds } from '../../src/jobs/stalled-kinds.ts';
import { defineTask } from '../../src/jobs/task.ts';
import type { PostgresServer } from './postgres-server.ts';
import type { Random } from './random.ts';

const AWAY_MS = [0, 20_000] as const;

/**
 * Kills the server while every kind has jobs in hand, lets these end at random moments, and starts the server again.
 * Then every kind must have done its old jobs and a new one.
 */
export async function crashWithJobsInHand(
  server: PostgresServer,
  random: Random,
  limitMs: number,
): Promise<{ stalled: Kind[]; slowestMs: number }> {
  const { url: databaseUrl } = server;
  const pool = connect(databaseUrl, { max: 4, statementTimeoutMs: 15_000 });
  const listener = new Listener(databaseUrl);
  const log = pino({ level: 'silent' });
  const deps = {
    ...{ pool, log, clock: systemClock, metrics: new Metrics(), outgoing: new DeliveryPool(log) },
    ...{ config: parseConfig({}), stalledKinds: new StalledKinds() },
  } as unknown as Deps;
  const begun = new Set<string>();
  const tasks = Object.fromEntries(
    KIND_NAMES.map((kind) => [
      `crash_${kind}`,
      defineTask({
        kind,
        payload: z.object({ name: z.string(), ms: z.number() }),
        run: async (_job, { name, ms }) => {
          begun.add(name);
          await pause(ms);
        },
      }),
    ]),
  );
  const jobs = startJobs(deps, { databaseUrl, listener }, tasks);
  const add = async (name: string, msOf: () => number) => {
    for (const kind of KIND_NAMES)
      await pool`
        select graphile_worker.add_job(${`crash_${kind}`},
          json_build_object('name', ${`${name} ${kind}`}::text, 'ms', ${msOf()}::int))`;
  };
  try {
    const awayMs = random.between(...AWAY_MS);
    await add('in hand', () => random.between(500, 5_000));
    while (!KIND_NAMES.every((kind) => begun.has(`in hand ${kind}`))) await pause(10);
    await server.kill();
    await pause(awayMs);
    await server.start();
    const back = performance.now();
    for (;;) {
      try {
        await add('new', () => 0);
        break;
      } catch {
        await pause(100);
      }
    }
    const isDone = async (kind: Kind) => {
      const left = await pool`select from graphile_worker.jobs where task_identifier = ${`crash_${kind}`}`;
      return left.length === 0;
    };
    let stalled: Kind[] = [...KIND_NAMES];
    while (stalled.length > 0 && performance.now() - back < limitMs) {
      await pause(50);
      const done = await Promise.all(stalled.map(isDone)).catch(() => stalled.map(() => false));
      stalled = stalled.filter((_, at) => done[at] !== true);
    }
    return { stalled, slowestMs: performance.now() - back };
  } finally {
    await jobs.close();
    await listener.close();
    await pool.end({ timeout: 1 });
  }
}
