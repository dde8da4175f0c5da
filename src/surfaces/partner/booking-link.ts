import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { bookingAskFields, checkBookingDate } from '../../directory/booking-route/booking-ask.ts';
import { requirePlace } from '../../directory/place/require-place.ts';
import { languageArgument } from '../../core/text/languages.ts';
import { directoryTool, placeIdArgument } from '../../search/partner-arguments.ts';
import { prefilledSchema, routeOf } from '../../directory/place/place-answer.ts';
import { hasTables } from '../../directory/booking-route/table-kinds.ts';
import { bookingMethodSet } from '../../directory/booking-route/booking-method.ts';
import { platformSet } from '../../directory/booking-route/platform-names.ts';
import { bookingLines } from '../../directory/tool-text/booking-text.ts';

const output = z.object({
  place_id: z.string(),
  method: bookingMethodSet.word,
  url: z.string().nullable().describe('The booking page; null if there is none.'),
  booked: z
    .literal(false)
    .describe('Always false: nothing is booked until the traveller finishes on the page.'),
  prefilled: prefilledSchema,
  chosen_by_venue: z.boolean().describe('false: derived from what is published about the venue.'),
  platform: platformSet.word.nullable(),
  phone: z.string().nullable().describe('The number to call, if the place is booked by phone.'),
  guidance: z.string().describe('An instruction to follow as written.'),
});

/** Added for venues that are booked by phone: our staff can call them on request through the concierge surface. */
const WE_CALL = 'Or have us call it: request_table on the concierge surface.';

export const bookingLink = defineOperation({
  name: 'booking_link',
  title: 'Booking link',
  description:
    "How to book one place, with the venue's booking page filled in for a party, a date and a time where the page takes them. This books nothing: booked is always false.",
  ...directoryTool,
  containsUntrustedText: true,
  price: 0,
  input: z.object({ place_id: placeIdArgument, ...bookingAskFields, lang: languageArgument }),
  output,
  failures: ['place_not_found', 'place_removed'],
  example: {
    input: { place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza', party_size: 4, date: '2026-11-20', time: '19:30' },
    output: {
      place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
      method: 'venue_system',
      url: 'https://www.sevenrooms.com/reservations/warungsenja?default_date=2026-11-20&default_party_size=4&default_time=19%3A30',
      booked: false,
      prefilled: { party_size: true, date: true, time: true },
      chosen_by_venue: true,
      platform: 'sevenrooms',
      phone: null,
      guidance: 'Send the traveller to booking.url; nothing is booked until they finish there.',
    },
  },
  async run(ctx, { place_id, lang: _lang, ...ask }) {
    const { place, destination } = await requirePlace(ctx, place_id);
    checkBookingDate(ask, destination.timezone, ctx.now);
    const route = routeOf(place, ask, ctx.deps.config.prefix);
    const canCall =
      route.method === 'phone' &&
      route.phone !== null &&
      hasTables(place, ctx.deps.config.bookings.tableKinds);
    const guidance = canCall ? `${route.guidance} ${WE_CALL}` : route.guidance;
    return { place_id, booked: false as const, ...route, guidance };
  },
  summarize: bookingLines,
});
