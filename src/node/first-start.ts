import { setTimeout as delay } from 'node:timers/promises';
import { addFirstStaff, hasStaff, makeFirstStaff, type FirstStaff } from '../accounts/staff/staff.ts';
import type { Config } from '../config.ts';
import { aborted } from '../core/workers/aborted.ts';
import { systemClock } from '../core/clock.ts';
import { createNewId } from '../core/ids.ts';
import type { Log } from '../core/log.ts';
import { isUnavailable, transactionsOf, type Db } from '../core/postgres/db.ts';
import { createProgress } from '../core/progress.ts';
import type { Database } from './database.ts';

const DEMO_PLACES = 24_000;
const DEMO_SEED = 1;
const STAFF_AGAIN_MS = 1_000;

/** Loads one real city and fictional venues everywhere else. After a crash in between, the next start goes on. */
export async function prepareDemo({ pool }: Database): Promise<void> {
  const [places] = await pool<{ any: boolean; others: boolean }[]>`
    select exists (select 1 from place) as any, exists (
      select 1 from place p join destination d on d.id = p.destination_id where not d.sample) as others`;
  if (places?.any === false) {
    const { loadSample } = await import('../demo/load-sample.ts');
    await loadSample(pool, { clock: systemClock, progress: createProgress(process.stdout, 'Monaco') });
  }
  if (places?.others === false) {
    const progress = createProgress(process.stdout, 'Demonstration directory');
    const { loadDemo } = await import('../demo/load-demo.ts');
    await loadDemo(pool, { places: DEMO_PLACES, seed: DEMO_SEED, now: systemClock.now(), progress });
  }
  await (await import('../demo/photos/demo-photos.ts')).enqueueDemoPhotos(pool);
}

/** Adds the first staff account. During an outage it is retried, and its password is returned in any case. */
export async function prepareStaff(
  config: Config,
  { pool }: Database,
  { log, stop }: { log: Log; stop: AbortSignal },
): Promise<FirstStaff | undefined> {
  const now = systemClock.now();
  let first: FirstStaff | undefined;
  const add = async (tx: Db) => {
    if (first === undefined && (await hasStaff(tx))) return undefined;
    first ??= await makeFirstStaff(createNewId(systemClock), config.firstStaff);
    const added = await addFirstStaff(tx, now, first);
    return added === 'not the first' ? undefined : first;
  };
  while (!stop.aborted) {
    try {
      return await transactionsOf(pool)(add);
    } catch (thrown) {
      if (!isUnavailable(thrown)) throw thrown;
      log.warn(
        { err: thrown },
        'the first staff account is not stored yet because the database does not answer',
      );
      await Promise.race([delay(STAFF_AGAIN_MS), aborted(stop)]);
    }
  }
  return undefined;
}
