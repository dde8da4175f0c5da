import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { NewId } from '../../core/ids.ts';
import type { Db, InTransaction } from '../../core/postgres/db.ts';
import { drillKillSwitch } from './drill-kill-switch.ts';
import { drillFindings, drillPassed, drillVerdict } from './drill-report.ts';

interface Parts {
  db: Db;
  inTransaction: InTransaction;
  clock: Clock;
  newId: NewId;
  say: (line: string) => void;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `drill kill-switch --staff EMAIL --yes`. Returns true when the switch worked. */
export async function drillCommand(
  parts: Parts,
  options: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const staffId = await leadOf(parts.db, options['staff']);
  if (options['yes'] === undefined)
    throw new AppError(
      'validation_failed',
      'The drill halts all bookings for about six seconds. Add --yes if that is what you want.',
    );
  const stop = new AbortController();
  const onSignal = () => {
    parts.say('The switch is turned off first.');
    stop.abort();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  try {
    const drill = await drillKillSwitch({ ...parts, staffId, stop: stop.signal });
    for (const { label, words } of drillFindings(drill)) parts.say(`${label}: ${words}`);
    parts.say(drillVerdict(drill));
    return drillPassed(drill);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  }
}

/** Returns the id of a lead: only leads may flip the switch in the console, so only they may drill it. */
async function leadOf(db: Db, email: string | undefined): Promise<string> {
  const [staff] = await db<{ id: string }[]>`
    select id from staff where email = ${email?.toLowerCase() ?? ''} and role = 'lead'`;
  if (staff === undefined)
    throw new AppError(
      'validation_failed',
      '--staff must be the email address of a lead: the audit log records who turned the switch on.',
    );
  return staff.id;
}
