import type { NewId } from '../core/ids.ts';
import type { Db } from '../core/postgres/db.ts';
import { DAY_MS } from '../core/time.ts';

/** Topic of the change hub. */
export const PROVIDER_TESTS = 'provider_tests';

export type ProviderTestKind = 'payment' | 'call';

/** A test of a provider from the set-up page. */
export interface ProviderTest {
  kind: ProviderTestKind;
  started_at: Date;
  /** The state that the provider reported; null while it has reported nothing. */
  answer: string | null;
  answered_at: Date | null;
  error: string | null;
}

const KEPT_MS = 30 * DAY_MS;
const LISTED_MAX = 20;

export async function startProviderTest(
  tx: Db,
  { now, newId }: { now: Date; newId: NewId },
  { kind, staffId }: { kind: ProviderTestKind; staffId: string },
): Promise<string> {
  const id = newId('tst');
  await tx`delete from provider_test where started_at < ${new Date(now.getTime() - KEPT_MS)}`;
  await tx`
    insert into provider_test (id, kind, started_by, started_at) values (${id}, ${kind}, ${staffId}, ${now})`;
  return id;
}

/** Records what the provider reported. False for a test that is unknown or has its answer. */
export async function recordProviderAnswer(
  db: Db,
  id: string,
  { answer, now }: { answer: string; now: Date },
): Promise<boolean> {
  const { count } = await db`
    update provider_test set answer = ${answer}, answered_at = ${now} where id = ${id} and answer is null`;
  return count === 1;
}

export async function failProviderTest(db: Db, id: string, error: string): Promise<void> {
  await db`update provider_test set error = ${error} where id = ${id}`;
}

/** Lists the last tests, the newest first. */
export function listProviderTests(db: Db): Promise<ProviderTest[]> {
  return db<ProviderTest[]>`
    select kind, started_at, answer, answered_at, error from provider_test
    order by started_at desc, id desc limit ${LISTED_MAX}`;
}
