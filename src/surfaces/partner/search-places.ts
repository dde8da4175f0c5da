import { z } from 'zod';
import type { OperationDeps } from '../../core/context.ts';
import { defineOperation, type PreparedAnswer } from '../../core/operation.ts';
import { cachedAnswer } from '../../search/answer-memory.ts';
import { requireDestination } from '../../directory/place/require-place.ts';
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
import { searchPlaces } from '../../search/search-places.ts';
import { wishesArgument } from '../../search/wishes-argument.ts';
import { understoodSchema } from '../../search/understand/understood.ts';

const input = z.object({
  destination: destinationArgument,
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Name, kind, cuisine, brand, area or wish, in any order and language.'),
  ...placeListFields,
  open_now: z.boolean().optional().describe('true: only those known to be open.'),
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
  run({ deps, now }, args) {
    return cachedAnswer(deps, `partner ${JSON.stringify(args)}`, () => answerSearch(deps, args, now));
  },
});

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
    openAt: args.open_now === true ? now : undefined,
    minRating: min_rating,
    price,
    wishes: args.wishes,
    languages: wantedLanguages(args.lang),
    limit: args.limit ?? PARTNER_LIMIT_DEFAULT,
    cursor: args.cursor,
  };
  return placeList(deps, search, searchPlaces(deps, search), args, undefined);
}
