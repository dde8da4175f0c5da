import { coalesce } from '../../core/memory/coalesce.ts';
import type { Pool } from '../../core/postgres/db.ts';
import { subjectsOf, type Attempt, type Standing } from '../sign-in/sign-in-lock.ts';
import type { DoorCount } from './closed-door.ts';
import { holdsTotp, newTotpSecret, recoveryHash, sealTotp } from './second-factor.ts';

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

/** What is known of an attempt before anything is counted or hashed for it. */
export interface Looked {
  account: Account | undefined;
  attempt: Attempt;
  /** When the door opens again for strangers; undefined when it is open. */
  strangersUntil: Date | undefined;
  /** Until when no code is looked at from the address: it tried too often while the door was closed. */
  addressUntil: Date | undefined;
}

type Tried = Omit<Attempt, 'standing'> & { code: string };

interface Found {
  account: Account | undefined;
  /** A recovery code that has not been used, and whose it is. */
  recoveryOf: string | undefined;
  locks: ReadonlyMap<string, Date>;
}

const BATCH_MAX = 1_000;
const STANDINGS: readonly Standing[] = ['stranger', 'second_factor'];

// Looked at where there is no such account, or none with a second factor, so that every answer takes the same time.
const NOBODY = { id: 'stf_00000000000000000000000000', totp_last_step: null };
const NOBODYS_SECRET = newTotpSecret();

/**
 * Looks at attempts to sign in, all that come at one moment in a few statements: however many strangers try, the
 * database has little to do, and nobody waits behind them for a connection.
 */
export class SignInLookup {
  readonly #key: Buffer;
  readonly #nobody: typeof NOBODY & { totp_secret: Buffer };
  readonly #closedDoor: DoorCount;
  readonly #find: (tried: Tried) => Promise<Found>;

  constructor(pool: Pool, key: Buffer, closedDoor: DoorCount) {
    this.#key = key;
    this.#closedDoor = closedDoor;
    this.#nobody = { ...NOBODY, totp_secret: sealTotp(key, NOBODY.id, NOBODYS_SECRET) };
    this.#find = coalesce((batch) => findAll(pool, batch), BATCH_MAX);
  }

  /**
   * Whose email it is, whether the code proves the second factor, and whether the door is open. It uses no code up. A code
   * that came with too many wrong passwords proves nothing any more, and from an address that sent too many none does.
   */
  async look(tried: Tried): Promise<Looked> {
    const { account, recoveryOf, locks } = await this.#find(tried);
    const enrolled =
      account?.totp_secret == null ? undefined : { ...account, totp_secret: account.totp_secret };
    const held = holdsTotp(this.#key, enrolled ?? this.#nobody, tried.code, tried.now);
    const proven = enrolled !== undefined && (held || recoveryOf === enrolled.id);
    const strangersUntil = latestLock({ ...tried, standing: 'stranger' }, locks);
    const addressUntil = strangersUntil && (await this.#closedDoor.take(tried.address, tried.now));
    const known: Attempt = { ...tried, standing: 'second_factor' };
    const isKnown = proven && addressUntil === undefined && latestLock(known, locks) === undefined;
    const attempt: Attempt = isKnown ? known : { ...tried, standing: 'stranger' };
    return { account, attempt, strangersUntil, addressUntil };
  }
}

function latestLock(attempt: Attempt, locks: Found['locks']): Date | undefined {
  const until = subjectsOf(attempt).map((subject) => locks.get(subject)?.getTime() ?? 0);
  const latest = Math.max(...until);
  return latest > attempt.now.getTime() ? new Date(latest) : undefined;
}

async function findAll(pool: Pool, batch: readonly Tried[]): Promise<Found[]> {
  const subjects = batch.map((tried) => STANDINGS.flatMap((standing) => subjectsOf({ ...tried, standing })));
  const codes = batch.map(({ code }) => recoveryHash(code)?.toString('hex'));
  const asked = codes.filter((code) => code !== undefined);
  const [accounts, locks, unused] = await Promise.all([
    pool<Account[]>`
      select id, email, password_hash, totp_secret, totp_last_step::float8 as totp_last_step from staff
      where email = any(${batch.map(({ email }) => email)}) and disabled_at is null`,
    pool<{ subject: string; locked_until: Date }[]>`
      select subject, locked_until from sign_in_attempt
      where subject = any(${[...new Set(subjects.flat())]}) and locked_until is not null`,
    asked.length === 0
      ? []
      : pool<{ staff_id: string; code: string }[]>`
          select staff_id, encode(code_hash, 'hex') as code from staff_recovery_code
          where code_hash = any(array(select decode(code, 'hex') from unnest(${asked}::text[]) code))
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
