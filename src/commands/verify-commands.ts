import { checkAllTimelines } from '../bookings/maintenance/check-timelines.ts';
import { systemClock } from '../core/clock.ts';
import type { Pool } from '../core/postgres/db.ts';
import { createProgress } from '../core/progress.ts';
import { formatCount } from '../core/text/format-count.ts';
import { ledgerLines, verifyLedger } from '../ledger/verify-ledger.ts';

type Say = (line: string) => void;

export async function ledgerCommand(pool: Pool, say: Say): Promise<string | undefined> {
  const findings = await verifyLedger(pool);
  for (const line of ledgerLines(findings)) say(line);
  return findings.faults.length > 0 ? 'The ledger is inconsistent.' : undefined;
}

/** Checks the timeline of every booking and prints each broken one as soon as it is found. */
export async function timelinesCommand(pool: Pool, say: Say): Promise<string | undefined> {
  const { bookings, entries, broken } = await checkAllTimelines(pool, {
    clock: systemClock,
    progress: createProgress(process.stdout, 'Timelines'),
    found: ({ booking_id, sequence, what }) => {
      // On a terminal the progress bar occupies the current line.
      say(`${process.stdout.isTTY ? '\n' : ''}  ${booking_id}, entry ${sequence}: ${what}`);
    },
  });
  say(`${formatCount(bookings, 'booking')} with ${formatCount(entries, 'entry', 'entries')} checked.`);
  if (broken > 0) return `${formatCount(broken, 'timeline is', 'timelines are')} broken.`;
  say(
    'All timelines are consistent: no entry is missing or was changed, and the status of every booking matches its last entry.',
  );
  return undefined;
}
