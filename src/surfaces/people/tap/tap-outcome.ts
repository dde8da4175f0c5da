import type { Tap } from '../../../bookings/answering/find-tap.ts';
import type { EndingName } from '../../../bookings/language/words.ts';

/** How a question ended that can no longer be answered here. */
export function endingOf({ booking, revision, optedOut, stands, changing }: Tap): EndingName {
  const { status, reason, reverted } = booking;
  if (status === 'cancelled') return reason === 'venue_cancelled' ? 'venueCancelled' : 'withdrawn';
  if (status === 'no_answer') return 'unanswered';
  if (status === 'confirmed' && !stands) return 'over';
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

/** 200 where the venue's own answer stands, 410 where the question has gone without it. */
export function statusOf(ending: EndingName): 200 | 410 {
  return OWN_ANSWERS.includes(ending) ? 200 : 410;
}
