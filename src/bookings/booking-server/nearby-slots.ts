import type { TableRequest } from '../booking.ts';
import type { TableSlot } from './booking-server-shapes.ts';

const STEP_SEC = 15 * 60;
const STEPS = 6;

/** Returns the slots within 90 minutes before and after the requested one, in steps of 15 minutes: 13 including it. */
export function nearbySlots(slot: TableSlot, now: Date): TableSlot[] {
  const nowSec = Math.floor(now.getTime() / 1000);
  return Array.from({ length: 2 * STEPS + 1 }, (_, step) => ({
    ...slot,
    startSec: slot.startSec + (step - STEPS) * STEP_SEC,
  })).filter(({ startSec }) => startSec > nowSec);
}

/** Returns the slots of a window, in steps of 15 minutes, with both of its ends. */
export function windowSlots(first: TableSlot, lastSec: number): TableSlot[] {
  const between = Math.ceil((lastSec - first.startSec) / STEP_SEC);
  return [
    ...Array.from({ length: between }, (_, step) => ({
      ...first,
      startSec: first.startSec + step * STEP_SEC,
    })),
    { ...first, startSec: lastSec },
  ];
}

export function tableOf({ startSec, partySize }: TableSlot, timezone: string): TableRequest {
  const local = Temporal.Instant.fromEpochMilliseconds(startSec * 1000).toZonedDateTimeISO(timezone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
    partySize,
  };
}

/** Sorts by distance, because a guest most likely takes the nearest slot. */
export function nearestFirst(slots: readonly TableSlot[], { startSec }: TableSlot): TableSlot[] {
  const distance = (slot: TableSlot) => Math.abs(slot.startSec - startSec);
  return [...slots].sort((a, b) => distance(a) - distance(b) || a.startSec - b.startSec);
}
