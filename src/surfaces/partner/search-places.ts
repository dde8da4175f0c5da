import { z } from 'zod';
import type { OperationDeps } from '../../core/context.ts';
import { defineOperation, type PreparedAnswer } from '../../core/operation.ts';
import { cachedAnswer } from '../../search/answer-memory.ts';
import { requireDestination } from '../../directory/place/require-place.ts';
import { destinationRef } from '../../directory/place/place-answer.ts';
import { listRehearsalVenues } from '../../bookings/rehearsal/rehearsal-venue.ts';
import { priceLevelSet } from '../../directory/sets/fact-sets.ts';
import { RADIUS_DEFAULT_M, RADIUS_MAX_M } from '../../search/map-filters.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { destinationArgument, directoryTool } from '../../search/partner-arguments.ts';
import {
  PARTNER_LIMIT_DEFAULT,
  PLACE_LIST_EXAMPLE,
  placeList,
  placeListFields,
  placeListSchema,
} from '../../search/partner-places.ts';
import { openArguments, openFilterOf } from '../../search/open-arguments.ts';
import { joinFacts, joinLines } from '../../core/text/tool-text.ts';
import { searchPlaces } from '../../search/search-places.ts';
import { wishesArgument } from '../../search/wishes-argument.ts';
import { understoodSchema } from '../../search/understand/understood.ts';
import { DAY_MINUTES, dayNumber, formatLocalMinute } from '../../directory/hours/compile/compiled-hours.ts';
import { instantOfLocalMinute, localMinuteOf } from '../../directory/hours/zone-clock.ts';
import type { Hit } from '../../search/query/hit.ts';

const input = z.object({
  destination: destinationArgument,
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Name, kind, brand, area or wish, or near a landmark, in any language.'),
  ...placeListFields,
  ...openArguments,
  near: z
    .object(
      {
        lat: z.number().min(-90).max(90).describe('Latitude.'),
        lng: z.number().min(-180).max(180).describe('Longitude.'),
        radius_m: z.int().min(1).max(RADIUS_MAX_M).optional().describe(`Metres (${RADIUS_DEFAULT_M}).`),
      },
      'must be an object of lat and lng; send a neighbourhood as area',
    )
    .optional()
    .describe('The nearest places come first.'),
  min_rating: z.number().min(0).max(5).optional().describe('Minimum rating, out of 5.'),
  price: priceLevelSet.schema.optional().describe('Only places of this price range.'),
  wishes: wishesArgument,
  lang: languageArgument,
  rehearsal: z
    .boolean()
    .optional()
    .describe('true: instead the venues to rehearse table requests with. They answer by themselves.'),
});

export const searchPlacesForPartners = defineOperation({
  name: 'search_places',
  title: 'Search places',
  containsUntrustedText: true,
  description:
    'Real places of one destination that are not known to have closed, by name, category, cuisine, area, price and rating. Ordered by how well the words match, then verified places, then rating.',
  ...directoryTool,
  input,
  output: placeListSchema.extend({ understood: understoodSchema.optional() }),
  example: { input: { destination: 'bali', query: 'pizza', limit: 1 }, output: PLACE_LIST_EXAMPLE },
  // Other answers have their text already.
  summarize: ({ places }) =>
    joinLines(...places.map(({ place_id, name, guidance }) => joinFacts(`${name} (${place_id})`, guidance))),
  run({ deps, now }, args) {
    if (args.rehearsal === true) return answerRehearsal(deps, args.destination);
    return cachedAnswer(deps, `partner ${JSON.stringify(args)}`, () => answerSearch(deps, args, now));
  },
});

/** Rehearsal venues belong to no destination, so the requested one is only repeated. */
function answerRehearsal(deps: OperationDeps, wanted: string) {
  const { id: _, ...destination } = destinationRef(requireDestination(deps, wanted));
  const places = listRehearsalVenues().map(({ id, name, about }) => {
    return { place_id: id, name, category: 'restaurant', guidance: about };
  });
  return { destination, places, count: places.length, next_cursor: null };
}

function answerSearch(deps: OperationDeps, args: z.output<typeof input>, now: Date): PreparedAnswer {
  const destination = requireDestination(deps, args.destination);
  const { near, min_rating, price } = args;
  const search = {
    text: args.query,
    destination,
    category: args.category,
    cuisine: args.cuisine,
    area: args.area,
    near: near && { lat: near.lat, lng: near.lng, radiusM: near.radius_m ?? RADIUS_DEFAULT_M },
    ...openFilterOf(args, now),
    minRating: min_rating,
    price,
    wishes: args.wishes,
    languages: wantedLanguages(args.lang),
    limit: args.limit ?? PARTNER_LIMIT_DEFAULT,
    cursor: args.cursor,
  };
  return placeList(deps, search, searchPlaces(deps, search), args, undefined);
}

const LOCAL_TIME = 'must be a local time such as 2026-11-14T19:30';

const openInput = z.object({
  destination: destinationArgument,
  ...placeListFields,
  at: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/, { error: LOCAL_TIME, abort: true })
    .refine((text) => z.iso.date().safeParse(text.slice(0, 10)).success, LOCAL_TIME)
    .optional()
    .describe('YYYY-MM-DDTHH:mm on the clocks of the destination; now when left out.'),
  open: openArguments.open.describe('Also those usually open by old hours.'),
  lang: languageArgument,
});

export const openPlaces = defineOperation({
  name: 'open_places',
  title: 'Open places',
  containsUntrustedText: true,
  description:
    'Places of one destination that are known to be open, now or at a given local time, and until when. Only places with verified hours are listed, unless open is likely.',
  ...directoryTool,
  input: openInput,
  output: placeListSchema.extend({
    local_time: z.string().describe('YYYY-MM-DDTHH:mm on the clocks of the destination.'),
    timezone: z.string(),
    unverified_count: z
      .int()
      .describe('Places that match but whose hours are not verified: they may be open too.'),
  }),
  example: {
    input: { destination: 'bali', at: '2026-11-14T20:00', limit: 1 },
    output: {
      ...PLACE_LIST_EXAMPLE,
      places: PLACE_LIST_EXAMPLE.places.map((card) => ({ ...card, open_until: '2026-11-14T15:00:00.000Z' })),
      local_time: '2026-11-14T20:00',
      timezone: 'Asia/Makassar',
      unverified_count: 212,
    },
  },
  run({ deps, now }, args) {
    return cachedAnswer(deps, `open ${JSON.stringify(args)}`, () => answerOpen(deps, args, now));
  },
});

function answerOpen(deps: OperationDeps, args: z.output<typeof openInput>, now: Date): PreparedAnswer {
  const destination = requireDestination(deps, args.destination);
  const { timezone } = destination;
  const openAt = args.at === undefined ? now : instantOfLocalMinute(timezone, minuteOf(args.at));
  const { category, cuisine, area, cursor, limit = PARTNER_LIMIT_DEFAULT } = args;
  const languages = wantedLanguages(args.lang);
  const openLikely = args.open === 'likely';
  const search = { destination, category, cuisine, area, openAt, openLikely, limit, cursor, languages };
  const results = searchPlaces(deps, search, openUntil);
  const number = deps.places.destinationNumber(destination.id);
  return placeList(deps, search, results, args, {
    local_time: formatLocalMinute(localMinuteOf(timezone, openAt)),
    timezone,
    unverified_count:
      number === undefined ? 0 : deps.places.unverifiedIn({ destination: number, category, cuisine, area }),
  });
}

function minuteOf(at: string): number {
  const [hours = 0, minutes = 0] = at.slice(11).split(':').map(Number);
  return dayNumber(at.slice(0, 10)) * DAY_MINUTES + hours * 60 + minutes;
}

function openUntil({ open }: Hit) {
  return { open_until: open.until?.toISOString() ?? null };
}
