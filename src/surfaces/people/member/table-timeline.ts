import type { BookingMover, ChannelName } from '../../../bookings/booking.ts';
import { channelNamed } from '../../../bookings/channels/channels.ts';
import type { ChannelKind } from '../../../bookings/channels/channel.ts';
import type { TimelineEntry } from '../../../bookings/timeline.ts';
import { WAITING_TEXT } from '../../../bookings/waiting/join-waiting-list.ts';
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
  return html`<section class="flow" aria-labelledby="happened">
    <h2 id="happened">What happened so far</h2>
    <ol class="happened">
      ${events.map(
        ({ at, words }) =>
          html`<li>
            <time datetime="${at.toISOString()}">${clock.format(at)}</time>
            <bdi>${words}</bdi>
          </li>`,
      )}
    </ol>
    <p class="hint">By the clock of the place (${timezone.replaceAll('_', ' ')}).</p>
  </section>`;
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
function eventWords({ event, actor, channel, text }: TimelineEntry, who: string): string | undefined {
  switch (event) {
    case 'sent':
      return `${who} asked for the table.`;
    case 'waiting':
      return WAITS;
    case 'asking':
      if (text === WAITING_TEXT) return WAITS;
      if (actor === 'venue' || actor === 'desk') return 'The venue took its answer back.';
      return actor === 'partner' ? `${who} asked for another table.` : askedWords(channel);
    case 'offered':
      return 'The venue offered another table.';
    case 'confirmed':
      if (KEPT.test(text)) return KEPT_BY[actor] ?? 'The earlier table stays.';
      return CONFIRMED[actor] ?? `${who} accepted the offer.`;
    case 'declined':
      return actor === 'service' ? 'No table became free in time.' : 'The venue said no.';
    case 'no_answer':
      return 'The venue did not answer in time.';
    case 'cancelled':
      if (actor === 'partner' && text.startsWith('The offer was declined'))
        return `${who} declined the offer.`;
      return CANCELLED[actor] ?? `${who} cancelled.`;
    case 'reminder_sent':
      return 'The venue was reminded.';
    case 'change_asked':
      return askedWords(channel);
    case 'offer_taken':
      return `${who} accepted the offer.`;
    case 'venue_message':
      return text;
    case 'late_answer':
      return 'The venue answered too late.';
    default:
      return undefined;
  }
}

const WAITS = 'The venue is full. The request waits for a free table.';

function askedWords(channel: ChannelName | null): string {
  return `The venue was asked${channel === null ? '' : ` ${BY_CHANNEL[channelNamed(channel).kind]}`}.`;
}

/** Texts of moves back to the table that the venue had promised before a change. */
const KEPT = /earlier table stays/;
const VENUE_NO = 'The venue said no to the change. The earlier table stays.';
const KEPT_BY: Partial<Record<BookingMover, string>> = {
  partner: 'The offer was declined. The earlier table stays.',
  venue: VENUE_NO,
  desk: VENUE_NO,
  venue_system: VENUE_NO,
};

const VENUE_YES = 'The venue said yes.';
const CONFIRMED: Partial<Record<BookingMover, string>> = {
  venue: VENUE_YES,
  desk: VENUE_YES,
  venue_system: VENUE_YES,
};

const VENUE_CANCELLED = 'The venue cancelled.';
const CANCELLED: Partial<Record<BookingMover, string>> = {
  venue: VENUE_CANCELLED,
  desk: VENUE_CANCELLED,
  venue_system: VENUE_CANCELLED,
  service: 'The request ended without a table.',
};
