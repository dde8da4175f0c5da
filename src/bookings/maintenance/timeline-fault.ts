import type { BookingStatus } from '../booking.ts';
import { hashEntry, type SealedEntry } from '../timeline.ts';

export interface TimelineFault {
  sequence: number;
  what: string;
}

/** A stored entry. `at` is null when our clock cannot have written its timestamp. */
export type StoredEntry = Omit<SealedEntry, 'at'> & { at: Date | null };

export const NO_BOOKING = 'its booking does not exist';

/** Returns the first fault between a booking and its entries, which must be in order. */
export function timelineFault(
  { status, lastSequence }: { status: BookingStatus; lastSequence: number },
  entries: readonly StoredEntry[],
): TimelineFault | undefined {
  const fault = chainFault(entries);
  if (fault !== undefined) return fault;
  const last = entries.at(-1);
  if (last === undefined || last.sequence < lastSequence)
    return { sequence: entries.length + 1, what: 'it is missing' };
  if (last.sequence > lastSequence)
    return { sequence: lastSequence + 1, what: `the booking's last entry should be ${lastSequence}` };
  if (last.to !== status)
    return { sequence: last.sequence, what: `its status is ${last.to}, but the booking is ${status}` };
  return undefined;
}

export function chainFault(entries: readonly StoredEntry[]): TimelineFault | undefined {
  let before: StoredEntry | undefined;
  for (const entry of entries) {
    const { sequence, from, at } = entry;
    const expected = (before?.sequence ?? 0) + 1;
    if (sequence > expected) return { sequence: expected, what: 'it is missing' };
    if (sequence < expected) return { sequence, what: 'there is no such number' };
    if (at === null || entry.hash !== hashEntry(entry.bookingId, { ...entry, at }, before?.hash))
      return { sequence, what: 'its hash does not match its content and the previous entry' };
    if (from !== (before?.to ?? null))
      return {
        sequence,
        what: `its previous status is ${from ?? 'none'}, but the entry before has ${before?.to ?? 'none'}`,
      };
    before = entry;
  }
  return undefined;
}
