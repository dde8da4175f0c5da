import { cancelAndRelease } from '../answering/settle.ts';
import type { Booking } from '../booking.ts';
import type { MoveContext } from '../move-booking.ts';
import type { ChoiceEnd } from './choice.ts';

const WITHDRAWN_WORDS: Readonly<Record<ChoiceEnd, string>> = {
  other_venue_confirmed: 'Another venue confirmed a table; this request is withdrawn.',
  choice_cancelled: 'The request was cancelled at all venues.',
};

/** Withdraws a request whose choice is over. A venue that was reached is informed and frees what it holds. */
export function withdrawFromChoice(ctx: MoveContext, booking: Booking, reason: ChoiceEnd): Promise<Booking> {
  return cancelAndRelease(ctx, booking, {
    actor: 'service',
    reason,
    text: WITHDRAWN_WORDS[reason],
    withdrawn: true,
  });
}
