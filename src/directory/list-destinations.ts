import { z } from 'zod';
import { defineOperation, PreparedAnswer } from '../core/operation.ts';
import { countryArgument, countryNamed } from './country/country.ts';
import type { Destination, DestinationSnapshot } from './destinations.ts';
import { counted } from '../core/text/counted.ts';
import { fold } from '../core/text/fold.ts';

// What the service's descriptions say of itself. Given as stated, beside the computed count; shown nowhere as fact.
const STATED = { agent: 106, partner: 119 } as const;

const destinationSchema = z.object({
  id: z.string().describe('Identifier of the destination; accepted wherever a destination is asked for.'),
  slug: z.string().describe('Short name for addresses; accepted wherever a destination is asked for.'),
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
    .describe('Those of them that a person or a source check confirmed within 365 days.'),
});

const input = z.object({
  country: countryArgument.optional(),
  query: z
    .string()
    .min(1)
    .max(80)
    .optional()
    .describe('Part of a name of the destination or of its country, in any language.'),
});

const output = z.object({
  destinations: z.array(destinationSchema),
  count: z.int().min(0).describe('How many destinations this answer holds.'),
  stated: z
    .object({ agent: z.int(), partner: z.int() })
    .describe(
      'Figures from the descriptions of the surfaces, given as stated. The counted truth is in count.',
    ),
});

export const listDestinations = defineOperation({
  name: 'list_destinations',
  title: 'List destinations',
  description:
    'Every destination that the directory covers, with its country, time zone and the number of places in it. Needs no key and costs no read. Ordered by country, then name.',
  tag: 'directory',
  effect: 'read',
  access: { who: 'anyone' },
  rest: { method: 'GET', path: '/api/agent/destinations' },
  price: 0,
  tools: ['agent', 'partner'],
  input,
  output,
  example: {
    input: { country: 'ID' },
    output: {
      destinations: [
        {
          id: 'dst_01kdtqb00071qz6sbs7e2vkqza',
          slug: 'bali',
          name: 'Bali',
          country: 'ID',
          country_name: 'Indonesia',
          timezone: 'Asia/Makassar',
          places: 1204,
          verified_places: 981,
        },
      ],
      count: 1,
      stated: STATED,
    },
  },
  run(ctx, { country, query }) {
    const snapshot = ctx.deps.destinations.current;
    if (country === undefined && query === undefined) return everything(snapshot);
    return answer(snapshot, select(snapshot.destinations, country, query));
  },
});

const preparedBySnapshot = new WeakMap<DestinationSnapshot, PreparedAnswer>();

/** The whole list is the most frequent answer by far: it is written once per snapshot. */
function everything(snapshot: DestinationSnapshot): PreparedAnswer {
  const known = preparedBySnapshot.get(snapshot);
  if (known !== undefined) return known;
  const prepared = answer(snapshot, snapshot.destinations);
  preparedBySnapshot.set(snapshot, prepared);
  return prepared;
}

function select(
  all: readonly Destination[],
  country: string | undefined,
  query: string | undefined,
): Destination[] {
  const wanted = query === undefined ? undefined : fold(query);
  const wantedCountry = query === undefined ? undefined : countryNamed(query);
  return all.filter((destination) => {
    if (country !== undefined && destination.country !== country) return false;
    if (wanted === undefined || destination.country === wantedCountry) return true;
    return [destination.name, destination.slug, destination.country_name, ...destination.other_names].some(
      (name) => fold(name).includes(wanted),
    );
  });
}

function answer(snapshot: DestinationSnapshot, found: readonly Destination[]): PreparedAnswer {
  const destinations = found.map((destination) => destinationSchema.parse(destination));
  const payload = { destinations, count: found.length, stated: STATED, ...snapshot.attribution };
  const countries = new Set(found.map((destination) => destination.country)).size;
  const names = found.slice(0, 20).map((destination) => destination.name);
  const more = found.length > names.length ? `, and ${found.length - names.length} more` : '';
  const summary =
    found.length === 0
      ? 'No destination matches. Leave out the filters to see all of them.'
      : `${counted(found.length, 'destination', 'destinations')} in ${counted(countries, 'country', 'countries')}: ${names.join(', ')}${more}.`;
  return new PreparedAnswer(JSON.stringify(payload), `${summary}\n${snapshot.attribution.attribution}`);
}
