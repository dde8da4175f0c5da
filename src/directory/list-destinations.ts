import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import { defineOperation, PreparedAnswer } from '../core/operation.ts';
import { countryArgument, countryNamed } from './country/country.ts';
import example from './destinations-example.json' with { type: 'json' };
import { withPlaces, type Destination, type DestinationSnapshot } from './destinations.ts';
import sets from './sets/sets.json' with { type: 'json' };
import { formatCount, formatNumber } from '../core/text/format-count.ts';
import { fold } from '../core/text/fold.ts';
import { quoteUntrusted, joinFacts, joinLines } from '../core/text/tool-text.ts';

// Figures from the service's descriptions. Returned as stated, beside the computed count; shown nowhere as fact.
const STATED = { agent: 106, partner: 119 } as const;

const destinationSchema = z.object({
  id: z.string().describe('Identifier of the destination; accepted wherever a destination is expected.'),
  slug: z.string().describe('Short name for URLs; accepted wherever a destination is expected.'),
  name: z.string(),
  country: z.string().describe('ISO 3166 alpha-2 country code.'),
  country_name: z.string().describe('English name of the country.'),
  timezone: z.string().describe('IANA time zone; clock times at this destination are local to it.'),
  places: z
    .int()
    .min(0)
    .describe('Places in the directory that are not known to have closed. Counted, never claimed.'),
  verified_places: z
    .int()
    .min(0)
    .describe('Of these, confirmed by a person or a source check within 365 days.'),
});

/** Members of a destination that the whole list includes on request. */
const moreSet = closedSet('DestinationField', sets.DestinationField, { explainedInTools: false });
const MORE = moreSet.values;

const input = z.object({
  country: countryArgument.optional(),
  query: z.string().min(1).max(80).optional().describe('Part of a name, in any language.'),
  fields: moreSet.some('More fields for each entry.'),
});

const output = z.object({
  destinations: z.array(destinationSchema),
  count: z.int().min(0).describe('Number of destinations in this answer.'),
  stated: z
    .object({ agent: z.int(), partner: z.int() })
    .describe('Figures as stated in the descriptions of the surfaces. The actual number is in count.'),
});

/** A tool returns the whole list by country, with names only; a filtered list has all members. */
const toolOutput = output.partial({ stated: true }).extend({
  destinations: z
    .array(destinationSchema.partial().required({ slug: true, country: true }))
    .optional()
    .describe('With country, query or fields.'),
  by_country: z
    .record(z.string(), z.record(z.string(), z.int()))
    .optional()
    .describe('By ISO country code: slugs of its destinations, each with its number of places.'),
});

export const listDestinations = defineOperation({
  name: 'list_destinations',
  title: 'List destinations',
  description:
    'Destinations that have places, by country, with their number. Needs no key, costs no read. With country or query also ids, time zones and verified places.',
  tag: 'directory',
  effect: 'read',
  containsUntrustedText: false,
  access: { who: 'anyone' },
  rest: { method: 'GET', path: '/api/agent/destinations' },
  price: 0,
  tools: ['agent', 'partner'],
  input,
  output,
  toolOutput,
  example: { input: { country: 'ID' }, output: { ...example, stated: STATED } },
  run(ctx, { country, query, fields }) {
    const snapshot = listed(ctx.deps.destinations.current);
    if (country !== undefined || query !== undefined)
      return filtered(snapshot, select(snapshot.destinations, country, query));
    return everything(snapshot, fields);
  },
});

const listedBySnapshot = new WeakMap<DestinationSnapshot, DestinationSnapshot>();

/** The snapshot with the destinations that are listed: those with places. */
function listed(snapshot: DestinationSnapshot): DestinationSnapshot {
  return listedBySnapshot.getOrInsertComputed(snapshot, () => ({
    ...snapshot,
    destinations: withPlaces(snapshot.destinations),
  }));
}

type More = (typeof MORE)[number];

const preparedBySnapshot = new WeakMap<DestinationSnapshot, Map<string, PreparedAnswer>>();

/** The most frequent answer by far, so it is serialized once per snapshot and choice of fields. */
function everything(snapshot: DestinationSnapshot, fields: readonly More[] = []): PreparedAnswer {
  const chosen = MORE.filter((field) => fields.includes(field));
  const prepared = preparedBySnapshot.getOrInsertComputed(snapshot, () => new Map());
  return prepared.getOrInsertComputed(chosen.join(), () => {
    const { destinations } = snapshot;
    const { attribution } = snapshot.attribution;
    const count = destinations.length;
    const brief = () =>
      chosen.length === 0 ? { by_country: byCountry(snapshot) } : records(snapshot, chosen);
    return new PreparedAnswer(
      fullAnswer(snapshot, destinations),
      () => joinLines(countWords(destinations), ...countryLines(destinations), attribution),
      () => JSON.stringify({ ...brief(), count, attribution }),
    );
  });
}

function filtered(snapshot: DestinationSnapshot, matches: readonly Destination[]): PreparedAnswer {
  const none = matches.length === 0 && 'No destination matches. Leave out the filters to see all of them.';
  return new PreparedAnswer(fullAnswer(snapshot, matches), () =>
    joinLines(none || countWords(matches), ...matches.map(destinationLine), snapshot.attribution.attribution),
  );
}

function fullAnswer(snapshot: DestinationSnapshot, matches: readonly Destination[]): () => string {
  return () => {
    const destinations = matches.map((destination) => destinationSchema.parse(destination));
    return JSON.stringify({ destinations, count: matches.length, stated: STATED, ...snapshot.attribution });
  };
}

function records({ destinations }: DestinationSnapshot, fields: readonly More[]): object {
  return {
    destinations: destinations.map((destination) => ({
      slug: destination.slug,
      country: destination.country,
      ...Object.fromEntries(fields.map((field) => [field, destination[field]])),
    })),
  };
}

function byCountry({ destinations }: DestinationSnapshot): Record<string, Record<string, number>> {
  const countries: Record<string, Record<string, number>> = {};
  for (const { country, slug, places } of destinations) (countries[country] ??= {})[slug] = places;
  return countries;
}

function countWords(destinations: readonly Destination[]): string {
  const countries = new Set(destinations.map(({ country }) => country)).size;
  return `${formatCount(destinations.length, 'destination')} in ${formatCount(countries, 'country', 'countries')}, each with its number of places:`;
}

function countryLines(destinations: readonly Destination[]): string[] {
  const groups = Map.groupBy(destinations, ({ country }) => country);
  return [...groups].map(([country, members]) => {
    const names = members.map(({ slug, places }) => `${slug} ${places}`);
    return `${country} ${members[0]?.country_name ?? ''}: ${names.join(', ')}`;
  });
}

function destinationLine({ slug, name, country, country_name, timezone, ...counts }: Destination): string {
  const { places, verified_places } = counts;
  return joinFacts(
    `${quoteUntrusted(name)} (${slug})`,
    `${country_name} (${country})`,
    timezone,
    `${formatNumber(verified_places)} verified of ${formatCount(places, 'place')}`,
  );
}

function select(
  all: readonly Destination[],
  country: string | undefined,
  query: string | undefined,
): Destination[] {
  const folded = query === undefined ? undefined : fold(query);
  const namedCountry = query === undefined ? undefined : countryNamed(query);
  return all.filter((destination) => {
    if (country !== undefined && destination.country !== country) return false;
    if (folded === undefined || destination.country === namedCountry) return true;
    return [destination.name, destination.slug, destination.country_name, ...destination.other_names].some(
      (name) => fold(name).includes(folded),
    );
  });
}
