import { z } from 'zod';
import { webAddress } from '../../../../core/text/text.ts';
import { recognizePlatform } from '../../../../directory/booking-route/platforms.ts';
import { hasTables } from '../../../../directory/booking-route/table-kinds.ts';
import { displayedOrigin } from '../../../../directory/provenance/field-claim.ts';
import { choiceInput, radioInput, textInput } from '../../form/fields.ts';
import { refuse } from '../../person/action.ts';
import type { PageRequest } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { areaLanguage, formatSpan, type AreaLanguage } from '../language/area-language.ts';
import { partPage } from './listing-part.ts';

const METHODS = ['request', 'venue_system', 'phone', 'not_through'] as const;
type Method = (typeof METHODS)[number];

/** Minutes for which further requests for the same evening are batched before the next message to the venue. */
const GATHER = ['0', '5', '15', '30', '60'] as const;

/** The venue's booking method. Saving it records that the venue itself chose the method. */
export const venueBookingPage = partPage({
  part: 'booking',
  fields: {
    method: radioInput(
      METHODS.map((method) => [method, method, ''] as const),
      { label: 'Way to book' },
    ),
    url: textInput(z.string().trim(), {
      label: 'Address of your booking page',
      type: 'url',
      maxlength: 2_000,
    }),
    gather: choiceInput(
      GATHER.map((minutes) => [minutes, minutes] as const),
      { label: 'When several guests ask' },
    ),
  },
  faults: ({ area }) => ({ method: area('fault.choice'), gather: area('fault.choice') }),
  content(req, language) {
    const { area } = language;
    const { booking_method: method, booking_url: url, batch_minutes } = req.person.place;
    const methods = METHODS.map((one) => [one, area(`way.${one}`), hintOf(req, one, language)] as const);
    return {
      values: { method, url, gather: String(batch_minutes) },
      fields: {
        method: { label: area('booking.way'), choices: methods },
        url: { label: area('booking.url'), hint: area('booking.urlHint') },
        gather: {
          label: area('booking.gather'),
          hint: area('booking.gatherHint'),
          choices: GATHER.map((minutes) => [minutes, gatherWords(Number(minutes), language)] as const),
        },
      },
    };
  },
  read(act, { method, url, gather }) {
    const { area } = areaLanguage(act);
    if (method === 'phone' && act.person.place.phone === null)
      refuse({ faults: { method: area('fault.noPhone') } });
    const usesOwnPage = method === 'venue_system';
    if (usesOwnPage && url === '') refuse({ faults: { url: area('fault.url') } });
    if (usesOwnPage && !webAddress().safeParse(url).success)
      refuse({ faults: { url: area('fault.website') } });
    return {
      booking_method: method,
      booking_url: usesOwnPage ? url : null,
      booking_platform: usesOwnPage ? (recognizePlatform(url)?.name ?? null) : null,
      chosen_by_venue: true,
      batch_minutes: Number(gather),
    };
  },
});

function gatherWords(minutes: number, language: AreaLanguage): string {
  const { area } = language;
  return minutes === 0
    ? area('booking.atOnce')
    : area('booking.collect', { time: formatSpan(minutes, 'minute', language) });
}

/** Explains a method, and what it means for this place. */
function hintOf(
  { person: { place }, deps: { config } }: PageRequest<Venue>,
  method: Method,
  { area }: AreaLanguage,
): string {
  const hint = area(`way.${method}Means`);
  const { phone } = place;
  if (method === 'phone' && phone !== null) {
    const isSubmitted = displayedOrigin(place, 'phone') === 'agent';
    return `${hint} ${area(isSubmitted ? 'way.phoneByAgent' : 'way.phoneIs', { phone })}`;
  }
  // A taxi or a clinic gets no table requests unless the venue itself states that guests can sit down there.
  const isUnusual = method === 'request' && !hasTables(place, config.bookings.tableKinds);
  return isUnusual ? `${hint} ${area('way.onlyWithTables')}` : hint;
}
