import { z } from 'zod';
import { webAddress } from '../../../../core/text/text.ts';
import { recognizePlatform } from '../../../../directory/booking-route/platforms.ts';
import { hasTables } from '../../../../directory/booking-route/table-kinds.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import { choiceInput, radioInput, textInput } from '../../form/fields.ts';
import { refuse } from '../../person/action.ts';
import type { PageRequest } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { partPage } from './listing-part.ts';

const ONLY_WITH_TABLES = 'Choose this only if guests can sit down at a table with you.';

const ROUTES = [
  ['request', 'Take requests through us', 'You are asked for every table, and you say yes or no.'],
  ['venue_system', 'Send guests to our own booking page', 'Give its address below.'],
  ['phone', 'Guests call us', 'The telephone number of your listing is shown.'],
  ['not_through', 'No bookings through this service', 'Guests and agents are asked not to send bookings.'],
] as const;

/** Minutes for which further requests for the same evening are batched before the next message to the venue. */
const GATHER = [
  ['0', 'Write to us about each one at once'],
  ['5', 'Collect for 5 minutes'],
  ['15', 'Collect for 15 minutes'],
  ['30', 'Collect for half an hour'],
  ['60', 'Collect for an hour'],
] as const;

/** The venue's booking method. Saving it records that the venue itself chose the method. */
export const venueBookingPage = partPage({
  part: 'booking',
  title: 'Booking',
  lead: 'How guests and agents reach you for a booking. It applies as soon as you save it.',
  fields: {
    method: { ...radioInput(ROUTES, { label: 'Way to book' }), error: 'Choose one of the four ways.' },
    url: textInput(z.string().trim(), {
      label: 'Address of your booking page',
      hint: 'Only for your own booking page. It begins with https://.',
      type: 'url',
      maxlength: 2_000,
    }),
    gather: {
      ...choiceInput(GATHER, {
        label: 'When several guests ask about the same evening',
        hint: 'We write at once about the first request and collect the others in one message. You answer each table separately.',
      }),
      error: 'Choose one of these.',
    },
  },
  button: 'Save booking',
  content: (req) => {
    const { booking_method: method, booking_url: url, batch_minutes } = req.person.place;
    const choices = ROUTES.map(([value, label, what]) => [value, label, what + moreFor(req, value)] as const);
    return { values: { method, url, gather: String(batch_minutes) }, fields: { method: { choices } } };
  },
  read({ person: { place } }, { method, url, gather }) {
    if (method === 'phone' && place.phone === null)
      refuse({
        faults: {
          method: 'We have no telephone number of yours with its country code: set it under Contacts.',
        },
      });
    const usesOwnPage = method === 'venue_system';
    if (usesOwnPage && url === '') refuse({ faults: { url: 'Give the address of your booking page.' } });
    if (usesOwnPage && !webAddress().safeParse(url).success)
      refuse({ faults: { url: 'It must be an address that begins with https://.' } });
    return {
      booking_method: method,
      booking_url: usesOwnPage ? url : null,
      booking_platform: usesOwnPage ? (recognizePlatform(url)?.name ?? null) : null,
      chosen_by_venue: true,
      batch_minutes: Number(gather),
    };
  },
});

/** Returns what the hint of a method adds for this place. */
function moreFor(
  { person: { place }, deps: { config } }: PageRequest<Venue>,
  method: (typeof ROUTES)[number][0],
): string {
  if (method === 'phone' && place.phone !== null) return ` It is ${numberOf(place)}.`;
  // A taxi or a clinic gets no table requests unless the venue itself states that guests can sit down there.
  const unusual = method === 'request' && !hasTables(place, config.bookings.tableKinds);
  return unusual ? ` ${ONLY_WITH_TABLES}` : '';
}

function numberOf(place: Place): string {
  const { phone } = place;
  return displayedOrigin(place, 'phone') === 'agent'
    ? `${phone ?? ''}, which an agent submitted: set your own under Contacts if it is not yours`
    : (phone ?? '');
}
