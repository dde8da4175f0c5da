import { listAllBookings } from '../../../../bookings/booking-roster.ts';
import { html } from '../../../../core/text/html.ts';
import { DESK_ROLES, type Staff } from '../../person/people.ts';
import { listPage } from '../list-page.ts';
import { formatTime } from '../moment.ts';
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
  lead: "Every table that a partner requested, the newest first, in the venue's local time. Open one to see its history.",
  filters: (person) => ({
    q: {
      label: seesGuests(person) ? 'Booking id, guest, note or reference' : 'Booking id or reference',
      ...search,
    },
    status: { label: 'Status', choices: STATUS_CHOICES },
    venue: { label: 'Venue (name or id)', ...search },
    partner: { label: 'Partner (name, email or id)', ...search },
    date: { label: 'Day of the table', type: 'date' },
  }),
  role: 'search',
  cursor: 'before',
  list: ({ deps, person }, { q: text, ...filter }, { cursor: before, limit }) =>
    listAllBookings(deps.pool, { ...filter, text, searchesGuests: seesGuests(person), before, limit }),
  keyOf: ({ booking }) => booking.id,
  columns: (person) => [
    ['Table', ({ booking }) => rowLink(`${PATH}/${booking.id}`, formatTable(booking))],
    ['Status', ({ booking }) => statusBadges(booking)],
    ['Venue', ({ booking, placeName }) => venueLink(booking.placeId, placeName)],
    seesGuests(person) && ['Name', ({ booking }) => userText(booking.guestName), 'name'],
    ['Partner', ({ booking, partnerName }) => partnerLink(booking.partnerId, partnerName), 'partner'],
    ['Asked for', ({ booking }) => formatTime(booking.createdAt), 'asked for'],
  ],
  empty: html`A booking appears here as soon as a partner requests a table. Bookings are switched on for each
    partner at <a href="/console/partners">Partners</a>.`,
  noMatch: html`No booking matches this. <a href="${PATH}">Show all bookings</a>`,
  more: 'Older',
});

function seesGuests({ role }: Staff): boolean {
  return DESK_ROLES.includes(role);
}
