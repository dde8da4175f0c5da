import type { FastifyReply } from 'fastify';
import { html, type Html } from '../../../../core/text/html.ts';
import { webAddress } from '../../../../core/text/text.ts';
import type { BookingMethod } from '../../../../directory/booking-route/booking-method.ts';
import { hasTables } from '../../../../directory/booking-route/table-kinds.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import { recognizePlatform } from '../../../../directory/booking-route/platforms.ts';
import type { Place } from '../../../../directory/place/place.ts';
import type { ListingParts } from '../../../../venue/edit-listing.ts';
import { choiceField, textField } from '../../form/form-field.ts';
import { refuse, type PrepareContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { sendPartPage, type PartPage } from './listing-part.ts';

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
export const bookingPart: PartPage<'booking'> = { part: 'booking', page: sendBookingPage, read: readBooking };

function sendBookingPage(
  request: PageRequest<Venue>,
  { form, faults = {} }: PageState,
): Promise<FastifyReply> {
  const { place } = request.person;
  const values =
    form === undefined
      ? { method: place.booking_method, url: place.booking_url ?? '', gather: String(place.batch_minutes) }
      : readValues(form);
  return sendPartPage(request, {
    title: 'Booking',
    lead: 'How guests and agents reach you for a booking. It applies as soon as you save it.',
    part: 'booking',
    fields: html`<fieldset class="choices flow">
        <legend>Way to book</legend>
        ${faults['method'] !== undefined && html`<p class="fault">${faults['method']}</p>`}
        ${ROUTES.map((route) => choice(request, route, values.method))}
      </fieldset>
      ${textField({
        name: 'url',
        label: 'Address of your booking page',
        hint: 'Only for your own booking page. It begins with https://.',
        type: 'url',
        value: values.url,
        fault: faults['url'],
        maxlength: 2_000,
      })}
      ${choiceField({
        name: 'gather',
        label: 'When several guests ask about the same evening',
        hint: 'We write at once about the first request and collect the others in one message. You answer each table separately.',
        choices: GATHER,
        value: values.gather,
        fault: faults['gather'],
      })}`,
    save: 'Save booking',
  });
}

function choice(
  { person: { place }, deps: { config } }: PageRequest<Venue>,
  [method, label, what]: (typeof ROUTES)[number],
  selected: string,
): Html {
  const number = method === 'phone' && place.phone !== null ? ` It is ${numberOf(place)}.` : '';
  // A taxi or a clinic gets no table requests unless the venue itself states that guests can sit down there.
  const unusual = method === 'request' && !hasTables(place, config.bookings.tableKinds);
  const hint = `${what}${number}${unusual ? ` ${ONLY_WITH_TABLES}` : ''}`;
  return html`<div class="choice">
    <input
      type="radio"
      id="method-${method}"
      name="method"
      value="${method}"
      aria-describedby="method-${method}-hint"
      ${method === selected && html` checked`}
    />
    <div>
      <label for="method-${method}">${label}</label>
      <p class="hint" id="method-${method}-hint">${hint}</p>
    </div>
  </div>`;
}

function numberOf(place: Place): string {
  const { phone } = place;
  return displayedOrigin(place, 'phone') === 'agent'
    ? `${phone ?? ''}, which an agent submitted: set your own under Contacts if it is not yours`
    : (phone ?? '');
}

function readValues(form: URLSearchParams): { method: string; url: string; gather: string } {
  return {
    method: form.get('method') ?? '',
    url: (form.get('url') ?? '').trim(),
    gather: form.get('gather') ?? '',
  };
}

function readBooking({ form, person }: PrepareContext<Venue>): ListingParts['booking'] {
  const { method, url, gather } = readValues(form);
  const faults = faultsOf(person.place, { method, url, gather });
  if (faults !== undefined) refuse({ faults });
  const usesOwnPage = method === 'venue_system';
  return {
    booking_method: method as BookingMethod,
    booking_url: usesOwnPage ? url : null,
    booking_platform: usesOwnPage ? (recognizePlatform(url)?.name ?? null) : null,
    chosen_by_venue: true,
    batch_minutes: Number(gather),
  };
}

function faultsOf(
  { phone }: Place,
  { method, url, gather }: ReturnType<typeof readValues>,
): Record<string, string> | undefined {
  if (!GATHER.some(([value]) => value === gather)) return { gather: 'Choose one of these.' };
  if (!ROUTES.some(([value]) => value === method)) return { method: 'Choose one of the four ways.' };
  if (method === 'phone' && phone === null)
    return { method: 'We have no telephone number of yours that guests could call.' };
  if (method !== 'venue_system') return undefined;
  if (url === '') return { url: 'Give the address of your booking page.' };
  return webAddress().safeParse(url).success
    ? undefined
    : { url: 'It must be an address that begins with https://.' };
}
