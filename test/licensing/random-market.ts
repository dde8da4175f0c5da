import type { Ctx } from '../../src/core/context.ts';
import { connect, type Db, type Pool } from '../../src/core/postgres/db.ts';
import { AppError } from '../../src/core/errors.ts';
import { addressGroup } from '../../src/core/text/address-group.ts';
import { licensePhoto } from '../../src/licensing/license-photo.ts';
import { refundLicence } from '../../src/licensing/refund-licence.ts';
import { bookRefunds, noteRefund } from '../../src/wallet/pay-back.ts';
import { creditTopUp, openTopUp } from '../../src/wallet/top-up.ts';
import { signUpAgent, type TestService } from '../harness/service/service.ts';
import { Crashed, inCrashingTransaction, type Crash } from './crashing-sql.ts';
import { addMadeMember, addMadePhoto } from './made-photo.ts';

/** Of a hundred steps, how many crash, and how many of these because the connection is ended. */
export interface Crashes {
  inHundred: number;
  kills: number;
}

const AGENTS = 8;
const PHOTOS = 12;

interface Purchase {
  agentId: string;
  key: string;
  photoId: string;
  max: number;
}

/** Numbers that look like chance and are the same in every run. */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Agents, photographers and a payment provider that do anything at any moment, and crash while they do. */
export class RandomMarket {
  readonly counts: Record<string, number> = {};
  /** The answer to each idempotency key of an agent: a repeat must get the same. */
  readonly sold = new Map<string, string>();
  readonly #service: TestService;
  readonly #killer: Pool;
  readonly #random: (below: number) => number;
  readonly #crashes: Crashes;
  readonly #agents: string[] = [];
  readonly #members: string[] = [];
  readonly #photos: string[] = [];
  readonly #purchases: Purchase[] = [];
  readonly #payments: { topUpId: string; reference: string; cents: number; refunded: number }[] = [];
  #serial = 0;

  private constructor(service: TestService, seed: number, crashes: Crashes) {
    this.#service = service;
    this.#crashes = crashes;
    this.#random = chance(seed);
    this.#killer = connect(service.database.url, { max: 1, statementTimeoutMs: 15_000 });
  }

  static async open(service: TestService, seed: number, crashes: Crashes): Promise<RandomMarket> {
    const market = new RandomMarket(service, seed, crashes);
    const { pool } = service.database;
    for (let n = 0; n < AGENTS; n++) market.#agents.push((await signUpAgent(service)).agentId);
    for (let n = 0; n < 3; n++) market.#members.push(await addMadeMember(pool, service.clock, `Member ${n}`));
    for (let n = 0; n < PHOTOS; n++) await market.#offer(n);
    return market;
  }

  close(): Promise<void> {
    return this.#killer.end({ timeout: 1 });
  }

  /** One random thing. What is refused is refused; anything that is neither that nor a crash is a defect. */
  async step(): Promise<void> {
    const crash = this.#crash();
    const what = this.#random(100);
    const [name, work] =
      what < 12
        ? (['top up', () => this.#topUp(crash)] as const)
        : what < 17
          ? (['pay again', () => this.#payAgain(crash)] as const)
          : what < 67
            ? (['license', () => this.#license(this.#newPurchase(), crash)] as const)
            : what < 82
              ? (['retry', () => this.#license(this.#pick(this.#purchases), crash)] as const)
              : what < 91
                ? (['refund', () => this.#refund(crash)] as const)
                : what < 97
                  ? (['provider refunds', () => this.#payBack(crash)] as const)
                  : (['new drop', () => this.#offer(this.#random(PHOTOS))] as const);
    const outcome = await work().then(
      () => 'done',
      (thrown: unknown) => outcomeOf(thrown),
    );
    const label = `${name}: ${outcome}`;
    this.counts[label] = (this.counts[label] ?? 0) + 1;
  }

  async #license(purchase: Purchase | undefined, crash: Crash): Promise<void> {
    if (purchase === undefined) return;
    const { agentId, key, photoId, max } = purchase;
    const answer = await this.#transact(crash, (ctx) =>
      licensePhoto(ctx, agentId, { photoId, use: 'social', maxPriceCents: max, idempotencyKey: key }),
    );
    const before = this.sold.get(`${agentId} ${key}`);
    if (before !== undefined && before !== answer.license_id)
      throw new Error(`${key} gave ${before} and then ${answer.license_id}`);
    this.sold.set(`${agentId} ${key}`, answer.license_id);
  }

  #newPurchase(): Purchase {
    const agentId = this.#pick(this.#agents) ?? '';
    const photoId = this.#pick(this.#photos) ?? '';
    const purchase = { agentId, key: `key-${this.#serial++}`, photoId, max: 50 + this.#random(400) };
    this.#purchases.push(purchase);
    return purchase;
  }

  async #topUp(crash: Crash): Promise<void> {
    const cents = 500 + this.#random(1_500);
    const agentId = this.#pick(this.#agents) ?? '';
    const test = this.#random(4) === 0;
    const reference = `cs_${this.#serial++}`;
    const topUpId = await this.#transact(undefined, async ({ db, newId, now }) => {
      return (await openTopUp(db, { newId, now }, agentId, cents)).id;
    });
    if (!test) this.#payments.push({ topUpId, reference, cents, refunded: 0 });
    await this.#transact(crash, async ({ db, newId, now }) => {
      const payment = { reference, book: test ? 'test' : 'money', amountCents: cents } as const;
      const intent = test ? {} : { paymentIntent: `pi_${reference}` };
      await creditTopUp(db, { newId, now }, topUpId, { ...payment, ...intent });
    });
  }

  async #payAgain(crash: Crash): Promise<void> {
    const payment = this.#pick(this.#payments);
    if (payment === undefined) return;
    const { topUpId, reference, cents } = payment;
    await this.#transact(crash, async ({ db, newId, now }) => {
      const paymentIntent = `pi_${reference}`;
      await creditTopUp(db, { newId, now }, topUpId, {
        reference,
        book: 'money',
        amountCents: cents,
        paymentIntent,
      });
      await bookRefunds(db, { newId, now }, paymentIntent);
    });
  }

  async #payBack(crash: Crash): Promise<void> {
    const payment = this.#pick(this.#payments);
    if (payment === undefined) return;
    payment.refunded = Math.min(payment.cents, payment.refunded + 1 + this.#random(payment.cents));
    await this.#transact(crash, async ({ db, newId, now }) => {
      await noteRefund(db, `pi_${payment.reference}`, payment.refunded, now);
      await bookRefunds(db, { newId, now }, `pi_${payment.reference}`);
    });
  }

  async #refund(crash: Crash): Promise<void> {
    const licenceId = this.#pick([...this.sold.values()]);
    if (licenceId === undefined) return;
    await this.#transact(crash, ({ db, newId, now }) => refundLicence(db, { newId, now }, licenceId));
  }

  async #offer(at: number): Promise<void> {
    const { database, clock } = this.#service;
    const prices = { social: 20 + this.#random(100) };
    const memberId = this.#pick(this.#members) ?? '';
    this.#photos[at] = await addMadePhoto(database.pool, clock, { memberId, prices, cap: 10 });
  }

  #transact<T>(crash: Crash, work: (ctx: Ctx) => Promise<T>): Promise<T> {
    const { deps } = this.#service.app;
    const { newId, log } = deps;
    const nothing = () => undefined;
    return inCrashingTransaction(deps.pool, this.#killer, crash, (db: Db) =>
      work({
        deps,
        db,
        newId,
        log,
        now: deps.clock.now(),
        actor: { kind: 'anonymous', address: addressGroup('') },
        headers: {},
        repeated: nothing,
        invalidateKeyCaches: nothing,
        afterCommit: nothing,
        note: nothing,
        audit: nothing,
      }),
    );
  }

  #crash(): Crash {
    const what = this.#random(100);
    if (what >= this.#crashes.inHundred) return undefined;
    return { at: this.#random(9), how: what < this.#crashes.kills ? 'kill' : 'abort' };
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#random(list.length)];
  }
}

function outcomeOf(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.code;
  if (thrown instanceof Crashed) return 'crashed';
  const { code = '' } = (thrown ?? {}) as { code?: string };
  if (/^(57P01|CONNECTION_(CLOSED|ENDED)|COMMIT_UNKNOWN|ECONNRESET|EPIPE)$/.test(code)) return 'killed';
  throw thrown;
}
