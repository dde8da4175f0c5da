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
  photoAttribution,
  basePrice,
  findOfferedPhoto,
  requireLive,
  type LivePhoto,
} from './offered-photo.ts';
import { divide, priceAfter } from './price.ts';
import { quoteOf } from './quote.ts';
import { lastSeenSold, recordPriceViews } from './price-view.ts';
import { endOf, type Use } from './use.ts';

interface LicenceRequest {
  photoId: string;
  use: Use;
  maxPriceCents: number;
  idempotencyKey: string | undefined;
}

/**
 * Buys one use of one photo from the wallet, inside the transaction of the call. The wallet is locked first, so that
 * purchases of one agent are serialized, and then the photo, so that each buyer has their own step of the price ladder.
 * Nothing is charged for a refused purchase.
 */
export async function licensePhoto(
  ctx: Ctx,
  agentId: string,
  request: LicenceRequest,
): Promise<z.input<typeof licenceSchema>> {
  const { db, now } = ctx;
  const key = request.idempotencyKey;
  // Pipelined and executed in this order: the queries after the lock see the state under it.
  const [wallet, earlier, spent, operatorName] = await Promise.all([
    lockWallet(db, agentId),
    key === undefined ? undefined : findLicence(db, { agentId, idempotencyKey: key }),
    spentOn(db, agentId, now),
    operatorOf(ctx, agentId),
  ]);
  if (earlier !== undefined) return repeat(ctx, earlier, request, wallet, spent);
  const photo = requireLive(await findOfferedPhoto(db, request.photoId, { locked: true }), now);
  const price = priceAfter(basePrice(photo, request.use), photo.sold);
  if (price > request.maxPriceCents) throw await priceError(ctx, agentId, photo, request);
  const book = payingBook(ctx, wallet, price, photo, request.use);
  requireCap(now, spent, price);
  const licence = await sell(ctx, agentId, operatorName, photo, request, price, book);
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

/** Returns the earlier licence of an idempotency key, without a time limit; a different body is an error. */
async function repeat(
  ctx: Ctx,
  licence: Licence,
  request: LicenceRequest,
  wallet: WalletBalance,
  spentToday: number,
): Promise<z.input<typeof licenceSchema>> {
  const same =
    licence.photo_id === request.photoId &&
    licence.use === request.use &&
    Number(licence.max_price_cents) === request.maxPriceCents;
  if (!same)
    throw new AppError(
      'idempotency_key_reused',
      'This idempotency key was used for a licence with different arguments.',
      { hint: 'Use a new key for a new licence, and the same key only to repeat the same call.' },
    );
  const photo = await findOfferedPhoto(ctx.db, licence.photo_id);
  assert(photo !== undefined, 'photos with licences are never deleted');
  ctx.repeated();
  return licenceAnswer(ctx.deps, licence, { at: ctx.now, photo, wallet, spentToday });
}

/** Distinguishes a price that another buyer moved from one that this caller could have known. */
async function priceError(
  ctx: Ctx,
  agentId: string,
  photo: LivePhoto,
  request: LicenceRequest,
): Promise<AppError> {
  const { db, now } = ctx;
  const quote = quoteOf(ctx, photo, request.use);
  const soldWhenSeen = await lastSeenSold(db, agentId, photo, request.use, now);
  const wasWithin =
    soldWhenSeen !== undefined &&
    priceAfter(basePrice(photo, request.use), soldWhenSeen) <= request.maxPriceCents;
  // This transaction will be rolled back, but the price that the buyer has seen must be recorded.
  ctx.note((tx) => recordPriceViews(tx, agentId, [photo], request.use, now));
  const detail = `it now costs ${quote.price_cents} cents and your maximum is ${request.maxPriceCents}. Nothing was charged.`;
  return wasWithin
    ? new AppError('price_moved', `Another buyer's licence raised the price: ${detail}`, {
        hint: 'Ask the person you buy for, and repeat the call with a higher max_price_cents.',
        members: { result: 'price_moved', quote },
      })
    : new AppError('price_above_max', `The price is above your maximum: ${detail}`, {
        hint: `Ask the person you buy for, and send max_price_cents of at least ${quote.price_cents}; or choose another use or photo.`,
        members: { quote },
      });
}

/** Chooses money, else test credit where payments are tests and the picture was drawn for the demonstration. */
function payingBook(ctx: Ctx, wallet: WalletBalance, price: number, photo: LivePhoto, use: Use): Book {
  if (wallet.money >= price) return 'money';
  const testing = paymentsOf(ctx.deps) === 'test';
  if (testing && wallet.test >= price && !photo.generated)
    throw new AppError(
      'insufficient_funds',
      "Test credit cannot license a real photographer's file, and the wallet has too little money. Nothing was charged.",
      {
        hint: 'Only pictures drawn for the demonstration can be licensed with test credit: "checked_by_person" is false in their search results.',
        members: { balance: balanceOf(wallet), quote: quoteOf(ctx, photo, use) },
      },
    );
  if (testing && wallet.test >= price) return 'test';
  const available = testing && wallet.test > wallet.money ? wallet.test : wallet.money;
  throw new AppError(
    'insufficient_funds',
    `The licence costs ${price} cents, and the wallet has ${available}. Nothing was charged.`,
    {
      hint: 'Get a checkout link with POST /api/agent/photos/topup and have a person pay there.',
      members: { balance: balanceOf(wallet), quote: quoteOf(ctx, photo, use) },
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
    `This would exceed the ${DAILY_CAP_CENTS / 100} USD that an agent may spend on photos in a UTC day. Nothing was charged.`,
    {
      hint: `${DAILY_CAP_CENTS - spent} cents are left today; the day ends at ${resetsAt}.`,
      members: { spent_today_cents: spent, cap_cents: DAILY_CAP_CENTS, resets_at: resetsAt },
    },
  );
}

/** Sells one step of the price ladder: payment and licence. The constraints refuse either without the other. */
async function sell(
  ctx: Ctx,
  agentId: string,
  operatorName: string,
  photo: LivePhoto,
  request: LicenceRequest,
  price: number,
  book: Book,
): Promise<Licence> {
  const { db, deps, now } = ctx;
  const id = ctx.newId('lic');
  const { photographer, platform } = divide(price, deps.config.platformSharePercent);
  const line = photoAttribution(photo, deps.config.serviceName);
  const expiresAt = endOf(request.use, now);
  const test = book === 'test';
  const number = photo.sold + 1;
  const transactionId = ctx.newId('ltx');
  // Pipelined, because others wait for the lock on this photo; the first failure rolls all of them back.
  const [updated] = await Promise.all([
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
      values (${id}, ${agentId}, ${photo.id}, ${photo.drop_number}, ${number}, ${request.use}, ${price},
              ${request.maxPriceCents}, ${test}, ${request.idempotencyKey ?? null}, ${photo.sha256}, ${line}, ${now},
              ${expiresAt}, ${transactionId})`.execute(),
    // The response includes the next price, so that this buyer's own licence never counts as another buyer's.
    recordPriceViews(db, agentId, [{ ...photo, sold: number }], request.use, now),
  ]);
  assert(updated[0]?.sold === number, 'the photo was locked, so nobody else has changed it');
  ctx.audit(id, { photo: photo.id, use: request.use, price_cents: price, test });
  return {
    id,
    agent_id: agentId,
    operator_name: operatorName,
    photo_id: photo.id,
    use: request.use,
    price_cents: price,
    max_price_cents: String(request.maxPriceCents),
    test,
    sha256: photo.sha256,
    attribution_line: line,
    licensed_at: now,
    expires_at: expiresAt,
    transaction_id: transactionId,
    refunded_at: null,
  };
}
