import { listAllBookings, type ListedBooking } from '../../../../bookings/booking-roster.ts';
import { STATUSES } from '../../../../bookings/booking.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { cutTyped } from '../../../../core/text/visible-text.ts';
import { isDay } from '../../../../core/time.ts';
import { choiceField, textField } from '../../form/form-field.ts';
import { nextPage } from '../../frame/next-page.ts';
import { table } from '../../frame/table.ts';
import { definePage } from '../../person/page.ts';
import { DESK_ROLES, ALL_ROLES, staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { formatTable, STATUS_CHOICES, statusBadges, venueLink } from './booking-words.ts';

const PATH = '/console/bookings';
const PAGE_SIZE = 50;
const WORDS_MAX = 120;

interface BookingsFilter {
  status?: string | undefined;
  venue?: string | undefined;
  partner?: string | undefined;
  date?: string | undefined;
  q?: string | undefined;
}

function filterOf(query: URLSearchParams): BookingsFilter {
  const words = (name: string) => cutTyped((query.get(name) ?? '').trim(), WORDS_MAX) || undefined;
  const date = words('date');
  return {
    status: STATUS_CHOICES.find(([value]) => value !== '' && value === query.get('status'))?.[0],
    venue: words('venue'),
    partner: words('partner'),
    date: date !== undefined && isDay(date) ? date : undefined,
    q: words('q'),
  };
}

export const bookingsPage = definePage({
  path: PATH,
  who: staff(ALL_ROLES),
  nav: { label: 'Bookings', key: 'b' },
  async load({ deps, query, person }) {
    const filter = filterOf(query);
    const namesGuests = DESK_ROLES.includes(person.role);
    const rows = await listAllBookings(deps.pool, {
      ...filter,
      status: filter.status === 'open' ? 'open' : STATUSES.find((status) => status === filter.status),
      text: filter.q,
      searchesGuests: namesGuests,
      before: query.get('before') ?? undefined,
      limit: PAGE_SIZE + 1,
    });
    return { filter, namesGuests, rows };
  },
  view(_req, { filter, namesGuests, rows }) {
    const visible = rows.slice(0, PAGE_SIZE);
    const before = rows.length > PAGE_SIZE ? visible.at(-1)?.booking.id : undefined;
    return {
      title: 'Bookings',
      lead: "Every table that a partner requested, the newest first, in the venue's local time. Open one to see its history.",
      body: html`${filterForm(filter, namesGuests)}
      ${visible.length === 0 ? emptyList(filter) : bookingTable(visible, namesGuests)}
      ${nextPage(PATH, before !== undefined && { ...filter, before }, 'Older')}`,
    };
  },
});

function filterForm({ status, venue, partner, date, q }: BookingsFilter, namesGuests: boolean): Html {
  const searched = namesGuests ? 'Booking id, guest, note or reference' : 'Booking id or reference';
  const field = { type: 'search', maxlength: WORDS_MAX } as const;
  return html`<form class="filters" method="get" action="${PATH}" role="search">
    ${textField({ ...field, name: 'q', label: searched, value: q })}
    ${choiceField({ name: 'status', label: 'Status', value: status ?? '', choices: STATUS_CHOICES })}
    ${textField({ ...field, name: 'venue', label: 'Venue (name or id)', value: venue })}
    ${textField({ ...field, name: 'partner', label: 'Partner (name, email or id)', value: partner })}
    ${textField({ name: 'date', label: 'Day of the table', type: 'date', value: date })}
    <button class="button plain" type="submit">Find</button>
  </form>`;
}

function emptyList(filter: BookingsFilter): Html {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return html`<div class="empty">
    <h2>No bookings</h2>
    <p>
      ${
        isFiltered
          ? html`No booking matches this. <a href="${PATH}">Show all bookings</a>`
          : html`A booking appears here as soon as a partner requests a table. Bookings are switched on for
              each partner at <a href="/console/partners">Partners</a>.`
      }
    </p>
  </div>`;
}

function bookingTable(bookings: readonly ListedBooking[], namesGuests: boolean): Html {
  const columns = ['Table', 'Status', 'Venue', ...(namesGuests ? ['Name'] : []), 'Partner', 'Asked for'];
  return table(
    { className: 'dense stack rows', columns },
    bookings.map(
      ({ booking, placeName, partnerName }) =>
        html`<tr>
          <th scope="row">
            <a data-row href="${safeHref(`${PATH}/${booking.id}`)}">${formatTable(booking)}</a>
          </th>
          <td>${statusBadges(booking)}</td>
          <td>${venueLink(booking.placeId, placeName)}</td>
          ${namesGuests && html`<td data-label="name"><bdi>${booking.guestName}</bdi></td>`}
          <td data-label="partner">
            <a href="${safeHref(`/console/partners/${booking.partnerId}`)}"><bdi>${partnerName}</bdi></a>
          </td>
          <td data-label="asked for">${formatTime(booking.createdAt)}</td>
        </tr>`,
    ),
  );
}
