import { holds, holdsPhone, placeIds } from './holds.ts';
import type { MakeTask, Task } from '../task.ts';
import { next, venue } from '../world/venues.ts';
import type { World } from '../world/world.ts';

type Sketch = Omit<Task, 'surface' | 'headers'>;

const asAgent =
  (sketch: (world: World, run: number) => Promise<Sketch> | Sketch): MakeTask =>
  async (world, run) => {
    const { headers } = await world.agent();
    return { surface: 'agent', headers, ...(await sketch(world, run)) };
  };

/** Whether the answer names at least this many matching places, and no others. */
async function toldOf(
  { sql }: World,
  answer: string,
  at: { slug: string; kind?: string; word?: string; atLeast: number; atMost?: number },
): Promise<boolean> {
  const ids = placeIds(answer);
  if (ids.length < at.atLeast || ids.length > (at.atMost ?? 50)) return false;
  const [row] = await sql<{ fitting: number }[]>`
    select count(*)::int as fitting from place p join destination d on d.id = p.destination_id
    where p.id = any(${ids}) and d.slug = ${at.slug}
      and (${at.kind ?? null}::text is null or p.vertical = ${at.kind ?? null})
      and (${at.word ?? null}::text is null
        or concat_ws(' ', p.name, p.latin_name, p.names::text, p.category, p.cuisine::text, p.about) ilike '%' || ${at.word ?? ''} || '%')`;
  return row?.fitting === ids.length;
}

/** All destinations of a country are named, and the task is about nothing else. */
async function namesAll({ sql }: World, answer: string, country: string): Promise<boolean> {
  const rows = await sql<{ name: string }[]>`
    select name from destination where country = ${country}
      and exists (select 1 from place where destination_id = destination.id)`;
  return rows.length > 0 && rows.every(({ name }) => holds(answer, name));
}

/** Agents read the directory. */
export const agentDirectory: readonly MakeTask[] = [
  asAgent((world) => ({
    name: 'destinations of a country by its other name',
    ask: 'I am going to {country}. Which destinations there do you cover?',
    said: { country: 'Viet Nam' },
    steps: [{ do: 'list the destinations covered in a country' }],
    solved: ({ answer }) => namesAll(world, answer, 'VN'),
  })),
  asAgent((world) => ({
    name: 'destinations of a country by its older name',
    ask: 'Which towns of the {country} do you have?',
    said: { country: 'Czech Republic' },
    steps: [{ do: 'list the destinations covered in a country' }],
    habits: { unknown: 'empty' },
    solved: ({ answer }) => namesAll(world, answer, 'CZ'),
  })),
  asAgent((world) => ({
    name: 'search by kind and cuisine',
    ask: 'Find {cuisine} restaurants in {where}.',
    said: { cuisine: 'seafood', where: 'Lisbon' },
    steps: [{ do: 'search places in a destination' }],
    solved: ({ answer }) => toldOf(world, answer, { slug: 'lisbon', word: 'seafood', atLeast: 1 }),
  })),
  asAgent((world) => ({
    name: 'search with other parameter names',
    ask: 'Look for {what} in {where}.',
    said: { what: 'sushi', where: 'Tokyo' },
    steps: [{ do: 'search places in a destination' }],
    habits: { names: { what: 'query', where: 'location' } },
    solved: ({ answer }) => toldOf(world, answer, { slug: 'tokyo', word: 'sushi', atLeast: 1 }),
  })),
  asAgent((world) => ({
    name: 'search with a quoted limit and empty rest',
    ask: 'Name {limit} {kind}s in {where}, no more.',
    said: { limit: 5, kind: 'cafe', where: 'Paris' },
    steps: [{ do: 'search places in a destination' }],
    habits: { quoted: true, unknown: 'empty' },
    solved: ({ answer }) => toldOf(world, answer, { slug: 'paris', kind: 'cafe', atLeast: 5, atMost: 5 }),
  })),
  asAgent((world) => ({
    name: 'search with a limit above the cap',
    ask: 'Give me {limit} {kind}s in {where} if you have so many.',
    said: { limit: 100, kind: 'restaurant', where: 'Bangkok' },
    steps: [{ do: 'search places in a destination' }],
    solved: ({ answer }) => toldOf(world, answer, { slug: 'bangkok', kind: 'restaurant', atLeast: 50 }),
  })),
  asAgent((world) => ({
    name: 'search with a typo in the city',
    ask: 'Any {kind}s in {where}?',
    said: { kind: 'bar', where: 'Barcelna' },
    steps: [{ do: 'search places in a destination' }],
    habits: { unknown: 'null' },
    solved: ({ answer }) => toldOf(world, answer, { slug: 'barcelona', kind: 'bar', atLeast: 1 }),
  })),
  asAgent(async (world, run) => {
    const { name, phone } = await venue(world, run, { slug: 'rome', method: 'phone', phone: true });
    return {
      name: 'the number of a named place',
      ask: 'What number do I ring to book at {name} in {where}?',
      said: { name, where: 'Rome' },
      steps: [
        { do: 'search places in a destination by name' },
        { do: 'get the full record of one place, how to book', find: ['phone'] },
      ],
      solved: ({ answer }) => holdsPhone(answer, phone),
    };
  }),
  asAgent(async (world, run) => {
    const date = next(4);
    const { name, hours } = await venue(world, run, { slug: 'london', at: { date, time: '18:00' } });
    return {
      name: 'the hours of a named place',
      ask: 'Until when is {name} in {where} open on Fridays?',
      said: { name, where: 'London' },
      steps: [
        { do: 'search places in a destination by name' },
        { do: 'get the full record of one place, hours', find: ['hours'] },
      ],
      habits: { names: { name: 'query', where: 'location' } },
      solved: ({ answer }) => closing(hours?.compiled.week[4] ?? []).every((time) => holds(answer, time)),
    };
  }),
  asAgent(async (world, run) => {
    const { name, booking_url } = await venue(world, run, { slug: 'paris', method: 'venue_system' });
    const host = new URL(booking_url ?? 'https://none.example').host;
    return {
      name: 'the booking page of a named place, filled in',
      ask: 'Give me the page where I book {name} in {where} for {people} on {date} at {time}.',
      said: { name, where: 'Paris', people: 4, date: next(4), time: '20:00' },
      steps: [
        { do: 'search places in a destination by name', with: ['name', 'where'] },
        { do: 'get the full record of one place, how to book', find: ['link'] },
      ],
      habits: { names: { people: 'guests' }, quoted: true },
      solved: ({ answer }) => holds(answer, host),
    };
  }),
];

/** When a day ends, by the clock. */
function closing(ranges: readonly (readonly [number, number])[]): string[] {
  const last = ranges.at(-1)?.[1] ?? 0;
  const minutes = last > 1440 ? last - 1440 : last;
  return [`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`];
}
