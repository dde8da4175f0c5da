import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewId } from '../../src/core/ids.ts';
import { violatedConstraint, type Db } from '../../src/core/postgres/db.ts';
import {
  clearingAccount,
  photographerAccount,
  platformAccount,
  walletAccount,
} from '../../src/ledger/account.ts';
import { postTransaction, type LedgerTransaction } from '../../src/ledger/post-transaction.ts';
import { ledgerLines, verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { refundLicence } from '../../src/licensing/refund-licence.ts';
import { listPayables } from '../../src/photos/earnings.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadeMember, addMadePhoto } from '../licensing/made-photo.ts';

const service = await startTestService();
const { pool } = service.database;
const { clock } = service;
const ctx = { newId: createNewId(clock), now: clock.now() };
const AGENT = 'agt_01kdtqb00071qz6sbs7e2vkqza';

/** The constraint that refuses a piece of work, or what came of it. */
async function refusedBy(work: (sql: Db) => Promise<unknown>): Promise<string | undefined> {
  try {
    await pool.begin(work);
    return undefined;
  } catch (thrown) {
    return violatedConstraint(thrown) ?? String(thrown);
  }
}

function book(
  entries: LedgerTransaction['entries'],
  other: Partial<LedgerTransaction> = {},
): (sql: Db) => Promise<unknown> {
  const booking = { kind: 'payout', reference: ctx.newId('req'), book: 'money', entries, ...other } as const;
  return (sql) => postTransaction(sql, ctx, booking);
}

const wallet = walletAccount('money', AGENT);
const cash = clearingAccount('money');

test('entries sum to zero, balances never fall below it, and money and test credit never mix', async () => {
  assert.equal(
    await refusedBy(
      book([
        { account: cash, cents: -500 },
        { account: wallet, cents: 499 },
      ]),
    ),
    'ledger_entries_sum_to_zero',
  );
  assert.equal(
    await refusedBy(
      book([
        { account: cash, cents: 1 },
        { account: wallet, cents: -1 },
      ]),
    ),
    'ledger_balance_not_negative',
  );
  const test = walletAccount('test', AGENT);
  assert.equal(
    await refusedBy(
      book([
        { account: cash, cents: -5 },
        { account: test, cents: 5 },
      ]),
    ),
    'ledger_entry_of_account',
  );
  assert.equal(
    await refusedBy(
      book(
        [
          { account: cash, cents: -5 },
          { account: wallet, cents: 5 },
        ],
        { book: 'test' },
      ),
    ),
    'ledger_entry_of_account',
  );
  assert.equal(await refusedBy(book([])), 'ledger_transaction_books_something');
  assert.equal(
    await refusedBy(
      book([
        { account: cash, cents: -5 },
        { account: 'agent_wallet:me', cents: 5 },
      ]),
    ),
    'ledger_account_id_form',
  );
  const [nothing] = await pool`select from ledger_transaction`;
  assert.equal(nothing, undefined);
});

test('nothing is booked twice, and what is booked never changes', async () => {
  const entries = [
    { account: cash, cents: -500 },
    { account: wallet, cents: 500 },
  ];
  const reference = 'payment-1';
  assert.equal(await refusedBy(book(entries, { reference })), undefined);
  assert.equal(await refusedBy(book(entries, { reference })), 'ledger_transaction_once');
  for (const change of [
    (sql: Db) => sql`update ledger_entry set amount_cents = amount_cents * 2`,
    (sql: Db) => sql`delete from ledger_entry`,
    (sql: Db) => sql`truncate ledger_entry`,
    (sql: Db) => sql`update ledger_transaction set kind = 'topup'`,
    (sql: Db) => sql`delete from ledger_transaction`,
    (sql: Db) => sql`delete from ledger_account`,
  ])
    assert.match((await refusedBy(change)) ?? '', /append-only/);
  assert.equal(
    await refusedBy((sql) => sql`update ledger_account set balance_cents = 9999 where id = ${wallet}`),
    'ledger_balance_follows_entries',
  );
  assert.equal(
    await refusedBy(
      (sql) =>
        sql`insert into ledger_account (id, balance_cents) values (${walletAccount('test', AGENT)}, 7)`,
    ),
    'ledger_balance_follows_entries',
  );
  assert.equal(
    await refusedBy(
      (sql) => sql`
        insert into ledger_entry (transaction_id, account_id, test, amount_cents)
        select id, a, false, c from ledger_transaction,
          (values (${platformAccount('money')}, 5), ('refunds', -5)) as more (a, c) where reference = ${reference}`,
    ),
    'ledger_transaction_closed',
  );
  assert.deepEqual((await verifyLedger(pool)).faults, []);
});

test('there is no licence without its payment and no payment without its licence', async () => {
  assert.equal(
    await refusedBy(
      book(
        [
          { account: wallet, cents: -5 },
          { account: platformAccount('money'), cents: 5 },
        ],
        { kind: 'licence' },
      ),
    ),
    'ledger_transaction_books_something',
  );
  const buyer = await makeBuyer(service, 5_000);
  const photoId = await addMadePhoto(pool, clock);
  const { body } = await buyer.license(photoId, 'web', 900, 'k');
  const id = String(body['license_id']);
  assert.equal(
    await refusedBy(
      (sql) => sql`
      insert into photo_licence (id, agent_id, photo_id, drop_number, number, use, price_cents, max_price_cents, test,
        sha256, attribution_line, licensed_at, transaction_id)
      select ${ctx.newId('lic')}, agent_id, photo_id, drop_number, 2, use, 1, 1, test, sha256, attribution_line,
        licensed_at, ${'ltx_01kdtqb00071qz6sbs7e2vkqza'} from photo_licence where id = ${id}`,
    ),
    'photo_licence_booked',
  );
  assert.equal(
    await refusedBy((sql) => sql`update photo_licence set price_cents = 1 where id = ${id}`),
    'photo_licence_immutable',
  );
  assert.match(
    (await refusedBy((sql) => sql`delete from photo_licence where id = ${id}`)) ?? '',
    /append-only/,
  );
});

test('a refund gives the price back once, and ends the licence', async () => {
  const memberId = await addMadeMember(pool, clock);
  const photoId = await addMadePhoto(pool, clock, { memberId });
  const buyer = await makeBuyer(service, 5_000);
  const { body } = await buyer.license(photoId, 'web', 900, 'k');
  const id = String(body['license_id']);
  // Money that was paid out to the photographer cannot be taken back.
  await pool.begin(
    book(
      [
        { account: `photographer_payable:${memberId}`, cents: -700 },
        { account: cash, cents: 700 },
      ],
      { reference: `payout-${memberId}` },
    ),
  );
  const attempts = await Promise.allSettled(
    Array.from({ length: 6 }, () => pool.begin((sql) => refundLicence(sql, ctx, id))),
  );
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1);
  const after = await buyer.wallet();
  assert.deepEqual([after.body['balance_cents'], after.body['spent_today_cents']], [5_000, 900]);
  const balances = await pool<{ id: string; balance_cents: string }[]>`
    select id, balance_cents from ledger_account where holder_id = ${memberId}`;
  assert.deepEqual(
    balances.map(({ balance_cents }) => Number(balance_cents)),
    [0],
  );
  const link = await buyer.post('/api/agent/photos/link', { license_id: id });
  assert.deepEqual([link.status, link.body['code']], [409, 'license_refunded']);
  const again = await buyer.license(photoId, 'web', 900, 'k');
  assert.deepEqual([again.status, again.body['license_id'], again.body['download']], [200, id, null]);
  assert.deepEqual((await verifyLedger(pool)).faults, []);
});

test('the verification finds what was changed behind the back of the constraints, and says it in words', async () => {
  const healthy = ledgerLines(await verifyLedger(pool));
  assert.match(healthy.at(-1) ?? '', /^The ledger is consistent/);
  await pool.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`update ledger_entry set amount_cents = amount_cents + 1 where account_id = ${wallet}`;
    await sql`update photo set sold = sold + 1 where id = (select photo_id from photo_licence limit 1)`;
    await sql`update photo_spend set spent_cents = spent_cents - 1`;
  });
  const { faults } = await verifyLedger(pool);
  const text = faults.join('\n');
  for (const fault of [/sum to 1/, /its entries sum to/, /says \d+ sold/, /counted as/])
    assert.match(text, fault);
});

test('the list of payouts names those that are owed money, largest first, and nobody who was paid', async () => {
  const owe = async (cents: number, paid = 0): Promise<string> => {
    const memberId = await addMadeMember(pool, clock);
    const account = photographerAccount('money', memberId);
    const move = (amount: number) =>
      pool.begin(
        book([
          { account: cash, cents: -amount },
          { account, cents: amount },
        ]),
      );
    await move(cents);
    if (paid > 0) await move(-paid);
    return memberId;
  };
  const members = [await owe(300), await owe(900, 900), await owe(500), await owe(800, 100)];
  const listed = (await listPayables(pool)).filter(({ member_id }) => members.includes(member_id));
  assert.deepEqual(
    listed.map(({ member_id, payable_cents }) => [members.indexOf(member_id), payable_cents]),
    [
      [3, 700],
      [2, 500],
      [0, 300],
    ],
  );
});
