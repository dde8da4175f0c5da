import assert from 'node:assert/strict';
import type { Db } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import { photographerAccount, platformAccount, refundsAccount, walletAccount } from '../ledger/account.ts';
import { postTransaction } from '../ledger/post-transaction.ts';
import { lockBalance, lockWallet } from '../ledger/wallet-balance.ts';

interface SoldLicence {
  agent_id: string;
  member_id: string;
  price_cents: number;
  test: boolean;
  refunded_at: Date | null;
  platform_cents: string;
}

/** Refunds a licence and ends it. A share that was already paid out to the photographer is the platform's loss. */
export async function refundLicence(db: Db, ctx: { newId: NewId; now: Date }, licenceId: string) {
  const [before] = await db<{ agent_id: string }[]>`
    select agent_id from photo_licence where id = ${licenceId}`;
  if (before === undefined)
    throw new AppError('license_not_found', 'There is no licence with this id.', {
      hint: 'Open it from the list at /console/licences.',
    });
  // Lock order: the wallet first, then the licence, so that no purchase waits for a refund.
  await lockWallet(db, before.agent_id);
  const [sold] = await db<SoldLicence[]>`
    select l.agent_id, p.member_id, l.price_cents, l.test, l.refunded_at,
           coalesce((select e.amount_cents from ledger_entry e where e.transaction_id = l.transaction_id
                     and e.account_id in ('platform_revenue', 'platform_test')), 0) as platform_cents
    from photo_licence l join photo p on p.id = l.photo_id where l.id = ${licenceId} for no key update of l`;
  assert(sold !== undefined, 'licences are never deleted');
  if (sold.refunded_at !== null)
    throw new AppError('license_refunded', 'This licence was already refunded. Nothing was changed.');
  const book = sold.test ? 'test' : 'money';
  const platform = Number(sold.platform_cents);
  const earned = sold.price_cents - platform;
  const earner = photographerAccount(book, sold.member_id);
  const back = Math.min(await lockBalance(db, earner), earned);
  const transactionId = await postTransaction(db, ctx, {
    kind: 'licence_refund',
    reference: licenceId,
    book,
    entries: [
      { account: walletAccount(book, sold.agent_id), cents: sold.price_cents },
      { account: earner, cents: -back },
      { account: platformAccount(book), cents: -platform },
      { account: refundsAccount(book), cents: back - earned },
    ],
  });
  await db`
    update photo_licence set refunded_at = ${ctx.now}, refund_transaction_id = ${transactionId} where id = ${licenceId}`;
  return { licenceId, agentId: sold.agent_id, cents: sold.price_cents, test: sold.test };
}
