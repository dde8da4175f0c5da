import assert from 'node:assert/strict';
import type { z } from 'zod';
import type { Ctx } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import { photographerAccount, platformAccount, walletAccount, type Book } from '../ledger/account.ts';
import { postTransaction } from '../ledger/post-transaction.ts';
import { paymentsOf } from '../wallet/payments.ts';
import { lockWallet, type WalletBalance } from '../ledger/wallet-balance.ts';
import { capResetsAt, DAILY_CAP_CENTS, spentOn } from './daily-cap.ts';
import { findLicence, licenceAnswer, type Licence, type licenceSchema } from './licence.ts';
import {
  attributionLine,
  basePrice,
  findOfferedPhoto,
  requireLive,
  type LivePhoto,
} from './offered-photo.ts';
import { divide, priceAfter } from './price.ts';
import { quoteOf, type Quote } from './quote.ts';
import { lastSeenSold, noteSights } from './sight.ts';
import { endOf, type Use } from './use.ts';

export interface Wanted {
  photoId: string;
  use: Use;
  maxPriceCents: number;
  idempotencyKey: string | undefined;
}

/**
 * Buys one use of one photo from the wallet, inside the transaction of the call. The wallet is locked first, so that
 * purchases of one agent follow one another, and then the photo, so that each buyer has a step of the ladder of their
 * own. Whatever is refused, nothing is charged.
 */
export async function licensePhoto(
  ctx: Ctx,
  agentId: string,
  wanted: Wanted,
): Promise<z.input<typeof licenceSchema>> {
  const { db, now } = ctx;
  const key = wanted.idempotencyKey;
  // Sent together and answered in this order: what follows the lock sees what stood behind it.
  const [wallet, earlier, spent, operatorName] = await Promise.all([
    lockWallet(db, agentId),
    key === undefined ? undefined : findLicence(db, { agentId, idempotencyKey: key }),
    spentOn(db, agentId, now),
    operatorOf(ctx, agentId),
  ]);
  if (earlier !== undefined) return repeat(ctx, earlier, wanted, wallet, spent);
  const photo = requireLive(await findOfferedPhoto(db, wanted.photoId, { locked: true }), now);
  const price = priceAfter(basePrice(photo, wanted.use), photo.sold);
  if (price > wanted.maxPriceCents) throw await tooDear(ctx, agentId, photo, wanted);
  const book = payingBook(ctx, wallet, price, photo, wanted.use);
  requireCap(now, spent, price);
  const licence = await sell(ctx, agentId, operatorName, photo, wanted, price, book);
  return licenceAnswer(ctx.deps, licence, {
    at: now,
    photo: { ...photo, sold: photo.sold + 1 },
    wallet: { ...wallet, [book]: wallet[book] - price },
    spentToday: spent + price,
  });
}

async function operatorOf({ db }: Ctx, agentId: string): Promise<string> {
  const [row] = await db<{ operator_name: string }[]>`select operator_name from agent where id = ${agentId}`;
  return row?.operator_name ?? '';
}

/** The same key asks for the same licence, for ever; with another body it was a mistake. */
async function repeat(
  ctx: Ctx,
  licence: Licence,
  wanted: Wanted,
  wallet: WalletBalance,
  spentToday: number,
): Promise<z.input<typeof licenceSchema>> {
  const same =
    licence.photo_id === wanted.photoId &&
    licence.use === wanted.use &&
    Number(licence.max_price_cents) === wanted.maxPriceCents;
  if (!same)
    throw new AppError('idempotency_key_reused', 'This key belongs to a licence with another body.', {
      hint: 'Use a new key for a new licence, and the same key only to repeat the same call.',
    });
  const photo = await findOfferedPhoto(ctx.db, licence.photo_id);
  assert(photo !== undefined, 'photos with licences are kept');
  ctx.repeated();
  return licenceAnswer(ctx.deps, licence, { at: ctx.now, photo, wallet, spentToday });
}

/** Tells a price that another buyer moved from one that this caller could have known. */
async function tooDear(ctx: Ctx, agentId: string, photo: LivePhoto, wanted: Wanted): Promise<AppError> {
  const { db, now } = ctx;
  const quote = quoteOf(ctx, photo, wanted.use);
  const seen = await lastSeenSold(db, agentId, photo, wanted.use, now);
  const wasWithin =
    seen !== undefined && priceAfter(basePrice(photo, wanted.use), seen) <= wanted.maxPriceCents;
  // This transaction is about to be undone, and what the buyer has seen is not.
  ctx.note((tx) => noteSights(tx, agentId, [photo], wanted.use, now));
  const detail = `it costs ${quote.price_cents} cents now, your maximum is ${wanted.maxPriceCents}. Nothing was charged.`;
  return wasWithin
    ? new AppError('price_moved', `Another buyer moved the price: ${detail}`, {
        hint: 'Ask whoever you buy for, and send the call again with a higher max_price_cents.',
        members: { result: 'price_moved', quote },
      })
    : new AppError('price_above_max', `The price is above your maximum: ${detail}`, {
        hint: `Ask whoever you buy for, and send max_price_cents of at least ${quote.price_cents}; or take another use or photo.`,
        members: { quote },
      });
}

/**
 * Money pays where it suffices, else test credit where payments are tests; never a part of each. Test credit gets only
 * what was drawn for the demonstration: nobody can give away what a photographer made.
 */
function payingBook(ctx: Ctx, wallet: WalletBalance, price: number, photo: LivePhoto, use: Use): Book {
  if (wallet.money >= price) return 'money';
  const testing = paymentsOf(ctx.deps) === 'test';
  if (testing && wallet.test >= price && !photo.generated)
    throw notForTests(wallet, quoteOf(ctx, photo, use));
  if (testing && wallet.test >= price) return 'test';
  const held = testing && wallet.test > wallet.money ? wallet.test : wallet.money;
  throw new AppError(
    'insufficient_funds',
    `The licence costs ${price} cents, the wallet holds ${held}. Nothing was charged.`,
    {
      hint: 'Ask for a checkout link with POST /api/agent/photos/topup and have a person pay it.',
      members: { balance: balanceOf(wallet), quote: quoteOf(ctx, photo, use) },
    },
  );
}

function notForTests(wallet: WalletBalance, quote: Quote): AppError {
  return new AppError(
    'insufficient_funds',
    'Test credit does not license the file of a real photographer, and the wallet holds too little money. Nothing was charged.',
    {
      hint: 'Only pictures that were drawn for the demonstration can be had for test credit: "checked_by_person" is false in their search results.',
      members: { balance: balanceOf(wallet), quote },
    },
  );
}

function balanceOf({ money, test }: WalletBalance) {
  return { balance_cents: money, test_credit_cents: test, currency: 'USD' };
}

function requireCap(now: Date, spent: number, price: number): void {
  if (spent + price <= DAILY_CAP_CENTS) return;
  const resetsAt = capResetsAt(now).toISOString();
  throw new AppError(
    'daily_cap_exceeded',
    `This would pass the ${DAILY_CAP_CENTS / 100} USD that an agent may spend on photos in a UTC day. Nothing was charged.`,
    {
      hint: `${DAILY_CAP_CENTS - spent} cents are left today; the day ends at ${resetsAt}.`,
      members: { spent_today_cents: spent, cap_cents: DAILY_CAP_CENTS, resets_at: resetsAt },
    },
  );
}

/** One step of the ladder, its payment and its licence. The constraints refuse any of them without the others. */
async function sell(
  ctx: Ctx,
  agentId: string,
  operatorName: string,
  photo: LivePhoto,
  wanted: Wanted,
  price: number,
  book: Book,
): Promise<Licence> {
  const { db, deps, now } = ctx;
  const id = ctx.newId('lic');
  const { photographer, platform } = divide(price, deps.config.platformSharePercent);
  const line = attributionLine(photo, deps.config.serviceName);
  const expiresAt = endOf(wanted.use, now);
  const test = book === 'test';
  const number = photo.sold + 1;
  const transactionId = ctx.newId('ltx');
  // Sent together, because others wait for this photo; the first that is refused undoes them all.
  const [taken] = await Promise.all([
    db<{ sold: number }[]>`
      update photo set sold = sold + 1, version = version + 1
      where id = ${photo.id} and version = ${photo.version} and sold < drop_cap and state = 'live' and ends_at > ${now}
      returning sold`.execute(),
    postTransaction(db, ctx, {
      id: transactionId,
      kind: 'licence',
      reference: id,
      book,
      entries: [
        { account: walletAccount(book, agentId), cents: -price },
        { account: photographerAccount(book, photo.member_id), cents: photographer },
        { account: platformAccount(book), cents: platform },
      ],
    }),
    db`
      insert into photo_licence (id, agent_id, photo_id, drop_number, number, use, price_cents, max_price_cents, test,
                                 idempotency_key, sha256, attribution_line, licensed_at, expires_at, transaction_id)
      values (${id}, ${agentId}, ${photo.id}, ${photo.drop_number}, ${number}, ${wanted.use}, ${price},
              ${wanted.maxPriceCents}, ${test}, ${wanted.idempotencyKey ?? null}, ${photo.sha256}, ${line}, ${now},
              ${expiresAt}, ${transactionId})`.execute(),
    // The answer tells this buyer the next price, so that its own licence never counts as another buyer's.
    noteSights(db, agentId, [{ ...photo, sold: number }], wanted.use, now),
  ]);
  assert(taken[0]?.sold === number, 'the photo was locked, so nobody else has changed it');
  ctx.audit(id, { photo: photo.id, use: wanted.use, price_cents: price, test });
  return {
    id,
    agent_id: agentId,
    operator_name: operatorName,
    photo_id: photo.id,
    use: wanted.use,
    price_cents: price,
    max_price_cents: String(wanted.maxPriceCents),
    test,
    sha256: photo.sha256,
    attribution_line: line,
    licensed_at: now,
    expires_at: expiresAt,
    transaction_id: transactionId,
    refunded_at: null,
  };
}
