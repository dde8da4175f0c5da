import type { Db } from '../core/postgres/db.ts';

export interface Earning {
  at: Date;
  licence_id: string;
  photo_id: string;
  /** The place in the photo; null when it was removed. */
  place_name: string | null;
  use: string;
  /** Price that the licensee paid, and the photographer's share of it; both negative for a refund. */
  price_cents: number;
  share_cents: number;
  test: boolean;
}

export interface Earnings {
  /** Balance owed to the photographer in money. */
  payable_cents: number;
  /** Earnings from test credit, which are never paid out. */
  test_cents: number;
  list: Earning[];
}

/** Reads a photographer's side of the ledger. Every amount is that of an entry; nothing is computed here. */
export async function readEarnings(db: Db, memberId: string, limit: number | null): Promise<Earnings> {
  const accounts = [`photographer_payable:${memberId}`, `photographer_test:${memberId}`];
  const balances = await db<{ test: boolean; cents: number }[]>`
    select test, balance_cents::float8 as cents from ledger_account where id = any(${accounts})`;
  const list = await db<Earning[]>`
    select t.at, l.id as licence_id, l.photo_id, p.name as place_name, l.use, t.test, e.amount_cents::float8 as share_cents,
      (l.price_cents * sign(e.amount_cents))::float8 as price_cents
    from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
    join photo_licence l on t.id in (l.transaction_id, l.refund_transaction_id)
    left join photo f on f.id = l.photo_id left join place p on p.id = f.place_id
    where e.account_id = any(${accounts})
    order by t.at desc, t.id desc limit ${limit}`;
  const balanceOf = (test: boolean) => balances.find((one) => one.test === test)?.cents ?? 0;
  return { payable_cents: balanceOf(false), test_cents: balanceOf(true), list };
}

/** Earnings of a calendar month in UTC, refunds deducted. Test credit is not money, and not included. */
export interface MonthEarnings {
  /** YYYY-MM. */
  month: string;
  cents: number;
}

/** Reads the earnings of the last months, the oldest first; a month without any has 0. */
export function readMonthEarnings(
  db: Db,
  memberId: string,
  { now, months }: { now: Date; months: number },
): Promise<MonthEarnings[]> {
  return db<MonthEarnings[]>`
    with month as (
      select generate_series(date_trunc('month', ${now}::timestamptz at time zone 'UTC') - make_interval(months => ${months - 1}),
        date_trunc('month', ${now}::timestamptz at time zone 'UTC'), interval '1 month') as starts
    )
    select to_char(m.starts, 'YYYY-MM') as month, coalesce(sum(e.amount_cents), 0)::float8 as cents
    from month m left join (
      select t.at at time zone 'UTC' as at, e.amount_cents from ledger_entry e
      join ledger_transaction t on t.id = e.transaction_id
      join photo_licence l on t.id in (l.transaction_id, l.refund_transaction_id)
      where e.account_id = ${`photographer_payable:${memberId}`}
    ) e on e.at >= m.starts and e.at < m.starts + interval '1 month'
    group by m.starts order by m.starts`;
}

interface Payable {
  member_id: string;
  display_name: string | null;
  email: string | null;
  payable_cents: number;
}

/** Lists the photographers that are owed money, largest balance first, for making the payouts. */
export function listPayables(db: Db): Promise<Payable[]> {
  return db<Payable[]>`
    select a.holder_id as member_id, m.display_name, m.email, a.balance_cents::float8 as payable_cents
    from ledger_account a left join member m on m.id = a.holder_id
    where a.kind = 'photographer_payable' and a.balance_cents > 0
    order by a.balance_cents desc, a.holder_id`;
}
