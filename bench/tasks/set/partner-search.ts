import { holds, placeIds } from './holds.ts';
import type { MakeTask, Task } from '../task.ts';
import { next } from '../world/venues.ts';
import type { World } from '../world/world.ts';

type Sketch = Omit<Task, 'surface' | 'headers'>;

const asPartner =
  (sketch: (world: World) => Sketch): MakeTask =>
  async (world) => {
    const { headers } = await world.partner();
    return { surface: 'partner', headers, ...sketch(world) };
  };

interface Told {
  id: string;
  name: string;
  slug: string;
  vertical: string;
  area: string | null;
  rating: string | null;
  words: string;
  closed: boolean;
}

/** The places that an answer names by their ids. */
async function told({ sql }: World, answer: string): Promise<Told[]> {
  const ids = placeIds(answer);
  const rows = await sql<Told[]>`
    select p.id, p.name, d.slug, p.vertical, p.area, p.rating, p.closed_at is not null as closed,
      lower(concat_ws(' ', p.name, p.latin_name, p.names::text, p.category, p.cuisine::text, p.about)) as words
    from place p join destination d on d.id = p.destination_id where p.id = any(${ids})`;
  return rows.length === ids.length ? rows : [];
}

const all = (places: readonly Told[], test: (place: Told) => boolean) =>
  places.length > 0 && places.every((place) => !place.closed && test(place));

const SEARCH = 'search places in a destination';
const QUESTION = { do: 'concierge answer to a question of a traveller' } as const;

/** Partners search the directory and ask it. */
export const partnerSearch: readonly MakeTask[] = [
  asPartner((world) => ({
    name: 'search with a least rating',
    ask: 'Show me {cuisine} places in {where} rated {rating} or better.',
    said: { cuisine: 'seafood', where: 'Bali', rating: 4 },
    steps: [{ do: SEARCH }],
    solved: async ({ answer }) =>
      all(await told(world, answer), (place) => place.slug === 'bali' && Number(place.rating) >= 4),
  })),
  asPartner((world) => ({
    name: 'search with other parameter names',
    ask: 'I want {what} in {where}.',
    said: { what: 'ramen', where: 'Tokyo' },
    steps: [{ do: SEARCH }],
    habits: { names: { what: 'q', where: 'location' } },
    // Places of the dish come first, then those of the kinds that it implies.
    solved: async ({ answer }) => {
      const places = await told(world, answer);
      const first = places.find(({ id }) => id === placeIds(answer)[0]);
      return (
        first?.words.includes('ramen') === true &&
        all(places, ({ slug, words }) => slug === 'tokyo' && /ramen|noodle|japanese/.test(words))
      );
    },
  })),
  asPartner((world) => ({
    name: 'search with a typo in the destination',
    ask: 'Where are {kind}s in {where}?',
    said: { kind: 'spa', where: 'Bankok' },
    steps: [{ do: SEARCH }],
    solved: async ({ answer }) =>
      all(await told(world, answer), ({ slug, vertical }) => slug === 'bangkok' && vertical === 'spa'),
  })),
  asPartner((world) => ({
    name: 'search in a part of town',
    ask: 'Which {kind}s are there in {area} in {where}?',
    said: { kind: 'bar', area: 'Alfama', where: 'Lisbon' },
    steps: [{ do: SEARCH }],
    habits: { unknown: 'empty' },
    solved: async ({ answer }) =>
      all(
        await told(world, answer),
        ({ slug, vertical, area }) => slug === 'lisbon' && vertical === 'bar' && area === 'Alfama',
      ),
  })),
  asPartner((world) => ({
    name: 'the best few, with a quoted number',
    ask: 'Just {limit} {kind}s in {where}, please.',
    said: { limit: 3, kind: 'hotel', where: 'Istanbul' },
    steps: [{ do: SEARCH }],
    habits: { quoted: true, unknown: 'null', names: { limit: 'max_results' } },
    solved: async ({ answer }) => {
      const places = await told(world, answer);
      return (
        places.length === 3 &&
        all(places, ({ slug, vertical }) => slug === 'istanbul' && vertical === 'hotel')
      );
    },
  })),
  asPartner((world) => ({
    name: 'the next page',
    ask: 'List {limit} {kind}s in {where}, and then the {limit} after those.',
    said: { limit: 10, kind: 'restaurant', where: 'Tokyo' },
    steps: [{ do: SEARCH }, { do: `${SEARCH}, next page` }],
    solved: async ({ seen }) =>
      (await told(world, seen)).length === 20 &&
      all(await told(world, seen), ({ slug, vertical }) => slug === 'tokyo' && vertical === 'restaurant'),
  })),
  asPartner((world) => ({
    name: 'what is open now',
    ask: 'What {kind}s are open right now in {where}?',
    said: { kind: 'hotel', where: 'London' },
    steps: [{ do: 'places open right now in a destination' }],
    solved: async ({ answer }) =>
      all(await told(world, answer), ({ slug, vertical }) => slug === 'london' && vertical === 'hotel'),
  })),
  asPartner((world) => {
    const date = next(6);
    return {
      name: 'what is open at a time',
      ask: 'Which {kind}s in {where} are open on {date} at {time}?',
      said: { kind: 'restaurant', where: 'Rome', date, time: '20:00' },
      steps: [{ do: 'places open at a time in a destination' }],
      solved: async ({ answer }) => {
        const places = await told(world, answer);
        const open = await world.sql<{ id: string }[]>`
          select id from place, jsonb_array_elements(hours->'compiled'->'week'->6) as range
          where id = any(${places.map(({ id }) => id)})
            and (range->>0)::int <= 1200 and (range->>1)::int > 1200`;
        return (
          all(places, ({ slug, vertical }) => slug === 'rome' && vertical === 'restaurant') &&
          open.length === places.length
        );
      },
    };
  }),
  asPartner((world) => ({
    name: 'a question of a traveller',
    ask: '{question} (We are in {where}.)',
    said: { question: 'Where can six of us eat vegetarian food on Sunday evening?', where: 'Lisbon' },
    steps: [QUESTION],
    solved: async ({ answer }) => {
      const places = await told(world, answer);
      return all(places, ({ slug, name }) => slug === 'lisbon' && holds(answer, name));
    },
  })),
  asPartner((world) => ({
    name: 'a question with a typo in the destination and other names',
    ask: '{question} In {where}.',
    said: { question: 'Where do I get good coffee in the morning?', where: 'Amsterdamm' },
    steps: [QUESTION],
    habits: { names: { question: 'query', where: 'city' } },
    solved: async ({ answer }) =>
      all(await told(world, answer), ({ slug, name }) => slug === 'amsterdam' && holds(answer, name)),
  })),
  asPartner((world) => ({
    name: 'how many verified places a country has',
    ask: 'Which destinations in {country} do you cover, and how many verified places has each?',
    said: { country: 'Türkiye' },
    steps: [{ do: 'list destinations covered and the number of verified places' }],
    solved: async ({ answer }) => {
      const rows = await world.sql<{ name: string }[]>`
        select name from destination where country = 'TR'
          and exists (select 1 from place where destination_id = destination.id)`;
      return rows.length > 0 && rows.every(({ name }) => holds(answer, name));
    },
  })),
];
