import { coalesce } from '../../core/memory/coalesce.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { subjectsOf, type Attempt, type AttemptTrust } from '../sign-in/sign-in-lock.ts';
import type { AttemptCounter } from './locked-account-limiter.ts';
import { isValidTotp, newTotpSecret, recoveryHash, sealTotp } from './second-factor.ts';

declare module '../../core/context.ts' {
  interface Deps {
    signInLookup: SignInLookup;
  }
}

export interface Account {
  id: string;
  email: string;
  password_hash: string;
  totp_secret: Buffer | null;
  totp_last_step: number | null;
}

export interface LookedUpAttempt {
  account: Account | undefined;
  attempt: Attempt;
  strangersLockedUntil: Date | undefined;
  /** Time until which no code from the address is checked, because it tried too often during the lock. */
  addressLockedUntil: Date | undefined;
}

type UncheckedAttempt = Omit<Attempt, 'trust'> & { code: string };

interface LookupResult {
  account: Account | undefined;
  recoveryOf: string | undefined;
  locks: ReadonlyMap<string, Date>;
}

const BATCH_MAX = 1_000;
const TRUST_LEVELS: readonly AttemptTrust[] = ['stranger', 'second_factor'];

// Checked when there is no such account, or none with a second factor, so that every response takes the same time.
const NOBODY = { id: 'stf_00000000000000000000000000', totp_last_step: null };
const NOBODYS_SECRET = newTotpSecret();

/** Looks up sign-in attempts in batches, so that many strangers neither load the database nor delay others. */
export class SignInLookup {
  readonly #key: Buffer;
  readonly #nobody: typeof NOBODY & { totp_secret: Buffer };
  readonly #lockedLimiter: AttemptCounter;
  readonly #find: (tried: UncheckedAttempt) => Promise<LookupResult>;

  constructor(pool: Pool, key: Buffer, lockedLimiter: AttemptCounter) {
    this.#key = key;
    this.#lockedLimiter = lockedLimiter;
    this.#nobody = { ...NOBODY, totp_secret: sealTotp(key, NOBODY.id, NOBODYS_SECRET) };
    this.#find = coalesce((batch) => findAll(pool, batch), BATCH_MAX);
  }

  /** Finds account, second factor and locks; redeems nothing. Codes prove nothing after too many wrong passwords. */
  async lookUp(tried: UncheckedAttempt): Promise<LookedUpAttempt> {
    const { account, recoveryOf, locks } = await this.#find(tried);
    const enrolled =
      account?.totp_secret == null ? undefined : { ...account, totp_secret: account.totp_secret };
    const validTotp = isValidTotp(this.#key, enrolled ?? this.#nobody, tried.code, tried.now);
    const proven = enrolled !== undefined && (validTotp || recoveryOf === enrolled.id);
    const strangersLockedUntil = latestLock({ ...tried, trust: 'stranger' }, locks);
    const addressLockedUntil =
      strangersLockedUntil && (await this.#lockedLimiter.take(tried.address, tried.now));
    const trusted: Attempt = { ...tried, trust: 'second_factor' };
    const isTrusted = proven && addressLockedUntil === undefined && latestLock(trusted, locks) === undefined;
    const attempt: Attempt = isTrusted ? trusted : { ...tried, trust: 'stranger' };
    return { account, attempt, strangersLockedUntil, addressLockedUntil };
  }
}

function latestLock(attempt: Attempt, locks: LookupResult['locks']): Date | undefined {
  const until = subjectsOf(attempt).map((subject) => locks.get(subject)?.getTime() ?? 0);
  const latest = Math.max(...until);
  return latest > attempt.now.getTime() ? new Date(latest) : undefined;
}

async function findAll(pool: Pool, batch: readonly UncheckedAttempt[]): Promise<LookupResult[]> {
  const subjects = batch.map((tried) => TRUST_LEVELS.flatMap((trust) => subjectsOf({ ...tried, trust })));
  const codes = batch.map(({ code }) => recoveryHash(code)?.toString('hex'));
  const enteredCodes = codes.filter((code) => code !== undefined);
  const [accounts, locks, unused] = await Promise.all([
    pool<Account[]>`
      select id, email, password_hash, totp_secret, totp_last_step::float8 as totp_last_step from staff
      where email = any(${batch.map(({ email }) => email)}) and disabled_at is null`,
    pool<{ subject: string; locked_until: Date }[]>`
      select subject, locked_until from sign_in_attempt
      where subject = any(${[...new Set(subjects.flat())]}) and locked_until is not null`,
    enteredCodes.length === 0
      ? []
      : pool<{ staff_id: string; code: string }[]>`
          select staff_id, encode(code_hash, 'hex') as code from staff_recovery_code
          where code_hash = any(array(select decode(code, 'hex') from unnest(${enteredCodes}::text[]) code))
            and used_at is null`,
  ]);
  const byEmail = new Map(accounts.map((account) => [account.email, account]));
  const lockedUntil = new Map(locks.map(({ subject, locked_until }) => [subject, locked_until]));
  const holders = new Map(unused.map(({ code, staff_id }) => [code, staff_id]));
  return batch.map(({ email }, i) => ({
    account: byEmail.get(email),
    recoveryOf: holders.get(codes[i] ?? ''),
    locks: lockedUntil,
  }));
}
