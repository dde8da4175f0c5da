import { MINUTE_MS } from '../../core/time.ts';
import { isOpen } from '../moves.ts';
import type { Choice, ChoiceBooking } from './choice.ts';

type NextVenue =
  | { kind: 'ask'; position: number }
  | { kind: 'withdraw'; bookingIds: readonly string[] }
  | { kind: 'wait'; until: Date }
  | { kind: 'nothing' };

interface ChoiceState {
  choice: Choice;
  bookings: readonly ChoiceBooking[];
  halted: boolean;
  now: Date;
}

/**
 * Decides the next step of a choice: the next venue has its turn once the one before said no, offered what the partner
 * declined, or was silent for too long. Pure function.
 */
export function nextVenue({ choice, bookings, halted, now }: ChoiceState): NextVenue {
  const { turns, placeIds, endedAt, answerWithinMinutes } = choice;
  const open = bookings.filter(({ status, hasTable }) => isOpen(status) && !hasTable);
  if (endedAt !== null || bookings.some(({ hasTable }) => hasTable))
    return open.length === 0
      ? { kind: 'nothing' }
      : { kind: 'withdraw', bookingIds: open.map(({ id }) => id) };
  if (halted || turns >= placeIds.length) return { kind: 'nothing' };
  const next = { kind: 'ask', position: turns + 1 } as const;
  const last = bookings.at(-1);
  if (last === undefined || !isOpen(last.status)) return next;
  // The partner decides about an offer. Before the venue was asked, its own job goes on.
  if (last.status === 'offered' || last.askedAt === null) return { kind: 'nothing' };
  const until = new Date(last.askedAt.getTime() + answerWithinMinutes * MINUTE_MS);
  return until <= now ? next : { kind: 'wait', until };
}
