import { holds } from './holds.ts';
import type { MakeTask, Task } from '../task.ts';
import { next, venue, type Venue, type VenueWish } from '../world/venues.ts';
import type { Caller, World } from '../world/world.ts';

interface Given {
  world: World;
  partner: Caller;
  found: Venue;
}
type Sketch = Omit<Task, 'surface' | 'headers' | 'said'> & { said?: Task['said'] };

/** A task about a table at one venue, which is found by its name first. */
const at =
  (city: string, wish: VenueWish, sketch: (given: Given) => Sketch | Promise<Sketch>): MakeTask =>
  async (world, run) => {
    const partner = await world.partner();
    const found = await venue(world, run, wish);
    const { said, ...rest } = await sketch({ world, partner, found });
    const { headers } = partner;
    return { surface: 'concierge', headers, said: { name: found.name, where: city, ...said }, ...rest };
  };

export async function tables({ sql }: World, { id }: Caller) {
  const rows = await sql<
    {
      id: string;
      place_id: string;
      date: string;
      time: string;
      party_size: number;
      guest_name: string;
      notes: string | null;
      status: string;
      for_type: string;
      slug: string;
      category: string;
    }[]
  >`
    select b.id, b.place_id, b.date::text as date, b.time, b.party_size, b.guest_name, b.notes, b.status, b.for_type, d.slug,
      p.category
    from booking b join place p on p.id = b.place_id join destination d on d.id = p.destination_id
    where b.partner_id = ${id} order by b.created_at`;
  return rows;
}

/** The destination with the most places of a kind that can be asked for a table. */
async function townWith({ sql }: World, category: string): Promise<{ name: string; slug: string }> {
  const [town] = await sql<{ name: string; slug: string }[]>`
    select d.name, d.slug from place p join destination d on d.id = p.destination_id
    where p.category = ${category} and p.booking_method = 'request' and p.closed_at is null
    group by d.id order by count(*) desc, d.slug`;
  if (town === undefined) throw new Error(`The demonstration has no ${category} place to ask.`);
  return town;
}

const SUNDAY = next(6);
const FRIDAY = next(4);
const EVENING = '19:30';
const SEARCH = { do: 'search places in a destination by name', with: ['name', 'where'] } as const;
const WITH = ['people', 'date', 'time', 'guest', 'note'] as const;
const REQUEST = { do: 'request a table at a venue for a guest', with: WITH, find: ['id', 'status'] } as const;
const CHECK = {
  do: 'check availability at a date and time before requesting',
  with: ['people', 'date', 'time'],
  find: ['channel'],
} as const;
const open = (slug: string): VenueWish => ({ slug, method: 'request', at: { date: FRIDAY, time: EVENING } });

/** Somebody asks for a table. */
export const conciergeAsk: readonly MakeTask[] = [
  at('Lisbon', open('lisbon'), () => ({
    name: 'whether a table can be asked for',
    ask: 'Could {name} in {where} take {people} on {date} at {time}, and how would you ask them?',
    said: { people: 4, date: FRIDAY, time: EVENING },
    steps: [SEARCH, CHECK],
    solved: ({ answer }) =>
      /"can_request":true|can (be )?(request|ask)|will (text|mail|email|call|ring|write|ask)/i.test(answer),
  })),
  at('Rome', open('rome'), ({ world, partner, found }) => ({
    name: 'ask for a table',
    ask: 'Ask {name} in {where} for a table for {people} on {date} at {time}, for {guest}.',
    said: { people: 2, date: FRIDAY, time: EVENING, guest: 'Ana Costa' },
    steps: [SEARCH, REQUEST],
    solved: async ({ answer }) => {
      const [table, second] = await tables(world, partner);
      if (table === undefined || second !== undefined) return false;
      const { place_id, date, time, party_size, guest_name } = table;
      const asked = [place_id, date, time, party_size, guest_name];
      return (
        [found.id, FRIDAY, EVENING, 2, 'Ana Costa'].every((part, i) => part === asked[i]) &&
        holds(answer, table.id)
      );
    },
  })),
  async (world) => {
    const partner = await world.partner();
    const town = await townWith(world, 'vegetarian');
    return {
      name: 'find a place and ask for a table',
      surface: 'concierge',
      ask: 'Find a {what} place open on {date} at {time} near {area} in {where} for {people}, and ask for a table for {guest}.',
      said: {
        what: 'vegetarian',
        area: 'the old town',
        where: town.name,
        people: 6,
        date: SUNDAY,
        time: EVENING,
        guest: 'Jo Lind',
      },
      steps: [{ do: 'search places in a destination', with: ['what', 'area', 'where'] }, REQUEST],
      headers: partner.headers,
      solved: async ({ answer }) => {
        const [table] = await tables(world, partner);
        if (table === undefined) return false;
        const { slug, category, party_size, date } = table;
        const asked = [slug, category, party_size, date];
        return (
          [town.slug, 'vegetarian', 6, SUNDAY].every((part, i) => part === asked[i]) &&
          holds(answer, table.id)
        );
      },
    };
  },
  async (world) => {
    const partner = await world.partner();
    return {
      name: 'find a place in a misspelt city and ask for a table',
      surface: 'concierge',
      ask: 'We are {people} in {where} on {date}. Find {what} and ask for a table at {time} for {guest}.',
      said: {
        what: 'seafood',
        where: 'Barcellona',
        people: 3,
        date: FRIDAY,
        time: EVENING,
        guest: 'Mira Holm',
      },
      steps: [{ do: 'search places in a destination', with: ['what', 'where'] }, REQUEST],
      habits: { names: { where: 'location', people: 'guests' }, quoted: true },
      headers: partner.headers,
      solved: async ({ answer }) => {
        const [table] = await tables(world, partner);
        if (table === undefined) return false;
        return (
          table.slug === 'barcelona' &&
          table.party_size === 3 &&
          table.date === FRIDAY &&
          holds(answer, table.id)
        );
      },
    };
  },
  at('Paris', open('paris'), ({ world, partner, found }) => ({
    name: 'ask for a table with other names, quoted numbers and blanks',
    ask: 'Table for {people} at {name}, {where}, {date} {time}, name {guest}.',
    said: { people: 6, date: FRIDAY, time: EVENING, guest: 'Tom Brandt' },
    steps: [SEARCH, REQUEST],
    habits: { names: { people: 'people' }, quoted: true, unknown: 'empty' },
    solved: async () => {
      const [table] = await tables(world, partner);
      return table?.place_id === found.id && table.party_size === 6 && table.guest_name === 'Tom Brandt';
    },
  })),
  at('London', open('london'), ({ world, partner, found }) => ({
    name: 'a note with a telephone number',
    ask: 'Ask {name} in {where} for {people} on {date} at {time} for {guest}. Tell them: {note}',
    said: {
      people: 2,
      date: FRIDAY,
      time: EVENING,
      guest: 'Lena Voss',
      note: 'A quiet corner. Ring +49 170 1234567.',
    },
    steps: [SEARCH, REQUEST],
    solved: async () => {
      const [table] = await tables(world, partner);
      return (
        table?.place_id === found.id && table.guest_name === 'Lena Voss' && !/1234567/.test(table.notes ?? '')
      );
    },
  })),
  at('Bangkok', { slug: 'bangkok', method: 'venue_system' }, ({ world, partner, found }) => ({
    name: 'a venue that takes bookings on its own page',
    ask: 'Get {guest} a table for {people} at {name} in {where} on {date} at {time}. If you cannot ask, give me their page.',
    said: { people: 2, date: FRIDAY, time: EVENING, guest: 'Kim Tan' },
    steps: [SEARCH, { ...REQUEST, find: ['link'] }],
    solved: async ({ answer }) =>
      (await tables(world, partner)).length === 0 && holds(answer, new URL(found.booking_url ?? '').host),
  })),
  at('Tokyo', { slug: 'tokyo', method: 'not_through' }, ({ world, partner }) => ({
    name: 'a venue that wants no requests',
    ask: 'Ask {name} in {where} for a table for {people} on {date} at {time} for {guest}.',
    said: { people: 2, date: FRIDAY, time: EVENING, guest: 'Kim Tan' },
    steps: [SEARCH, { do: REQUEST.do, with: WITH }],
    solved: async ({ answer }) =>
      (await tables(world, partner)).length === 0 && /opted_out|asked not to|wants? no/i.test(answer),
  })),
  at('Rome', { ...open('rome'), shutOn: next(0) }, ({ world, partner, found }) => ({
    name: 'another day when the first is shut',
    ask: 'Ask {name} in {where} for {people} at {time} on {date} for {guest}; take the second day only if they are shut on the first.',
    said: { people: 4, date: [next(0), FRIDAY], time: EVENING, guest: 'Nils Berg' },
    steps: [SEARCH, REQUEST],
    solved: async () => {
      const [table, second] = await tables(world, partner);
      return second === undefined && table?.place_id === found.id && table.date === FRIDAY;
    },
  })),
  at('Bali', open('bali'), async ({ world, partner, found }) => {
    const member = await world.member('Ayu P.');
    return {
      name: 'a table for a member',
      ask: 'Ask {name} in {where} for {people} on {date} at {time} for our member {member}; the code that she gave us is {code}.',
      said: { people: 2, date: FRIDAY, time: EVENING, member: member.id, code: member.code },
      steps: [
        SEARCH,
        {
          ...REQUEST,
          do: 'request a table at a venue for a member',
          with: ['people', 'date', 'time', 'member', 'code'],
        },
      ],
      solved: async () => {
        const [table] = await tables(world, partner);
        return table?.place_id === found.id && table.for_type === 'member';
      },
    };
  }),
];
