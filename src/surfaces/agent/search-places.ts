import { z } from 'zod';
import type { OperationDeps } from '../../core/context.ts';
import { defineOperation, PreparedAnswer } from '../../core/operation.ts';
import { pageLimit, nextCursorSchema } from '../../core/page-limit.ts';
import { aroundList } from '../../core/text/json-text.ts';
import { languageArgument, wantedLanguages } from '../../core/text/languages.ts';
import { cachedAnswer } from '../../search/answer-memory.ts';
import { fieldsArgument } from '../../search/brief-card.ts';
import { CARD_EXAMPLE } from '../../directory/place/place-examples.ts';
import { briefCardSchema, cardSchema } from '../../directory/place/place-fields.ts';
import { countryArgument } from '../../directory/country/country.ts';
import { readCity, type CityReading } from '../../search/read-city.ts';
import { explainEmpty } from '../../search/empty-hint.ts';
import {
  bboxFilter,
  nearFilter,
  RADIUS_DEFAULT_M,
  RADIUS_MAX_M,
  readBox,
  readPoint,
} from '../../search/map-filters.ts';
import { openArguments, openFilterOf } from '../../search/open-arguments.ts';
import { selectFields, searchPlaces, type PlaceSearch } from '../../search/search-places.ts';
import { wishesArgument } from '../../search/wishes-argument.ts';
import { understoodSchema } from '../../search/understand/understood.ts';
import { agentReadTool } from './agent-tool.ts';

const SEARCH_LIMIT_DEFAULT = 20;
const SEARCH_LIMIT_MAX = 50;

const words = (max: number) => z.string().trim().min(1).max(max);

const input = z.object({
  q: words(200).optional().describe('Name, kind, brand, area or wish, or near a landmark, in any language.'),
  city: words(120).optional().describe('A destination (slug, id or name) or a city.'),
  country: countryArgument.optional(),
  category: words(60).optional().describe('A kind or a cuisine, in common words.'),
  area: words(120).optional().describe('A neighbourhood.'),
  near: nearFilter.optional(),
  radius_m: z.int().min(1).max(RADIUS_MAX_M).optional().describe(`With near: metres (${RADIUS_DEFAULT_M}).`),
  bbox: bboxFilter.optional(),
  ...openArguments,
  wishes: wishesArgument,
  lang: languageArgument,
  limit: pageLimit('How many places', { standard: SEARCH_LIMIT_DEFAULT, max: SEARCH_LIMIT_MAX }),
  cursor: z.string().min(1).max(200).optional().describe('next_cursor of the page before.'),
  fields: fieldsArgument.describe('More fields.'),
});

const output = z.object({
  places: z.array(cardSchema),
  count: z.int().describe('Number of places on this page.'),
  limit: z.int(),
  next_cursor: nextCursorSchema,
  query: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .describe('The search as sent, with the destination that city refers to.'),
  understood: understoodSchema.optional(),
  hint: z.string().optional().describe('What to try when nothing was found.'),
});

/** The tool output omits the caller's own query, and the fields of each place that were not requested. */
const toolOutput = output.partial({ limit: true, query: true }).extend({ places: z.array(briefCardSchema) });

const EXAMPLE: z.input<typeof output> = {
  places: [CARD_EXAMPLE],
  count: 1,
  limit: 1,
  next_cursor: null,
  query: { q: 'pizza', city: 'bali', destination: 'bali', limit: 1 },
};

export const searchPlacesForAgents = defineOperation({
  name: 'search_places',
  title: 'Search places',
  description: 'Real places not known to have closed, by how well they match. Costs one read.',
  tag: 'directory',
  ...agentReadTool,
  containsUntrustedText: true,
  metered: true,
  rest: { method: 'GET', path: '/api/agent/search' },
  input,
  output,
  toolOutput,
  failures: ['bad_cursor', 'daily_quota_exhausted', 'rate_limited'],
  example: { input: { q: 'pizza', city: 'bali', limit: 1 }, output: EXAMPLE },
  run({ deps }, args) {
    return cachedAnswer(deps, `agent ${JSON.stringify(args)}`, () => answerSearch(deps, args));
  },
});

function answerSearch(deps: OperationDeps, args: z.output<typeof input>): PreparedAnswer {
  const { limit = SEARCH_LIMIT_DEFAULT } = args;
  const snapshot = deps.destinations.current;
  const within: CityReading =
    args.city === undefined ? { country: args.country } : readCity(deps, args.city, args.country);
  const { destination, city, country, corrected } = within;
  const search: PlaceSearch = {
    text: args.q,
    destination,
    city,
    country,
    category: args.category,
    area: args.area ?? within.area,
    near:
      args.near === undefined
        ? undefined
        : { ...readPoint(args.near), radiusM: args.radius_m ?? RADIUS_DEFAULT_M },
    box: args.bbox === undefined ? undefined : readBox(args.bbox),
    ...openFilterOf(args, deps.clock.now()),
    wishes: args.wishes,
    languages: wantedLanguages(args.lang),
    corrected,
    limit,
    cursor: args.cursor,
  };
  const results = searchPlaces(deps, search);
  const query = {
    ...args,
    ...(country !== undefined && { country }),
    ...(within.area !== undefined && args.area === undefined && { area: within.area }),
    ...(destination === undefined ? {} : { destination: destination.slug }),
    limit,
  };
  const nothing = results.hits.length === 0 && args.cursor === undefined;
  const empty = nothing ? explainEmpty(deps, search, results, { text: 'q', openAt: 'open_now' }) : undefined;
  const hint = empty?.hint;
  const understood = empty === undefined ? results.understood : empty.understood;
  const { attribution } = snapshot;
  const page = { count: results.hits.length, next_cursor: results.nextCursor };
  const fields = selectFields(results, args);
  const brief = { ...page, understood, hint, attribution: attribution.attribution };
  const whole = { ...page, limit, query, understood, hint, ...attribution };
  return new PreparedAnswer(
    () => results.write(aroundList({}, 'places', whole), fields),
    () => `${results.summary(fields)}\n${hint === undefined ? '' : `${hint}\n`}${attribution.attribution}`,
    fields.includes('all') ? undefined : () => JSON.stringify({ places: results.brief(fields), ...brief }),
  );
}
