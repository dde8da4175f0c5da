import type { Tap } from '../../../bookings/answering/find-tap.ts';

export interface TapOutcome {
  title: string;
  words: string;
  /** 200 where the venue's own answer stands, 410 where the question has gone without it. */
  status: 200 | 410;
}

/** How a question ended that can no longer be answered here. */
export function outcomeOf({ booking, revision, optedOut, stands }: Tap): TapOutcome {
  if (booking.status === 'cancelled' && booking.reason === 'venue_cancelled')
    return {
      title: 'The table is cancelled',
      words: 'The guest is told that there is no table. There is nothing more that you need to do.',
      status: 410,
    };
  if (booking.status === 'cancelled')
    return {
      title: 'This table is no longer wanted',
      words: 'The request was taken back. There is nothing that you need to do; please do not keep a table.',
      status: 410,
    };
  if (booking.status === 'no_answer')
    return {
      title: 'This request has ended',
      words: 'No answer came in time, and the guest was told so. There is nothing that you need to do.',
      status: 410,
    };
  if (booking.status === 'confirmed' && stands)
    return {
      title: 'Thank you: the table is booked',
      words: 'The guest is told that you have said yes. Please keep this table.',
      status: 200,
    };
  if (booking.status === 'confirmed')
    return { title: 'This table is over', words: 'Its time has come. Thank you.', status: 410 };
  if (booking.revision !== revision || booking.status === 'asking' || booking.status === 'sent')
    return {
      title: 'This link is no longer good',
      words: 'The request has changed since. The newest message from us holds the link that works.',
      status: 410,
    };
  if (booking.status === 'offered')
    return {
      title: 'Thank you: we pass it on',
      words:
        'The guest is told what you offer, and we tell you as soon as it is taken. Please keep it until then.',
      status: 200,
    };
  return {
    title: 'Thank you for telling us',
    words: optedOut
      ? 'The guest is told that there is no table. We will not ask you again.'
      : 'The guest is told that there is no table. There is nothing more that you need to do.',
    status: 200,
  };
}
