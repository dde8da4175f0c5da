import { perform } from '../perform/perform.ts';
import type { World } from './world.ts';

const PARTNERS = 3;
const BOOKINGS_EACH = 4;

/** Has every partner ask for tables, so that each has bookings to ask about, and others have some to be curious of. */
export async function addBookings(world: World, placeIds: readonly string[]): Promise<void> {
  let made = 0;
  for (const [n, place_id] of placeIds.entries()) {
    if (made === PARTNERS * BOOKINGS_EACH) return;
    const [asked] = await perform(world, {
      kind: 'tool',
      endpoint: '/api/concierge/mcp',
      name: 'request_table',
      input: {
        place_id,
        date: `@@date:soon:${n}@@`,
        time: '19:00',
        party_size: 2,
        guest_name: `@@private:guest:${n}@@`,
      },
      modern: false,
      message: {},
      caller: { role: 'partner', nth: made % PARTNERS, from: n },
      oddity: undefined,
    });
    if (asked === undefined || !/"booking_id":"bkg_/.test(asked.answer.text)) continue;
    made++;
    world.learn(asked);
    world.values.add('bookable', place_id);
  }
}
