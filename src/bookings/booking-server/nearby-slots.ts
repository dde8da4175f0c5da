import type { Table } from '../booking.ts';
import type { TableSlot } from './booking-server-shapes.ts';

const STEP_SEC = 15 * 60;
const STEPS = 6;

/** The times within an hour and a half before and after, at quarter hours from the one asked for: thirteen with it. */
export function nearbySlots(slot: TableSlot, now: Date): TableSlot[] {
  const nowSec = Math.floor(now.getTime() / 1000);
  return Array.from({ length: 2 * STEPS + 1 }, (_, step) => ({
    ...slot,
    startSec: slot.startSec + (step - STEPS) * STEP_SEC,
  })).filter(({ startSec }) => startSec > nowSec);
}

/** A slot as the venue's own clock shows it. */
export function tableOf({ startSec, partySize }: TableSlot, timezone: string): Table {
  const local = Temporal.Instant.fromEpochMilliseconds(startSec * 1000).toZonedDateTimeISO(timezone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
    partySize,
  };
}

/** The nearest first, because that is the one a guest most likely takes. */
export function nearestFirst(slots: readonly TableSlot[], { startSec }: TableSlot): TableSlot[] {
  const distance = (slot: TableSlot) => Math.abs(slot.startSec - startSec);
  return [...slots].sort((a, b) => distance(a) - distance(b) || a.startSec - b.startSec);
}
