import { allowTime, type Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Requirement } from '../../core/operation.ts';

/** The one switch that halts every booking. flip-kill-switch.ts throws it. */
export interface KillSwitch {
  on: boolean;
  /** Since when it stands as it does. */
  since: Date;
  reason: string | null;
}

export async function readKillSwitch(db: Db): Promise<KillSwitch> {
  const [row] = await db<KillSwitch[]>`select halted as on, since, reason from kill_switch`;
  if (row === undefined) throw new Error('The kill switch has no row.');
  return row;
}

/**
 * Whether bookings are halted, read in the transaction of an outbound action right before it. The switch stays as it is
 * until that transaction ends, so that nothing leaves once a flip has committed.
 */
export async function holdKillSwitch(db: Db): Promise<boolean> {
  // A flip waits for what is under way, and everybody behind it waits too: longer than a statement usually may.
  await allowTime(db, 60_000);
  const [row] = await db<{ halted: boolean }[]>`select hold_kill_switch() as halted`;
  return row?.halted ?? true;
}

/** The same for a transaction that only writes. */
export async function isHalted(db: Db): Promise<boolean> {
  const [row] = await db<{ halted: boolean }[]>`select read_kill_switch() as halted`;
  return row?.halted ?? true;
}

const HALT_RETRY_SECONDS = 300;

/** What begins something new is refused while bookings are halted. */
export const NOT_HALTED: Requirement = { code: 'bookings_halted', hold: ({ db }) => refuseWhenHalted(db) };

export async function refuseWhenHalted(db: Db): Promise<void> {
  if (!(await isHalted(db))) return;
  throw new AppError('bookings_halted', 'Bookings are halted at the moment. Nothing was changed.', {
    hint: 'Cancelling and reading bookings still work. Try again later.',
    retryAfterSeconds: HALT_RETRY_SECONDS,
  });
}
