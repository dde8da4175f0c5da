import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskingPartner, addVenue } from '../../bookings/asking-partner.ts';
import { callTool } from '../../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { signInVenue } from '../../harness/people/venue.ts';
import { SubmittingAgent } from '../../harness/people/submissions.ts';
import { startTestService } from '../../harness/service/service.ts';
import { refused } from './refused.ts';

const service = await startTestService({ demoPlaces: 3000, settings: { TABLE_KINDS: 'brewery,hotel' } });
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const agent = await SubmittingAgent.signUp(service);
const TABLE = { date: '2026-11-20', time: '19:30', party_size: 4 };
const PHONE = '+62361123456';

interface Made {
  vertical: string;
  category?: string;
  categories?: string[];
  chosen?: boolean;
  method?: 'request' | 'venue_system' | 'phone';
  website?: string;
  phone?: string | null;
}

async function place(made: Made): Promise<string> {
  const { vertical, category = vertical, categories = [], method = 'request', chosen = false } = made;
  const { phone = PHONE, website = null } = made;
  const id = await addVenue(service, { phone, method, name: `A ${category}` });
  await pool`
    update place set vertical = ${vertical}, category = ${category}, categories = ${categories},
      chosen_by_venue = ${chosen}, website = ${website} where id = ${id}`;
  await service.app.deps.places.follow();
  return id;
}

interface Booking {
  method: string;
  url: string | null;
  phone: string | null;
}

async function methodsOf(id: string): Promise<string[]> {
  const { body } = await agent.get<{ booking: Booking; name: string }>(`/api/agent/business/${id}`);
  const record = await callTool<{ booking: Booking }>(service, PARTNER_MCP, 'place_details', {
    place_id: id,
  });
  const [row] = await pool<{ slug: string; name: string }[]>`
    select d.slug, p.name from place p join destination d on d.id = p.destination_id where p.id = ${id}`;
  const found = await callTool<{ places: { place_id: string; booking?: Booking }[] }>(
    service,
    PARTNER_MCP,
    'search_places',
    { destination: row?.slug, query: row?.name, fields: ['all'] },
  );
  const card = found.places.find(({ place_id }) => place_id === id);
  return [body.booking.method, record.booking.method, card?.booking?.method ?? 'not found'];
}

async function asks(): Promise<number> {
  const [row] = await pool<{ count: number }[]>`select count(*)::int as count from booking`;
  return row?.count ?? 0;
}

for (const [vertical, category] of [
  ['taxi', 'taxi'],
  ['clinic', 'dental'],
  ['salon', 'barber'],
  ['guesthouse', 'apartment'],
] as const)
  test(`nobody asks a place of the kind ${category} for a table, and its booking method is phone`, async () => {
    const id = await place({ vertical, category });
    assert.deepEqual(await methodsOf(id), ['phone', 'phone', 'phone']);
    const before = await asks();
    const answer = (await refused(partner, 'request_table', {
      place_id: id,
      ...TABLE,
      guest_name: 'Guest Example',
    })) as unknown as { code: string; text: string; hint: string; booking: Booking };
    assert.equal(answer.code, 'not_bookable_here');
    assert.match(answer.hint, /Book by phone: \+62361123456/);
    assert.equal(answer.booking.phone, PHONE);
    assert.equal(await asks(), before);
    const seen = await partner.call<Record<string, unknown>>('check_availability', {
      place_id: id,
      ...TABLE,
    });
    assert.deepEqual(
      [seen['can_request'], seen['refusal'], seen['channel'], seen['answer_by']],
      [false, 'not_bookable_here', 'none', null],
    );
    assert.match(String(seen['how']), /Book by phone: \+62361123456/);
  });

test('a place without tables that has a booking page is refused with that page, filled in', async () => {
  const id = await place({ vertical: 'spa', method: 'venue_system', phone: null });
  const answer = (await refused(partner, 'request_table', {
    place_id: id,
    ...TABLE,
    guest_name: 'Guest Example',
  })) as unknown as { code: string; hint: string; booking: Booking };
  assert.equal(answer.code, 'not_bookable_here');
  assert.match(answer.booking.url ?? '', /^https:\/\/book\.venue\.example\//);
  assert.match(answer.hint, /own page: https:\/\/book\.venue\.example\//);
});

test('without a number and a page the website is named, and without that the traveller has to ask there', async () => {
  const hint = async (made: Made) =>
    (
      await refused(partner, 'request_table', {
        place_id: await place(made),
        ...TABLE,
        guest_name: 'Guest Example',
      })
    ).hint;
  const nothing = { vertical: 'tour', phone: null, method: 'phone' } as const;
  assert.match(
    (await hint({ ...nothing, website: 'https://tour.example/' })) ?? '',
    /https:\/\/tour\.example\//,
  );
  assert.match((await hint(nothing)) ?? '', /has to ask there/);
});

test('every kind with tables can be asked, by its vertical, its category or what else it is, and kinds of the operator too', async () => {
  for (const made of [
    { vertical: 'restaurant' },
    { vertical: 'cafe' },
    { vertical: 'bar', category: 'pub' },
    { vertical: 'nightclub' },
    { vertical: 'market', category: 'food_hall' },
    { vertical: 'beach', category: 'beach_club' },
    { vertical: 'shop', category: 'wine_bar' },
    { vertical: 'other', category: 'tea_house' },
    { vertical: 'guesthouse', categories: ['restaurant'] },
    { vertical: 'hotel', method: 'phone' as const },
    { vertical: 'attraction', category: 'brewery', method: 'phone' as const },
  ]) {
    const seen = await partner.call<{ can_request: boolean }>('check_availability', {
      place_id: await place(made),
      ...TABLE,
    });
    assert.equal(seen.can_request, true, JSON.stringify(made));
  }
});

test('a venue without tables that chose table requests itself is asked', async () => {
  const id = await place({ vertical: 'spa', chosen: true });
  assert.deepEqual(await methodsOf(id), ['request', 'request', 'request']);
  assert.ok(await partner.request(id));
});

test('its own area tells a venue without tables when to choose requests', async () => {
  const client = await signInVenue(service, await place({ vertical: 'taxi', method: 'phone' }));
  const page = await (await client.get('/venue/booking')).text();
  assert.match(page, /only if guests can sit down at a table with you/);
  const other = await signInVenue(service, await place({ vertical: 'restaurant', method: 'phone' }));
  assert.doesNotMatch(await (await other.get('/venue/booking')).text(), /only if guests can sit down/);
});

test('booking_link offers our call only where a table can be asked for', async () => {
  const guidance = async (vertical: string) =>
    (
      await callTool<{ guidance: string }>(service, PARTNER_MCP, 'booking_link', {
        place_id: await place({ vertical, method: 'phone' }),
      })
    ).guidance;
  assert.doesNotMatch(await guidance('clinic'), /request_table/);
  assert.match(await guidance('restaurant'), /request_table/);
});

test('no place of the demonstration takes table requests unless it has tables', async () => {
  const rows = await pool<{ vertical: string; count: number }[]>`
    select vertical, count(*)::int as count from place where source = 'demo' and booking_method = 'request' group by 1`;
  assert.ok(rows.length > 0);
  for (const { vertical } of rows)
    assert.ok(['restaurant', 'cafe', 'bar', 'nightclub'].includes(vertical), vertical);
});
