import { isWaiting } from '../../../../bookings/waiting/waiting.ts';
import type { Booking } from '../../../../bookings/booking.ts';
import { listAllBookings } from '../../../../bookings/booking-roster.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { channelNamed } from '../../../../bookings/channels/channels.ts';
import { deskStaff } from '../../person/people.ts';
import { listPage } from '../list-page.ts';
import { formatTime } from '../moment.ts';
import { deadlineWords, turnWords } from './step-words.ts';
import { formatTable, partnerLink, STATUS_CHOICES, statusBadges, venueLink } from './booking-words.ts';
import { rowLink, userText } from '../../frame/components.ts';

const PATH = '/console/bookings';
const search = { type: 'search', maxlength: 120 } as const;

/** Every booking. Only the desk and leads see and search what guests wrote. */
export const bookingsPage = listPage({
  title: 'Bookings',
  path: PATH,
  key: 'b',
  follows: 'bookings',
  lead: 'Every table that a partner requested, the newest first, by the clock of the venue and in UTC. Open one to see its history and what you can do.',
  filters: (person) => ({
    q: { label: deskStaff.allows(person) ? 'Guest, note, reference or id' : 'Reference or id', ...search },
    status: { label: 'Status', choices: STATUS_CHOICES },
    venue: { label: 'Venue (name or id)', ...search },
    partner: { label: 'Partner (name, email or id)', ...search },
    date: { label: 'Day of the table', type: 'date' },
  }),
  role: 'search',
  cursor: 'before',
  list: ({ deps, person }, { q: text, ...filter }, { cursor: before, limit }) =>
    listAllBookings(deps.pool, { ...filter, text, searchesGuests: deskStaff.allows(person), before, limit }),
  keyOf: ({ booking }) => booking.id,
  columns: ({ person, now }) => [
    [
      'Table',
      ({ booking }) =>
        html`${rowLink(`${PATH}/${booking.id}`, formatTable(booking))}
          <span class="soft second">${UTC_CLOCK.format(booking.tableAt)} UTC</span>`,
    ],
    ['Status', ({ booking }) => statusBadges(booking, { waiting: isWaiting(booking) })],
    ['Next step', ({ booking }) => nextStepCell(booking, now), 'next'],
    ['Venue', ({ booking, placeName }) => venueLink(booking.placeId, placeName)],
    deskStaff.allows(person) && ['Name', ({ booking }) => userText(booking.guestName), 'name'],
    ['Partner', ({ booking, partnerName }) => partnerLink(booking.partnerId, partnerName), 'partner'],
    ['Asked for', ({ booking }) => formatTime(booking.createdAt), 'asked for'],
  ],
  empty: html`A booking appears here as soon as a partner requests a table. Bookings are switched on for each
    partner at <a href="/console/partners">Partners</a>.`,
  noMatch: html`No booking matches this. <a href="${PATH}">Show all bookings</a>`,
  more: 'Older',
});

const UTC_CLOCK = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Shows whose turn it is, on which channel the venue is asked, and how long it may still answer. */
function nextStepCell(booking: Booking, now: Date): Html | false {
  const turn = turnWords(booking, now);
  if (turn === undefined) return false;
  const details = [
    deadlineWords(booking, now),
    booking.status !== 'confirmed' && channelNamed(booking.channel).label,
  ].filter((part) => typeof part === 'string');
  return html`${turn} ${details.length > 0 && html`<span class="soft second">${details.join(' · ')}</span>`}`;
}
