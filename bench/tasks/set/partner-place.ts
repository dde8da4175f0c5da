import { holds, holdsPhone } from './holds.ts';
import type { MakeTask, Task } from '../task.ts';
import { next, venue, type Venue, type VenueWish } from '../world/venues.ts';
import type { World } from '../world/world.ts';

type Sketch = Omit<Task, 'surface' | 'headers' | 'said'> & { said?: Task['said'] };

/** A task about one venue, which is found by its name first. */
const about =
  (city: string, wish: VenueWish, sketch: (venue: Venue, world: World) => Sketch): MakeTask =>
  async (world, run) => {
    const { headers } = await world.partner();
    const found = await venue(world, run, wish);
    const { said, ...rest } = sketch(found, world);
    return { surface: 'partner', headers, said: { name: found.name, where: city, ...said }, ...rest };
  };

const SEARCH = { do: 'search places in a destination by name', with: ['name', 'where'] } as const;
const LINK = { do: 'booking link for one place', find: ['link'] } as const;

/** Partners ask about one place. */
export const partnerPlace: readonly MakeTask[] = [
  about('Lisbon', { slug: 'lisbon', phone: true, vertical: 'restaurant' }, ({ phone, address }) => ({
    name: 'how to reach a place',
    ask: 'Where exactly is {name} in {where}, and what is its number?',
    steps: [SEARCH, { do: 'details of one place, contact', find: ['phone'] }],
    solved: ({ answer }) => holdsPhone(answer, phone) && (address === null || holds(answer, address)),
  })),
  about('Bangkok', { slug: 'bangkok', phone: true }, ({ phone }) => ({
    name: 'the number of a place in a misspelt city',
    ask: 'Telephone number of {name}, {where}?',
    said: { where: 'Bangkokk' },
    steps: [SEARCH, { do: 'details of one place, contact', find: ['phone'] }],
    habits: { names: { where: 'city' }, unknown: 'empty' },
    solved: ({ answer }) => holdsPhone(answer, phone),
  })),
  about('Paris', { slug: 'paris', menu: true }, ({ sections }) => {
    const dish = sections?.at(-1)?.items[0];
    return {
      name: 'what a dish costs',
      ask: 'How much is the {dish} at {name} in {where}?',
      said: { dish: dish?.name ?? '' },
      steps: [SEARCH, { do: 'menu of one place', find: ['menu'], with: [] }],
      solved: ({ answer }) => holds(answer, dish?.name ?? '?', dish?.price ?? '?'),
    };
  }),
  about('Tokyo', { slug: 'tokyo', menu: true }, ({ sections }) => ({
    name: 'the whole menu',
    ask: 'Read me the menu of {name} in {where}.',
    steps: [SEARCH, { do: 'menu of one place', find: ['menu'], with: [] }],
    habits: { names: { name: 'text' } },
    solved: ({ answer }) =>
      sections !== null &&
      sections.every(({ name, items }) =>
        holds(answer, name, ...items.flatMap((item) => [item.name, item.price])),
      ),
  })),
  about('Rome', { slug: 'rome', vertical: 'restaurant' }, ({ id }, world) => ({
    name: 'how well a place is rated',
    ask: 'How good is {name} in {where}, and how many say so?',
    steps: [SEARCH, { do: 'reviews and rating of one place', find: ['rating'], with: [] }],
    solved: async ({ answer }) => {
      const [row] = await world.sql<{ rating: string | null; review_count: number }[]>`
        select rating, review_count from place where id = ${id}`;
      if (row === undefined) return false;
      return row.rating === null
        ? holds(answer, 'null') || holds(answer, 'no')
        : holds(answer, row.rating, row.review_count);
    },
  })),
  about('Barcelona', { slug: 'barcelona', method: 'venue_system' }, ({ booking_url }) => ({
    name: 'a booking page that is filled in',
    ask: 'Send me the booking page of {name} in {where} for {people} people on {date} at {time}.',
    said: { people: 5, date: next(5), time: '21:00' },
    steps: [SEARCH, LINK],
    solved: ({ answer }) => holds(answer, new URL(booking_url ?? '').host),
  })),
  about('London', { slug: 'london', method: 'venue_system' }, ({ booking_url }) => ({
    name: 'a booking page with other names and quoted numbers',
    ask: 'Link to book {name} in {where}: {people} of us, {date}, {time}.',
    said: { people: 2, date: next(4), time: '19:30' },
    steps: [SEARCH, LINK],
    habits: { names: { people: 'guests' }, quoted: true, unknown: 'empty' },
    solved: ({ answer }) => holds(answer, new URL(booking_url ?? '').host),
  })),
  about('Rome', { slug: 'rome', method: 'phone', phone: true }, ({ phone }) => ({
    name: 'a booking link where one has to ring',
    ask: 'How do I book {name} in {where} for {people} on {date}?',
    said: { people: 4, date: next(5) },
    steps: [SEARCH, { ...LINK, find: ['phone'] }],
    solved: ({ answer }) => holdsPhone(answer, phone),
  })),
  about('Bangkok', { slug: 'bangkok', method: 'not_through' }, () => ({
    name: 'a booking link where nobody may ask',
    ask: 'Get me a booking link for {name} in {where}.',
    steps: [SEARCH, { do: LINK.do }],
    solved: ({ answer }) => holds(answer, 'not to be sent bookings'),
  })),
  about('Bali', { slug: 'bali', closed: true }, ({ id }) => ({
    name: 'a place that has closed',
    ask: 'Last year we sent guests to {place}. Can we still?',
    said: { place: id },
    steps: [{ do: 'details of one place', with: ['place'] }],
    solved: ({ answer }) => holds(answer, 'closed') || holds(answer, 'do not send'),
  })),
];
