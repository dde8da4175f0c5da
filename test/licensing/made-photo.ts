import { hash, randomBytes } from 'node:crypto';
import type { Pool } from '../../src/core/postgres/db.ts';
import { createNewId } from '../../src/core/ids.ts';
import type { Use } from '../../src/licensing/use.ts';
import { creditTopUp, openTopUp } from '../../src/wallet/top-up.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import type { TestClock } from '../harness/service/service.ts';
import { HOUR_MS } from '../../src/core/time.ts';

export const DROP_MS = 72 * HOUR_MS;

interface MadePhoto {
  prices?: Partial<Record<Use, number>>;
  cap?: number;
  memberId?: string;
  placeId?: string;
  /** The licensed file, where the test has one. */
  file?: Buffer;
  /** Before `live` nothing is offered. */
  state?: 'to_check' | 'approved' | 'live';
}

/** Adds somebody who takes photos, and gives their id. */
export async function addMadeMember(pool: Pool, clock: TestClock, name = 'Ayu'): Promise<string> {
  const id = createNewId(clock)('mem');
  await pool`
    insert into member (id, email, display_name, created_at)
    values (${id}, ${`${id}@member.example`}, ${name}, ${clock.now()})`;
  return id;
}

/** Adds a photo on a drop that begins at this moment, and gives its id. */
export async function addMadePhoto(pool: Pool, clock: TestClock, made: MadePhoto = {}): Promise<string> {
  const id = createNewId(clock)('pho');
  const now = clock.now();
  const memberId = made.memberId ?? (await addMadeMember(pool, clock));
  const placeId = made.placeId ?? (await addMadeUpPlace(pool, clock));
  const sha256 = made.file === undefined ? randomBytes(32) : hash('sha256', made.file, 'buffer');
  const prices = made.prices ?? { social: 500, web: 900, ad: 2_500 };
  await pool.begin(async (sql) => {
    await sql`
      insert into photo (id, member_id, place_id, state, caption, month, width, height, sha256, bytes, phash, upload_sha256,
        generated, price_social, price_web, price_ad, price_ai_training, drop_cap, created_at, updated_at)
      values (${id}, ${memberId}, ${placeId}, 'to_check', 'The terrace', '2026-09', 4032, 3024, ${sha256}, ${made.file?.length ?? 1000},
        ${'0'.repeat(64)}::bit(64), ${randomBytes(32)}, true, ${prices.social ?? null}, ${prices.web ?? null},
        ${prices.ad ?? null}, ${prices.ai_training ?? null}, ${made.cap ?? 10}, ${now}, ${now})`;
    if (made.state === 'to_check') return;
    await sql`
      insert into photo_check (photo_id, decision, generated, decided_at) values (${id}, 'approved', true, ${now})`;
    if (made.state === 'approved') {
      await sql`update photo set state = 'approved' where id = ${id}`;
      return;
    }
    await sql`
      update photo set state = 'live', live_at = ${now}, ends_at = ${new Date(now.getTime() + DROP_MS)}, drop_number = 1
      where id = ${id}`;
  });
  return id;
}

/** Fills a wallet with money, as a payment does. */
export async function fillWallet(
  pool: Pool,
  clock: TestClock,
  agentId: string,
  cents: number,
  book: 'money' | 'test' = 'money',
): Promise<void> {
  const ctx = { newId: createNewId(clock), now: clock.now() };
  await pool.begin(async (sql) => {
    const { id } = await openTopUp(sql, ctx, agentId, Math.max(500, cents));
    await creditTopUp(sql, ctx, id, { reference: id, book, amountCents: cents });
  });
}
