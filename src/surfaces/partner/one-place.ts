import { z } from 'zod';
import type { Ctx } from '../../core/context.ts';
import { defineOperation } from '../../core/operation.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { requireOpenPlace, requirePlace, requireRecord } from '../../directory/place/require-place.ts';
import { openStatusOf } from '../../directory/hours/place-open.ts';
import { localizeAreas } from '../../search/localize-place.ts';
import { directoryTool, onePlaceTool, placeIdArgument } from '../../search/partner-arguments.ts';
import { namesOf, routeOf, utc } from '../../directory/place/place-answer.ts';
import { RECORD_EXAMPLE } from '../../directory/place/place-examples.ts';
import {
  phoneFields,
  placeRecordSchema,
  prefilledSchema,
  type PlaceRecord,
} from '../../directory/place/place-fields.ts';
import { recordOf } from '../../directory/place/record-row.ts';
import { recordText } from '../../directory/tool-text/place-text.ts';
import { bookingAskFields, checkBookingDate } from '../../directory/booking-route/booking-ask.ts';
import { hasTables } from '../../directory/booking-route/table-kinds.ts';
import { bookingMethodSet } from '../../directory/booking-route/booking-method.ts';
import { platformSet } from '../../directory/booking-route/platform-names.ts';
import { bookingLines } from '../../directory/tool-text/booking-text.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { AppError } from '../../core/errors.ts';
import {
  fitMenu,
  menuSections,
  menuSectionsSchema,
  type MenuSpot,
} from '../../directory/place/menu-sections.ts';
import { menuSourceSet, ratingSourceSet } from '../../directory/sets/source-sets.ts';
import { menuLines } from '../../directory/tool-text/menu-text.ts';
import { readTerms, tableTermsSchema, termsAnswer } from '../../bookings/terms/table-terms.ts';
import { termSentences } from '../../bookings/terms/term-words.ts';
import { joinLines } from '../../core/text/tool-text.ts';
import { guestRatingOf } from '../../members/place-rating.ts';
import examples from './examples.json' with { type: 'json' };

export const placeDetails = defineOperation({
  name: 'place_details',
  title: 'Place details',
  containsUntrustedText: true,
  description:
    'The full record of one place: contacts, hours, rating, whether it is open, the booking page that the venue chose. A place that appears to have closed says so and why in closed.',
  ...onePlaceTool,
  output: placeRecordSchema.extend({ table_terms: tableTermsSchema }),
  example: {
    input: { place_id: RECORD_EXAMPLE.place_id },
    output: { ...RECORD_EXAMPLE, table_terms: termsAnswer({}) },
  },
  async run(ctx, { place_id, lang }) {
    const [{ row, destination }, terms] = await Promise.all([
      requireRecord(ctx, place_id),
      readTerms(ctx.db, place_id),
    ]);
    const { prefix, baseUrl, serviceName } = ctx.deps.config;
    const moment = { timezone: destination.timezone, now: ctx.now, prefix, baseUrl, serviceName };
    const { country } = destination;
    const languages = wantedLanguages(lang);
    const localized = localizeAreas(ctx.deps, { ...row, country }, languages);
    const record = recordOf(localized, moment, row.closed ? await closureOf(ctx, place_id) : null);
    return { ...record, ...namesOf(localized, languages ?? []), table_terms: termsAnswer(terms) };
  },
  summarize: ({ table_terms, ...record }) => joinLines(recordText(record), ...termSentences(table_terms)),
});

async function closureOf(ctx: Ctx, placeId: string): Promise<PlaceRecord['closed']> {
  const { place, destination } = await requirePlace(ctx, placeId);
  const { evidence, text, checked_at } = openStatusOf(place, destination.timezone, ctx.now);
  return { evidence, text, checked_at: utc(checked_at) };
}

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
  output: z.object({
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
    phone_as_published: phoneFields.phone_as_published,
    guidance: z.string().describe('An instruction to follow as written.'),
  }),
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

const CURSOR = 'get_menu';

/** Position in a menu, with the menu's version: a menu that was rewritten since has other dishes there. */
interface MenuCursor extends MenuSpot {
  at: string;
}

export const getMenu = defineOperation({
  name: 'get_menu',
  title: 'Get a menu',
  containsUntrustedText: true,
  description:
    "The venue's own published menu or offerings, grouped by its sections in its order, prices as it set them.",
  ...onePlaceTool,
  input: onePlaceTool.input.extend({
    cursor: z.string().min(1).max(300).optional().describe('next_cursor of the previous page.'),
  }),
  output: z.object({
    place_id: z.string(),
    available: z.boolean().describe('false: there is no menu.'),
    source: menuSourceSet.schema.nullable(),
    url: z.string().nullable().describe('The page it was read from, if any.'),
    read_at: z.string().nullable(),
    currency: z.string().nullable().describe('ISO 4217 code.'),
    sections: menuSectionsSchema({ notes: z.string().nullable() }),
    next_cursor: z.string().nullable().describe('Send it as cursor for the rest of a long menu.'),
  }),
  example: examples.get_menu,
  async run(ctx, { place_id, cursor }) {
    const { menu } = await requireOpenPlace(ctx, place_id);
    if (menu === null)
      return {
        place_id,
        available: false,
        source: null,
        url: null,
        read_at: null,
        currency: null,
        sections: [],
        next_cursor: null,
      };
    const { currency, updated_at } = menu;
    const { session: secret } = ctx.deps.secrets;
    const list = `${CURSOR}/${place_id}`;
    const from = cursor === undefined ? undefined : (decodeCursor(secret, list, cursor) as MenuCursor);
    if (from !== undefined && from.at !== updated_at) throw changedMenu();
    const whole = menuSections(menu.sections, ({ notes }) => ({ notes: notes ?? null }));
    const { sections, next } = fitMenu(whole, from);
    return {
      place_id,
      available: true,
      source: 'owner' as const,
      url: null,
      read_at: utc(updated_at),
      currency,
      sections,
      next_cursor: next && encodeCursor(secret, list, { ...next, at: updated_at }),
    };
  },
  summarize({ place_id, next_cursor, ...menu }) {
    return menu.available
      ? joinLines(
          place_id,
          ...menuLines(menu),
          next_cursor !== null && `More dishes with cursor ${next_cursor}`,
        )
      : `There is no menu for ${place_id}. The venue's own pages may have one: see place_details.`;
  },
});

function changedMenu(): AppError {
  return new AppError('bad_cursor', 'The venue has changed its menu since this cursor was issued.', {
    hint: 'Start again without a cursor.',
  });
}

export const getReviews = defineOperation({
  name: 'get_reviews',
  title: 'Get the ratings of a place',
  containsUntrustedText: true,
  description:
    'The public rating of a place, and the average of guests who came by a confirmed booking. Never the text of a review, never who wrote it.',
  ...onePlaceTool,
  output: z.object({
    place_id: z.string(),
    public: z.object({
      rating: z.number().nullable().describe('0 to 5; null if nobody rated it.'),
      count: z.int(),
      source: ratingSourceSet.schema,
    }),
    verified_guest: z
      .object({ average: z.number(), count: z.int() })
      .nullable()
      .describe('From guests whose booking here was confirmed and has passed; null under 3 of them.'),
  }),
  example: examples.get_reviews,
  async run(ctx, { place_id }) {
    const { rating, review_count } = await requireOpenPlace(ctx, place_id);
    return {
      place_id,
      public: { rating, count: review_count, source: 'public' as const },
      verified_guest: await guestRatingOf(ctx.db, place_id),
    };
  },
  summarize({ place_id, public: { rating, count }, verified_guest }) {
    const all = rating === null ? 'nobody rated it.' : `rated ${rating} of 5 by ${count} people.`;
    const guests =
      verified_guest === null
        ? 'Too few guests with a confirmed booking have rated it.'
        : `Guests with a confirmed booking: ${verified_guest.average} of 5, ${verified_guest.count} of them.`;
    return `${place_id}: ${all} ${guests}`;
  },
});
