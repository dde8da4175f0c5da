import type { BookingStatus, BookingMover } from './booking.ts';

/**
 * Condition of a move. held: an earlier confirmed table remains. frozen: the booking was halted. undo: the
 * venue takes its answer back within two minutes. removed: the listing was removed, because it was never a
 * real place. choice: the choice that the booking belongs to is over. waits: the guest waits for a free table.
 */
export type MoveCondition = 'held' | 'frozen' | 'undo' | 'removed' | 'choice' | 'waits';

export interface Move {
  from: BookingStatus | null;
  to: BookingStatus;
  by: readonly BookingMover[];
  only?: MoveCondition;
}

export const MOVES: readonly Move[] = [
  { from: null, to: 'sent', by: ['partner'] },
  { from: 'sent', to: 'asking', by: ['service'] },
  { from: 'sent', to: 'cancelled', by: ['partner', 'service'] },
  { from: 'asking', to: 'offered', by: ['venue', 'desk', 'venue_system'] },
  { from: 'asking', to: 'confirmed', by: ['venue', 'desk', 'venue_system'] },
  { from: 'asking', to: 'declined', by: ['venue', 'desk', 'venue_system'] },
  { from: 'asking', to: 'no_answer', by: ['service'] },
  { from: 'asking', to: 'cancelled', by: ['partner'] },
  { from: 'offered', to: 'confirmed', by: ['partner'] },
  { from: 'offered', to: 'asking', by: ['partner'] },
  { from: 'offered', to: 'declined', by: ['venue', 'venue_system'] },
  { from: 'offered', to: 'cancelled', by: ['partner', 'service'] },
  { from: 'confirmed', to: 'asking', by: ['partner'] },
  { from: 'confirmed', to: 'cancelled', by: ['partner', 'venue', 'desk', 'venue_system'] },
  // After an unanswered change, or a lapsed offer for it, the table that the venue promised remains.
  { from: 'asking', to: 'confirmed', by: ['service'], only: 'held' },
  { from: 'offered', to: 'confirmed', by: ['venue', 'desk', 'venue_system', 'service'], only: 'held' },
  // After a halt, the table may be too near to ask for.
  { from: 'asking', to: 'cancelled', by: ['service'], only: 'frozen' },
  { from: 'asking', to: 'cancelled', by: ['service'], only: 'removed' },
  { from: 'asking', to: 'cancelled', by: ['service'], only: 'choice' },
  // The venue was full, and no table became free in time; or it can no longer offer one.
  { from: 'asking', to: 'declined', by: ['service'], only: 'waits' },
  { from: 'asking', to: 'cancelled', by: ['service'], only: 'waits' },
  { from: 'confirmed', to: 'cancelled', by: ['service'], only: 'removed' },
  { from: 'confirmed', to: 'asking', by: ['venue', 'desk'], only: 'undo' },
  { from: 'offered', to: 'asking', by: ['venue', 'desk'], only: 'undo' },
  { from: 'declined', to: 'asking', by: ['venue', 'desk'], only: 'undo' },
];

export function mayMoveBooking(
  from: BookingStatus | null,
  to: BookingStatus,
  by: BookingMover,
  conditions: readonly MoveCondition[] = [],
): boolean {
  return MOVES.some(
    (move) =>
      move.from === from &&
      move.to === to &&
      move.by.includes(by) &&
      (move.only === undefined || conditions.includes(move.only)),
  );
}

/** True while a request is not decided. */
export function isOpen(status: BookingStatus): boolean {
  return status === 'sent' || status === 'asking' || status === 'offered';
}

export function isFinal(status: BookingStatus): boolean {
  return !MOVES.some(({ from, only }) => from === status && only === undefined);
}
