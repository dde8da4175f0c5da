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
  recordFlipCompleted,
  recordFlipRequested,
  noteResumed,
  type Drill,
} from './kill-switch-drill.ts';
import { readKillSwitch } from './kill-switch.ts';

/** Periods before the flip and after its completion in which outbound actions are recorded. */
const WATCH_BEFORE_MS = 2_000;
const WATCH_AFTER_MS = 5_000;

export interface DrillParts {
  db: Db;
  inTransaction: InTransaction;
  clock: Clock;
  newId: NewId;
  staffId: string;
  say: (line: string) => void;
  stop: AbortSignal;
}

/** Runs a whole drill. */
export async function drillKillSwitch(parts: DrillParts): Promise<Drill> {
  return runBegunDrill(parts, await parts.inTransaction((tx) => beginDrill(tx, parts.staffId)));
}

/** Turns the kill switch on, records what is still sent, and turns it off again in every case. */
export async function runBegunDrill(parts: DrillParts, id: string): Promise<Drill> {
  const { db, say, stop } = parts;
  const reason = reasonOf(id);
  try {
    say('Recording what is sent to venues …');
    await pause(WATCH_BEFORE_MS, stop);
    if (stop.aborted)
      throw new AppError('invalid_move', 'The drill was cancelled before the switch was turned on.');
    say('Turning the switch on …');
    await halt(parts, id, reason);
    say('All bookings are halted. Checking what is still sent …');
    await pause(WATCH_AFTER_MS, stop);
  } finally {
    await finishDrill(parts, id);
  }
  const drill = await findLastDrill(db);
  if (drill?.id !== id)
    throw new AppError(
      'invalid_move',
      'Somebody else changed the switch during the drill, so there is no result.',
    );
  return drill;
}

/** Turns the switch off if the drill left it on, and ends the drill; also after the process that ran it has died. */
export async function finishDrill(parts: DrillParts, id: string): Promise<void> {
  await turnBack(parts, id, reasonOf(id));
  await parts.inTransaction((tx) => endDrill(tx, id));
}

function reasonOf(id: string): string {
  return `Kill switch drill ${id}: bookings resume in a few seconds.`;
}

async function halt(parts: DrillParts, id: string, reason: string): Promise<void> {
  const { inTransaction, staffId } = parts;
  await inTransaction((tx) => recordFlipRequested(tx, id));
  await inTransaction(async (tx) => {
    const ctx = contextOf(parts);
    const frozen = await flipKillSwitch(tx, ctx, { on: true, reason, staffId });
    if (frozen === undefined)
      throw new AppError(
        'bookings_halted',
        'Somebody else has halted bookings during the drill. The switch stays on.',
      );
    await recordAudit(tx, auditOf(parts, { on: true, reason }));
    await recordFlipCompleted(tx, id, frozen);
  });
}

/** Attempts to turn the switch off while the database is unavailable, because the switch must not stay on. */
const BACK_TRIES = 60;
const BACK_AGAIN_MS = 1_000;

/** Turns the switch off, but only if this drill turned it on. */
async function turnBack(parts: DrillParts, id: string, reason: string): Promise<void> {
  const { inTransaction, staffId, say } = parts;
  for (let tries = 1; ; tries++) {
    try {
      const turned = await inTransaction(async (tx) => {
        const current = await readKillSwitch(tx);
        if (!current.on || current.reason !== reason) return false;
        await noteResumed(tx, id);
        const endReason = `Drill ${id} is over.`;
        await flipKillSwitch(tx, contextOf(parts), { on: false, reason: endReason, staffId });
        await recordAudit(tx, auditOf(parts, { on: false, reason: endReason }));
        return true;
      });
      if (turned) say('The switch is off again: bookings resume.');
      return;
    } catch (thrown) {
      say(`The switch could not be turned off (attempt ${tries} of ${BACK_TRIES}).`);
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
