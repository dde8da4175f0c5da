import { upcomingStep, type BookingState, type NextStep } from '../../../../bookings/asking/next-step.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import type { AskRow } from '../../../../bookings/booking-row.ts';
import { isWaiting } from '../../../../bookings/waiting/waiting.ts';
import { channelNamed, isChannelKind } from '../../../../bookings/channels/channels.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { softText } from '../../frame/components.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { formatDuration, formatOnBothClocks } from '../moment.ts';

/** Says whose turn it is, from the booking alone; undefined when nobody has to do anything. */
export function turnWords(booking: Booking, now: Date): string | undefined {
  const { status, channel, frozenAt, acceptedOfferId, tableAt } = booking;
  if (frozenAt !== null) return 'Nobody: bookings are stopped';
  switch (status) {
    case 'sent':
      return isChannelKind(channel, 'staff') ? 'The desk calls' : 'We ask the venue';
    case 'asking':
      if (isWaiting(booking)) return 'The guest waits for a free table';
      if (isChannelKind(channel, 'staff')) return 'The desk calls';
      return isChannelKind(channel, 'system') ? "The venue's system answers" : 'The venue answers';
    case 'offered':
      return acceptedOfferId === null
        ? 'The partner answers the offer'
        : "The venue's system books the offer";
    case 'confirmed':
      return tableAt > now ? 'The guests come' : undefined;
    default:
      return undefined;
  }
}

/** Says how long the venue may still answer. */
export function deadlineWords({ status, answerBy }: Booking, now: Date): string | undefined {
  if (answerBy === null || (status !== 'sent' && status !== 'asking')) return undefined;
  const leftMs = answerBy.getTime() - now.getTime();
  return leftMs > 0 ? `${formatDuration(leftMs)} left` : `${formatDuration(-leftMs)} late`;
}

/** Says what the service does next, and when, unless somebody answers before; undefined when it does nothing. */
export function nextStepWords(state: BookingState): Html | undefined {
  const { at, step } = upcomingStep(state);
  const words = stepWords(step, state.booking);
  if (words === undefined) return undefined;
  const { now, booking } = state;
  const when =
    at <= now
      ? softText('now')
      : html`${softText(`in ${formatDuration(at.getTime() - now.getTime())},`)}
        ${formatOnBothClocks(at, booking.timezone)}`;
  return html`${words}, ${when}`;
}

const ROW_STEPS: Readonly<Record<AskRow['step'], string>> = {
  ask: 'Ask the venue',
  accept: "Book the accepted offer in the venue's system",
  reminder: 'Remind the venue',
  notify_cancelled: 'Inform the venue',
  notify_accepted: 'Inform the venue',
  notify_kept: 'Inform the venue',
  notify_message: 'Inform the venue',
};

function stepWords(step: NextStep, { held }: Booking): string | undefined {
  switch (step.kind) {
    case 'nothing':
      return undefined;
    case 'ask':
      return `Ask the venue: ${channelNamed(step.way.channel).label}`;
    case 'remind':
      return `Remind the venue: ${channelNamed(step.way.channel).label}`;
    case 'accept':
      return ROW_STEPS.accept;
    case 'do':
      return `${ROW_STEPS[step.ask.step]}: ${channelNamed(step.ask.channel).label}`;
    case 'poll':
      return "Ask the venue's system for its decision";
    case 'watch':
      return "Check the table in the venue's system";
    case 'interrupted':
      return 'Repeat a step that was interrupted';
    case 'unanswered':
      return held === null ? 'End the request without an answer' : 'Keep the earlier table';
    case 'lapsed':
      return 'End the offer, which the partner has not accepted';
    case 'join':
      return 'Let the guest wait for a free table';
    case 'wait_over':
      return 'End the wait for a free table';
    case 'withdraw':
      return `Withdraw: ${sentenceCase(step.reason)}`;
    case 'cancel':
      return `Cancel: ${sentenceCase(step.reason)}`;
    case 'wait':
      return 'Finish what is under way';
  }
}
