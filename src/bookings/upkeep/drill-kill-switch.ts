import { setTimeout as pauseFor } from 'node:timers/promises';
import { recordAudit } from '../../core/audit.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { NewId } from '../../core/ids.ts';
import type { Db, InTransaction } from '../../core/postgres/db.ts';
import { flipKillSwitch } from './flip-kill-switch.ts';
import {
  beginDrill,
  endDrill,
  findLastDrill,
  noteAnswered,
  noteAsked,
  noteResumed,
  type Drill,
} from './kill-switch-drill.ts';
import { readKillSwitch } from './kill-switch.ts';

/** What leaves is noted for so long before the flip, and looked for so long after its answer. */
const WATCH_BEFORE_MS = 2_000;
const WATCH_AFTER_MS = 5_000;
/** A database that is lost in the middle is waited for: the switch must not stay on. */
const BACK_TRIES = 60;
const BACK_AGAIN_MS = 1_000;

export interface DrillParts {
  db: Db;
  inTransaction: InTransaction;
  clock: Clock;
  newId: NewId;
  staffId: string;
  say: (line: string) => void;
  /** Ends the watching early. The switch is turned back all the same. */
  stop: AbortSignal;
}

/** Throws the kill switch on the running service, looks at what still leaves, and turns it back, whatever happens. */
export async function drillKillSwitch(parts: DrillParts): Promise<Drill> {
  const { db, inTransaction, say, stop } = parts;
  const id = await inTransaction((tx) => beginDrill(tx, parts.staffId));
  const reason = `Drill ${id} of the switch: bookings go on in a few seconds.`;
  try {
    say('Noting what leaves for venues …');
    await pause(WATCH_BEFORE_MS, stop);
    if (stop.aborted)
      throw new AppError('invalid_move', 'The drill was called off before the switch was thrown.');
    say('Throwing the switch …');
    await halt(parts, id, reason);
    say('All bookings are halted. Looking for what still leaves …');
    await pause(WATCH_AFTER_MS, stop);
  } finally {
    await turnBack(parts, id, reason);
    await inTransaction((tx) => endDrill(tx, id));
  }
  const drill = await findLastDrill(db);
  if (drill?.id !== id)
    throw new AppError(
      'invalid_move',
      'Somebody else moved the switch meanwhile, so the drill shows nothing.',
    );
  return drill;
}

async function halt(parts: DrillParts, id: string, reason: string): Promise<void> {
  const { inTransaction, staffId } = parts;
  await inTransaction((tx) => noteAsked(tx, id));
  await inTransaction(async (tx) => {
    const ctx = contextOf(parts);
    const frozen = await flipKillSwitch(tx, ctx, { on: true, reason, staffId });
    if (frozen === undefined)
      throw new AppError(
        'bookings_halted',
        'Somebody has halted bookings meanwhile. The switch stays as they left it.',
      );
    await recordAudit(tx, auditOf(parts, { on: true, reason }));
    await noteAnswered(tx, id, frozen);
  });
}

/** Turns back what this drill has thrown, and nothing that somebody else has. */
async function turnBack(parts: DrillParts, id: string, reason: string): Promise<void> {
  const { inTransaction, staffId, say } = parts;
  for (let tries = 1; ; tries++) {
    try {
      const back = await inTransaction(async (tx) => {
        const held = await readKillSwitch(tx);
        if (!held.on || held.reason !== reason) return false;
        await noteResumed(tx, id);
        const why = `Drill ${id} is over.`;
        await flipKillSwitch(tx, contextOf(parts), { on: false, reason: why, staffId });
        await recordAudit(tx, auditOf(parts, { on: false, reason: why }));
        return true;
      });
      if (back) say('The switch is off again: bookings go on.');
      return;
    } catch (thrown) {
      say(`The switch could not be turned back (attempt ${tries} of ${BACK_TRIES}).`);
      if (tries === BACK_TRIES) {
        say('BOOKINGS MAY STILL BE HALTED. Turn the switch off at /console/kill-switch.');
        throw thrown;
      }
      await pauseFor(BACK_AGAIN_MS);
    }
  }
}

function contextOf({ clock, newId }: DrillParts) {
  return { now: clock.now(), newId };
}

function auditOf({ clock, newId, staffId }: DrillParts, detail: { on: boolean; reason: string }) {
  return {
    at: clock.now(),
    actor: staffId,
    operation: 'flip_kill_switch',
    requestId: newId('req'),
    subject: 'kill_switch',
    detail,
  };
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await pauseFor(ms, undefined, { signal: stop }).catch(() => undefined);
}
