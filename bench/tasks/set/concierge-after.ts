import { holds } from './holds.ts';
import { tables } from './concierge-ask.ts';
import type { MakeTask, Task } from '../task.ts';
import { next, venue, type Venue } from '../world/venues.ts';
import type { Caller, World } from '../world/world.ts';

const FRIDAY = next(4);
const EVENING = '19:30';

interface Given {
  world: World;
  partner: Caller;
  found: Venue;
  bookingId: string;
}
type Sketch = Omit<Task, 'surface' | 'headers' | 'said'> & { said?: Task['said'] };

/** A task about a table that was asked for before. The agent knows the venue's name, not the id of the booking. */
const after =
  (slug: string, sketch: (given: Given) => Sketch | Promise<Sketch>): MakeTask =>
  async (world, run) => {
    const partner = await world.partner();
    const found = await venue(world, run, { slug, method: 'request', hoursUnknown: true });
    const asked = { place_id: found.id, date: FRIDAY, time: EVENING, party_size: 4, guest_name: 'Ana Costa' };
    const bookingId = await world.table(partner, asked);
    const { said, ...rest } = await sketch({ world, partner, found, bookingId });
    return { surface: 'concierge', headers: partner.headers, said: { name: found.name, ...said }, ...rest };
  };

const STATUS = { do: 'booking status of bookings', with: [], find: ['status'] } as const;
const MODIFY = { do: 'modify a booking, change it', find: ['status'] } as const;

/** Somebody asks where a table stands, changes it or gives it up. */
export const conciergeAfter: readonly MakeTask[] = [
  after('lisbon', async ({ world, bookingId, found }) => {
    await world.venueSays(bookingId, 'yes');
    return {
      name: 'whether a table is booked',
      ask: 'Has {name} answered about our table? Is it booked?',
      steps: [STATUS],
      solved: ({ answer }) => holds(answer, found.name, 'confirmed', bookingId),
    };
  }),
  after('rome', async ({ world, bookingId, found }) => {
    await world.venueSays(bookingId, 'no');
    return {
      name: 'where every table stands',
      ask: 'Where do all our table requests stand? I do not know more than that.',
      steps: [STATUS],
      habits: { unknown: 'empty' },
      solved: ({ answer }) => holds(answer, found.name, 'declined'),
    };
  }),
  after('paris', async ({ world, partner, bookingId }) => {
    await world.venueSays(bookingId, 'yes');
    return {
      name: 'a table for more people',
      ask: 'We are {people} now at {name}, not four. Please change it.',
      said: { people: 5 },
      steps: [STATUS, { ...MODIFY, with: ['people'] }],
      solved: async () => {
        const [table, second] = await tables(world, partner);
        return second === undefined && table?.party_size === 5;
      },
    };
  }),
  after('london', async ({ world, partner, bookingId }) => {
    await world.venueSays(bookingId, 'yes');
    return {
      name: 'another time, with other names and blanks',
      ask: 'Move the table at {name} to {time}.',
      said: { time: '20:00' },
      steps: [STATUS, { ...MODIFY, with: ['time'] }],
      habits: { names: { booking: 'id' }, unknown: 'empty' },
      solved: async () => {
        const [table, second] = await tables(world, partner);
        return second === undefined && table?.time === '20:00' && table.party_size === 4;
      },
    };
  }),
  after('bali', async ({ world, partner, bookingId }) => {
    await world.venueSays(bookingId, 'no', { time: '20:30' });
    return {
      name: 'take the offer of the venue',
      ask: '{name} has made us another offer, I think. If it did, take it.',
      steps: [STATUS, { do: 'modify a booking, accept the offer', with: [], find: ['status'] }],
      solved: async () => {
        const [table] = await tables(world, partner);
        return table?.status === 'confirmed' && table.time === '20:30';
      },
    };
  }),
  after('barcelona', ({ world, partner }) => ({
    name: 'give a table up',
    ask: 'We cannot go to {name} after all. Cancel it, please. Reason: {reason}',
    said: { reason: 'The flight was cancelled.' },
    steps: [STATUS, { do: 'cancel a booking', with: ['reason'], find: ['status'] }],
    solved: async () => {
      const [table] = await tables(world, partner);
      return table?.status === 'cancelled';
    },
  })),
  after('tokyo', async ({ world, partner, bookingId }) => {
    await world.venueSays(bookingId, 'yes');
    return {
      name: 'give a booked table up, with another name and nulls',
      ask: 'Cancel our table at {name}.',
      steps: [STATUS, { do: 'cancel a booking', with: [], find: ['status'] }],
      habits: { names: { booking: 'id' }, unknown: 'null' },
      solved: async () => {
        const [table] = await tables(world, partner);
        return table?.status === 'cancelled';
      },
    };
  }),
  after('sydney', ({ world, partner, found }) => ({
    name: 'the same table once more',
    ask: 'Did we ask {name} in {where} already? If not, ask for {people} on {date} at {time} for {guest}.',
    said: { where: 'Sydney', people: 4, date: FRIDAY, time: EVENING, guest: 'Ana Costa' },
    steps: [STATUS],
    solved: async ({ answer }) => holds(answer, found.name) && (await tables(world, partner)).length === 1,
  })),
  async (world, run) => {
    const partner = await world.partner();
    const url = `https://hooks.example/${run}/bookings`;
    return {
      name: 'be told of every move',
      surface: 'concierge',
      ask: 'Have every move of our bookings sent to {url}, and show me that it is set.',
      said: { url },
      steps: [
        { do: 'set the webhook url' },
        { do: 'webhook status, registered url and deliveries', with: [] },
      ],
      headers: partner.headers,
      solved: async ({ answer }) => {
        const rows =
          await world.sql`select 1 from webhook_endpoint where partner_id = ${partner.id} and url = ${url}`;
        return rows.length === 1 && holds(answer, url);
      },
    };
  },
];
