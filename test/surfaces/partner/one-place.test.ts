import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchPlaces } from '../../../src/search/search-places.ts';
import { callTool, refusal } from '../../harness/clients/call-tool.ts';
import { startTestService } from '../../harness/service/service.ts';

const PATH = '/api/partner/mcp';
const service = await startTestService({ demoPlaces: 3000 });
const { pool } = service.database;

interface Details {
  open_now: boolean | null;
  booking: { method: string };
  booking_platform: string | null;
  booking_page: string | null;
  price_line: { read_at: string } | null;
  closed: { evidence: string | null; text: string } | null;
}
interface Link {
  method: string;
  url: string | null;
  booked: boolean;
  prefilled: Record<string, boolean>;
  chosen_by_venue: boolean;
  phone: string | null;
}
interface Menu {
  available: boolean;
  source: string | null;
  currency: string | null;
  sections: unknown[];
}

const details = (place_id: string) => callTool<Details>(service, PATH, 'place_details', { place_id });
const link = (place_id: string, ask: Record<string, unknown> = {}) =>
  callTool<Link>(service, PATH, 'booking_link', { place_id, ...ask });

async function anyId(where: string): Promise<string> {
  const [row] = await pool.unsafe<{ id: string }[]>(
    `select id from place where ${where} order by id limit 1`,
  );
  assert.ok(row, where);
  return row.id;
}

const PAGE = 'https://www.exploretock.com/senja';

test('details satisfy their schema whatever is known of a place', async () => {
  const ids = await pool<{ id: string }[]>`
    (select id from place order by id limit 40) union (select place_id from closure_evidence order by 1 limit 5)`;
  for (const { id } of ids) {
    const answer = await details(id);
    assert.doesNotMatch(JSON.stringify(answer), /\+00:00"/);
  }
});

test('a booking page is told in the details only where the venue chose it, while the link gives a derived one too', async () => {
  const id = await anyId('closed_at is null');
  for (const chosen of [false, true]) {
    await pool`
      update place set booking_method = 'venue_system', booking_url = ${PAGE}, chosen_by_venue = ${chosen} where id = ${id}`;
    const { booking_page, booking_platform } = await details(id);
    assert.deepEqual([booking_page, booking_platform], [chosen ? PAGE : null, 'tock']);
    const { url, chosen_by_venue, booked } = await link(id);
    assert.deepEqual([url, chosen_by_venue, booked], [PAGE, chosen, false]);
  }
});

test('a link carries the party, the date and the time, and says which of them', async () => {
  const id = await anyId('closed_at is null');
  await pool`update place set booking_method = 'venue_system', booking_url = ${PAGE} where id = ${id}`;
  const { url, prefilled, booked } = await link(id, { party_size: 2, date: '2026-12-24', time: '20:15' });
  assert.deepEqual(prefilled, { party_size: true, date: true, time: true });
  const { searchParams } = new URL(url ?? '');
  assert.deepEqual(
    ['date', 'size', 'time'].map((name) => searchParams.get(name)),
    ['2026-12-24', '2', '20:15'],
  );
  assert.equal(booked, false);
});

test('there is no page to open where the venue wants a request, a call, or nothing through us', async () => {
  const id = await anyId('closed_at is null and phone is not null');
  for (const method of ['request', 'phone', 'not_through']) {
    await pool`update place set booking_method = ${method}, booking_url = ${PAGE} where id = ${id}`;
    const answer = await link(id, { party_size: 2 });
    assert.deepEqual([answer.url, answer.booked], [null, false]);
    assert.equal(answer.method, method === 'not_through' ? 'not_through_svc' : method);
    assert.equal(answer.phone !== null, method === 'phone');
  }
});

test('nobody is told to hand out a number that is not known', async () => {
  const [place] = await pool<{ id: string; name: string }[]>`
    update place set booking_method = 'phone', phone = null
    where id = (select id from place where closed_at is null and booking_method = 'phone' order by id limit 1)
    returning id, name`;
  assert.ok(place);
  const link = await callTool<Record<string, unknown>>(service, PATH, 'booking_link', { place_id: place.id });
  assert.deepEqual([link['method'], link['phone'], link['url']], ['phone', null, null]);
  assert.match(String(link['guidance']), /^We have no phone number and no booking channel for this venue/);
  await service.app.deps.places.follow();
  const cards = searchPlaces(service.app.deps, { text: place.name, limit: 50 }).cards();
  assert.equal(cards.find(({ place_id }) => place_id === place.id)?.guidance, link['guidance']);
});

test('a place that closed says so in its details and its link, and in nothing else', async () => {
  const id = await anyId('closed_at is not null and id in (select place_id from closure_evidence)');
  const { open_now, closed, booking, booking_page } = await details(id);
  assert.deepEqual([open_now, booking.method, booking_page], [false, 'closed', null]);
  assert.match(closed?.evidence ?? '', /^(website_dead|published_report|venue_said)$/);
  assert.match(closed?.text ?? '', /closed/);
  const { method, url, phone } = await link(id);
  assert.deepEqual([method, url, phone], ['closed', null, null]);
  for (const tool of ['get_menu', 'get_reviews']) {
    const { code, text } = await refusal(service, PATH, tool, { place_id: id });
    assert.equal(code, 'place_not_found');
    assert.match(text, /closed/);
  }
});

test('a menu comes in the order and with the prices that the venue set', async () => {
  const id = await anyId('closed_at is null and id not in (select place_id from menu)');
  assert.deepEqual(
    await callTool<Menu>(service, PATH, 'get_menu', { place_id: id }).then((m) => [m.available, m.sections]),
    [false, []],
  );
  const sections = [
    { name: 'Zuppe', items: [{ name: 'Ribollita', description: 'Thick', price: '9,50', notes: 'vegan' }] },
    {
      name: 'Antipasti',
      items: [{ name: 'Crostini', price: '7.-' }, { name: 'Acqua', price: '007.00' }, { name: 'Pane' }],
    },
  ];
  await pool`insert into menu (place_id, currency, sections) values (${id}, 'EUR', ${pool.json(sections)})`;
  const menu = await callTool<Menu>(service, PATH, 'get_menu', { place_id: id });
  assert.deepEqual([menu.available, menu.source, menu.currency], [true, 'owner', 'EUR']);
  assert.deepEqual(menu.sections, [
    { name: 'Zuppe', items: [{ name: 'Ribollita', description: 'Thick', price: '9,50', notes: 'vegan' }] },
    {
      name: 'Antipasti',
      items: [
        { name: 'Crostini', description: null, price: '7.-', notes: null },
        { name: 'Acqua', description: null, price: '007.00', notes: null },
        { name: 'Pane', description: null, price: null, notes: null },
      ],
    },
  ]);
});

test('ratings come as numbers, without a word from any review', async () => {
  const id = await anyId('closed_at is null');
  await pool`update place set rating = 4.3, review_count = 17 where id = ${id}`;
  const answer = await callTool<Record<string, unknown>>(service, PATH, 'get_reviews', { place_id: id });
  assert.deepEqual(answer['public'], { rating: 4.3, count: 17, source: 'public' });
  assert.equal(answer['verified_guest'], null);
});

test('an unknown place and a wish that cannot be are refused', async () => {
  for (const tool of ['place_details', 'booking_link', 'get_menu', 'get_reviews']) {
    for (const place_id of ['plc_01kdtqb00071qz6sbs7e2vkqza', 'x', "'; drop table place; --"])
      assert.equal((await refusal(service, PATH, tool, { place_id })).code, 'place_not_found');
    for (const input of [{}, { place_id: 7 }, { place_id: '' }, { place_id: '\u0000' }])
      assert.equal((await refusal(service, PATH, tool, input)).code, 'validation_failed');
  }
  const place_id = await anyId('closed_at is null');
  for (const ask of [{ party_size: 51 }, { date: '2026-11-01' }, { date: '2028-01-01' }, { time: '9:00' }])
    assert.equal(
      (await refusal(service, PATH, 'booking_link', { place_id, ...ask })).code,
      'validation_failed',
    );
});
