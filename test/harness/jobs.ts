import type { TestService } from './service.ts';

/** Lets time pass: for the clock of the service, and for the queue, whose waits are counted by the database. */
export async function passTime(service: TestService, ms: number): Promise<void> {
  service.clock.advance(ms);
  const { pool } = service.database;
  await pool`update graphile_worker._private_jobs set run_at = run_at - ${ms} * interval '1 millisecond'`;
  await pool`select pg_notify('jobs:insert', '{"count": 100}')`;
}

/** Waits until there is something to see. It gives up with an error, so that a hang has a name. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const giveUpAt = performance.now() + HANG_MS;
  while (performance.now() < giveUpAt) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  throw new Error(`It was waited for in vain: ${what}`);
}

const HANG_MS = 30_000;
const LOOK_AGAIN_MS = 20;
