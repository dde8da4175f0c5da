import { drillKillSwitch, type DrillParts } from '../../../src/bookings/kill-switch/drill-kill-switch.ts';
import type { Drill } from '../../../src/bookings/kill-switch/kill-switch-drill.ts';
import { transactionsOf } from '../../../src/core/postgres/db.ts';
import type { TestService } from './service.ts';

/** Runs a drill as the command does, by the clock of the test. */
export function runDrill(
  { app: { deps } }: TestService,
  staffId: string,
  { say = () => undefined, stop = new AbortController().signal }: Partial<DrillParts> = {},
): Promise<Drill> {
  const { pool, clock, newId } = deps;
  return drillKillSwitch({ db: pool, inTransaction: transactionsOf(pool), clock, newId, staffId, say, stop });
}
