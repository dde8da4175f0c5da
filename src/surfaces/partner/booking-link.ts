import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { bookingAskFields, checkBookingDate } from '../../directory/booking-route/booking-ask.ts';
import { requirePlace } from '../../directory/place/require-place.ts';
import { languageArgument } from '../../core/text/languages.ts';
import { directoryTool, placeIdArgument } from '../../search/partner-arguments.ts';
import { routeOf } from '../../directory/place/place-answer.ts';
import { prefilledSchema } from '../../directory/place/place-fields.ts';
import { hasTables } from '../../directory/booking-route/table-kinds.ts';
import { bookingMethodSet } from '../../directory/booking-route/booking-method.ts';
import { platformSet } from '../../directory/booking-route/platform-names.ts';
import { bookingLines } from '../../directory/tool-text/booking-text.ts';
import examples from './examples.json' with { type: 'json' };

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
  example: examples.booking_link,
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
