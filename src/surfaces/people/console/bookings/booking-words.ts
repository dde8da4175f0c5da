import {
  STATUSES,
  type Booking,
  type BookingMover,
  type BookingStatus,
  type TableRequest,
} from '../../../../bookings/booking.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { deskStaff, type Staff } from '../../person/people.ts';
import { badge, link, softText, userText, type StateBadges } from '../../frame/components.ts';

const STATUS_WORDS: StateBadges<BookingStatus> = {
  sent: ['warn', 'To be asked'],
  asking: ['warn', 'Asked, no answer yet'],
  offered: ['warn', 'Other table offered'],
  confirmed: ['good', 'Confirmed'],
  declined: ['bad', 'Declined'],
  no_answer: ['bad', 'No answer'],
  cancelled: ['', 'Cancelled'],
};

export function statusLabel(status: BookingStatus): string {
  return STATUS_WORDS[status][1];
}

/** Choices of the status filter. */
export const STATUS_CHOICES: readonly (readonly [value: '' | 'open' | BookingStatus, label: string])[] = [
  ['', 'All'],
  ['open', 'Open: not decided yet'],
  ...STATUSES.map((status) => [status, statusLabel(status)] as const),
];

/** Badges of a status. While the guest waits for a free table, nobody is being asked. */
export function statusBadges(
  { status, frozenAt }: Pick<Booking, 'status' | 'frozenAt'>,
  { waiting = false } = {},
): Html {
  return html`${waiting ? badge('warn', 'Waits for a free table') : badge(STATUS_WORDS[status][0], statusLabel(status))}
  ${frozenAt !== null && badge('bad', 'Stopped')}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a table with the year, because old bookings are listed too: Fri, 20 Nov 2026 at 19:30 for 4. */
export function formatTable({ date, time, partySize }: TableRequest): string {
  return `${DAY.format(new Date(`${date}T00:00:00Z`))} at ${time} for ${partySize}`;
}

export const ACTOR_LABELS: Readonly<Record<BookingMover, string>> = {
  partner: 'Partner',
  venue: 'Venue',
  venue_system: "Venue's own system",
  desk: 'Our desk',
  service: 'The service',
};

/** Shows text written by a guest to desk staff and leads only. */
export function forDesk(person: Staff, words: Html): Html {
  return deskStaff.allows(person) ? words : softText('Shown to the desk and to leads');
}

export function linkToBooking(id: string, words: string | Html = html`<code>${id}</code>`): Html {
  return link(`/console/bookings/${id}`, words);
}

/** Links to the venue's place page; a deleted place has no link. */
export function venueLink(placeId: string, placeName: string | null): Html {
  if (placeName === null) return html`A place that is no longer listed`;
  return link(`/console/places/${placeId}`, userText(placeName));
}

export function partnerLink(partnerId: string, partnerName: string): Html {
  return link(`/console/partners/${partnerId}`, userText(partnerName));
}
