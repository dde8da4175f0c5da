import { setStatementTimeout, type Db } from '../../core/postgres/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Requirement } from '../../core/operation.ts';

/** The switch that halts all bookings. Only flip-kill-switch.ts changes it. */
export interface KillSwitch {
  on: boolean;
  since: Date;
  reason: string | null;
}

export async function readKillSwitch(db: Db): Promise<KillSwitch> {
  const [row] = await db<KillSwitch[]>`select halted as on, since, reason from kill_switch`;
  if (row === undefined) throw new Error('The row of the kill switch is missing.');
  return row;
}

/** Returns whether bookings are halted, and locks the switch. Call it right before an outbound action. */
export async function holdKillSwitch(db: Db): Promise<boolean> {
  // A flip waits for running actions, so this may exceed the usual statement timeout.
  await setStatementTimeout(db, 60_000);
  const [row] = await db<{ halted: boolean }[]>`select hold_kill_switch() as halted`;
  return row?.halted ?? true;
}

/** Returns whether bookings are halted, for a transaction that only writes. */
export async function isHalted(db: Db): Promise<boolean> {
  const [row] = await db<{ halted: boolean }[]>`select read_kill_switch() as halted`;
  return row?.halted ?? true;
}

const HALT_RETRY_SECONDS = 300;

export const NOT_HALTED: Requirement = { code: 'bookings_halted', assert: ({ db }) => refuseWhenHalted(db) };

export async function refuseWhenHalted(db: Db): Promise<void> {
  if (!(await isHalted(db))) return;
  throw new AppError('bookings_halted', 'Bookings are halted at the moment. Nothing was changed.', {
    hint: 'Cancelling and reading bookings still work. Try again later.',
    retryAfterSeconds: HALT_RETRY_SECONDS,
  });
}
