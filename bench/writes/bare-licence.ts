import type { Pool } from '../../src/core/postgres/db.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { takeBare } from './bare-take.ts';

export interface BareLicence {
  agentId: string;
  photoId: string;
  memberId: string;
  key: string;
  /** 26 characters that no other licence has. */
  ulid: string;
}

/**
 * The statements of one licence as a bare client sends them, in the same order and as closely packed: what the service
 * adds to this is what is measured. The price is worked out in the database, so that nothing else runs here.
 */
export async function buyBare(pool: Pool, one: BareLicence): Promise<void> {
  const { agentId, photoId, memberId, key } = one;
  const [licence, booking] = [`lic_${one.ulid}`, `ltx_${one.ulid}`];
  const now = new Date();
  const wallet = `agent_wallet:${agentId}`;
  await pool.begin(async (sql) => {
    const [, , , , [photo]] = await Promise.all([
      sql`select id, balance_cents from ledger_account where id in (${`agent_test:${agentId}`}, ${wallet})
          order by id for no key update`,
      sql`select id from photo_licence where agent_id = ${agentId} and idempotency_key = ${key}`,
      sql`select spent_cents from photo_spend where agent_id = ${agentId} and utc_date = ${now}::date`,
      sql`select operator_name from agent where id = ${agentId}`,
      sql<{ price: number; sold: number; version: number; sha256: Buffer }[]>`
        select p.price_social as price, p.sold, p.version, p.sha256, p.ends_at, m.display_name, s.name
        from photo p left join place s on s.id = p.place_id left join member m on m.id = p.member_id
        where p.id = ${photoId} for no key update of p`,
    ]);
    if (photo === undefined) throw new Error('The photo is gone.');
    let price = photo.price;
    for (let n = 0; n < photo.sold; n++) price = Math.floor((price * 11 + 9) / 10);
    const fee = Math.floor(price / 5);
    const accounts = [wallet, `photographer_payable:${memberId}`, ...(fee > 0 ? ['platform_revenue'] : [])];
    const cents = [-price, price - fee, ...(fee > 0 ? [fee] : [])];
    await Promise.all([
      sql`update photo set sold = sold + 1, version = version + 1
          where id = ${photoId} and version = ${photo.version} and sold < drop_cap and state = 'live' returning sold`,
      sql`with booked as (
            insert into ledger_transaction (id, kind, reference, test, at)
            values (${booking}, 'licence', ${licence}, false, ${now}))
          insert into ledger_entry (transaction_id, account_id, test, amount_cents)
          select ${booking}, a, false, c from unnest(${accounts}::text[], ${cents}::bigint[]) as e (a, c)`,
      sql`
      insert into photo_licence (id, agent_id, photo_id, drop_number, number, use, price_cents, max_price_cents, test,
        idempotency_key, sha256, attribution_line, licensed_at, transaction_id)
      values (${licence}, ${agentId}, ${photoId}, 1, ${photo.sold + 1}, 'social', ${price}, 5000, false, ${key},
        ${photo.sha256}, 'Photo: Bench via Waypost', ${now}, ${booking})`,
      sql`
      insert into photo_price_view (agent_id, photo_id, use, drop_number, sold, seen_at)
      values (${agentId}, ${photoId}, 'social', 1, ${photo.sold + 1}, ${now})
      on conflict (agent_id, photo_id, use) do update set sold = excluded.sold, seen_at = excluded.seen_at`,
      sql`
      insert into audit_log (at, actor, operation, request_id, subject, detail)
      values (${now}, ${agentId}, 'license_photo', ${key}, ${licence}, '{}')`,
      takeBare(sql, `writes-minute/${agentId}`, MINUTE_MS, now),
      takeBare(sql, `writes-day/${agentId}`, DAY_MS, now),
    ]);
  });
}
