import type { Db, Pool } from '../core/postgres/db.ts';
import { formatCount } from '../core/text/format-count.ts';

interface LedgerFindings {
  transactions: number;
  entries: number;
  accounts: number;
  licences: number;
  /** Sums over all holders and over the platform's accounts, by kind of account. */
  totals: { kind: string; cents: number }[];
  faults: string[];
}

interface Fault {
  what: string;
}

/** Recomputes the ledger from its entries, in case somebody wrote with the triggers off. */
export async function verifyLedger(pool: Pool): Promise<LedgerFindings> {
  return pool.begin('isolation level repeatable read read only', async (sql) => {
    const [counts] = await sql<Record<'transactions' | 'entries' | 'accounts' | 'licences', string>[]>`
      select (select count(*) from ledger_transaction) as transactions, (select count(*) from ledger_entry) as entries,
             (select count(*) from ledger_account) as accounts, (select count(*) from photo_licence) as licences`;
    const totals = await ledgerTotals(sql);
    const faults = await sql<Fault[]>`
      select 'transaction ' || t.id || ' has entries that sum to ' || coalesce(sum(e.amount_cents), 0) as what
      from ledger_transaction t left join ledger_entry e on e.transaction_id = t.id
      group by t.id having coalesce(sum(e.amount_cents), 0) <> 0 or count(e) = 0
      union all
      select 'transaction ' || e.transaction_id || ' mixes money and test credit'
      from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transaction t on t.id = e.transaction_id
      group by e.transaction_id having bool_or(e.test <> a.test or e.test <> t.test)
      union all
      select 'account ' || a.id || ' says ' || a.balance_cents || ', its entries sum to ' || coalesce(sum(e.amount_cents), 0)
      from ledger_account a left join ledger_entry e on e.account_id = a.id
      where a.balance_cents is not null
      group by a.id having a.balance_cents <> coalesce(sum(e.amount_cents), 0)
      union all
      select 'account ' || id || ' is below zero' from ledger_account where balance_cents < 0
      union all
      select 'licence ' || l.id || ' is not paid as it says' from photo_licence l
      where not exists (select 1 from ledger_entry e where e.transaction_id = l.transaction_id
        and e.account_id = (case when l.test then 'agent_test:' else 'agent_wallet:' end) || l.agent_id
        and e.amount_cents = -l.price_cents)
      union all
      select 'transaction ' || t.id || ' pays for a licence that does not exist' from ledger_transaction t
      where (t.kind = 'licence' and not exists (select 1 from photo_licence l where l.transaction_id = t.id))
         or (t.kind = 'licence_refund' and not exists (select 1 from photo_licence l where l.refund_transaction_id = t.id))
      union all
      select 'transaction ' || t.id || ' credits a payment that does not exist' from ledger_transaction t
      where t.kind = 'topup' and not exists (select 1 from topup_payment p where p.transaction_id = t.id)
      union all
      select 'agent ' || coalesce(s.agent_id, l.agent_id) || ' spent ' || coalesce(l.cents, 0) || ' on '
        || coalesce(s.utc_date, l.utc_date) || ', counted as ' || coalesce(s.spent_cents, 0)
      from photo_spend s
      full join (select agent_id, utc_date, sum(price_cents) as cents from photo_licence group by agent_id, utc_date) l
        on l.agent_id = s.agent_id and l.utc_date = s.utc_date
      where coalesce(s.spent_cents, 0) <> coalesce(l.cents, 0) or coalesce(l.cents, 0) > 5000
      union all
      select 'photo ' || p.id || ' says ' || p.sold || ' sold, its drop has ' || count(l) || ' licences'
      from photo p left join photo_licence l on l.photo_id = p.id and l.drop_number = p.drop_number
      where p.drop_number > 0 group by p.id having p.sold <> count(l)`;
    return {
      transactions: Number(counts?.transactions),
      entries: Number(counts?.entries),
      accounts: Number(counts?.accounts),
      licences: Number(counts?.licences),
      totals,
      faults: faults.map(({ what }) => what),
    };
  });
}

export async function ledgerTotals(sql: Db): Promise<LedgerFindings['totals']> {
  const totals = await sql<{ kind: string; cents: string }[]>`
    select a.kind, sum(e.amount_cents) as cents from ledger_entry e join ledger_account a on a.id = e.account_id
    group by a.kind order by a.kind`;
  return totals.map(({ kind, cents }) => ({ kind, cents: Number(cents) }));
}

export function ledgerLines({
  transactions,
  entries,
  accounts,
  licences,
  totals,
  faults,
}: LedgerFindings): string[] {
  return [
    `${formatCount(transactions, 'transaction')} with ${formatCount(entries, 'entry', 'entries')} on ${formatCount(accounts, 'account')}, ${formatCount(licences, 'licence')}.`,
    ...totals.map(({ kind, cents }) => `  ${kind.padEnd(22)}${(cents / 100).toFixed(2).padStart(14)} USD`),
    ...(faults.length === 0
      ? ['The ledger is consistent: all entries sum to zero, no balance is negative, every licence is paid.']
      : [`${formatCount(faults.length, 'fault')}:`, ...faults.map((fault) => `  ${fault}`)]),
  ];
}
