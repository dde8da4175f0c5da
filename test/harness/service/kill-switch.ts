import { flipKillSwitch } from '../../../src/bookings/kill-switch/flip-kill-switch.ts';
import type { Deps } from '../../../src/core/context.ts';
import { transactionsOf } from '../../../src/core/postgres/db.ts';

/** Halts all bookings or lets them go on, as a lead does on the page; gives how many stand still or go on. */
export function flipSwitch(
  deps: Deps,
  flip: { on: boolean; reason: string; staffId: string },
): Promise<number | undefined> {
  const ctx = { now: deps.clock.now(), newId: deps.newId };
  return transactionsOf(deps.pool)((tx) => flipKillSwitch(tx, ctx, flip));
}
