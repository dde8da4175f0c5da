import type { Tap } from '../../../bookings/answering/find-tap.ts';
import type { EndingName } from '../../../bookings/language/catalogue.ts';

/** Returns the outcome of a question that can no longer be answered here. */
export function outcomeOf({ booking, revision, optedOut, withdrawable, changing }: Tap): EndingName {
  const { status, reason, reverted } = booking;
  if (status === 'cancelled') return reason === 'venue_cancelled' ? 'venueCancelled' : 'withdrawn';
  if (status === 'no_answer') return 'unanswered';
  if (status === 'confirmed' && !withdrawable) return 'over';
  if (status === 'confirmed') {
    if (!changing) return 'booked';
    if (!reverted) return 'changed';
    return reason === 'change_declined' ? 'changeDeclined' : 'changeEnded';
  }
  if (booking.revision !== revision || status === 'asking' || status === 'sent') return 'replaced';
  if (status === 'offered') return 'offered';
  return optedOut ? 'stopped' : 'declined';
}

const OWN_ANSWERS: readonly EndingName[] = [
  'booked',
  'changed',
  'changeDeclined',
  'offered',
  'declined',
  'stopped',
];

/** Returns 200 when the outcome is the venue's own answer, 410 when the question ended without one. */
export function statusOf(ending: EndingName): 200 | 410 {
  return OWN_ANSWERS.includes(ending) ? 200 : 410;
}
