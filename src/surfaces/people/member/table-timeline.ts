import type { BookingMover, ChannelName } from '../../../bookings/booking.ts';
import { channelNamed } from '../../../bookings/channels/channels.ts';
import type { ChannelKind } from '../../../bookings/channels/channel.ts';
import type { TimelineEntry } from '../../../bookings/timeline.ts';
import { html, type Html } from '../../../core/text/html.ts';
import type { MemberTable } from '../../../members/list-tables.ts';

/** Lists what happened to a table, in the words of a guest and by the clock of the place. */
export function tableTimeline({ entries, partnerName, timezone }: MemberTable): Html | false {
  const who = partnerName ?? 'You';
  const events = entries.flatMap((entry) => {
    const words = eventWords(entry, who);
    return words === undefined ? [] : [{ at: entry.at, words }];
  });
  if (events.length === 0) return false;
  const clock = new Intl.DateTimeFormat('en-GB', { ...CLOCK, timeZone: timezone });
  return html`<details class="happened">
    <summary>What happened so far</summary>
    <ol>
      ${events.map(
        ({ at, words }) =>
          html`<li>
            <time datetime="${at.toISOString()}">${clock.format(at)}</time>
            <bdi>${words}</bdi>
          </li>`,
      )}
    </ol>
    <p class="hint">By the clock of the place.</p>
  </details>`;
}

const CLOCK = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
} as const;

const BY_CHANNEL: Readonly<Record<ChannelKind, string>> = {
  system: 'in its reservation system',
  message: 'by message',
  call: 'by telephone',
  staff: 'by telephone',
};

/** Says what an entry means for the guest; undefined for one that changes nothing for them. */
function eventWords({ event, actor, channel }: TimelineEntry, who: string): string | undefined {
  switch (event) {
    case 'sent':
      return `${who} asked for the table.`;
    case 'asking':
      if (actor === 'venue' || actor === 'desk') return 'The venue took its answer back.';
      return actor === 'partner' ? `${who} asked for another table.` : askedWords(channel);
    case 'offered':
      return 'The venue offered another table.';
    case 'confirmed':
      return CONFIRMED[actor] ?? `${who} accepted the offer.`;
    case 'declined':
      return 'The venue said no.';
    case 'no_answer':
      return 'The venue did not answer in time.';
    case 'cancelled':
      return CANCELLED[actor] ?? `${who} cancelled.`;
    case 'reminder_sent':
      return 'The venue was reminded.';
    case 'change_asked':
      return askedWords(channel);
    case 'late_answer':
      return 'The venue answered too late.';
    default:
      return undefined;
  }
}

function askedWords(channel: ChannelName | null): string {
  return `The venue was asked${channel === null ? '' : ` ${BY_CHANNEL[channelNamed(channel).kind]}`}.`;
}

const VENUE_YES = 'The venue said yes.';
const CONFIRMED: Partial<Record<BookingMover, string>> = {
  venue: VENUE_YES,
  desk: VENUE_YES,
  venue_system: VENUE_YES,
  service: 'The earlier table stays.',
};

const VENUE_CANCELLED = 'The venue cancelled.';
const CANCELLED: Partial<Record<BookingMover, string>> = {
  venue: VENUE_CANCELLED,
  desk: VENUE_CANCELLED,
  venue_system: VENUE_CANCELLED,
  service: 'The request ended without a table.',
};
