import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAt } from '../../../src/directory/hours/open-at.ts';
import { isUnderstood } from '../../../src/directory/hours/weekly-hours.ts';
import { isVerifiedHours } from '../../../src/directory/hours/verified-hours.ts';
import type { StoredHours } from '../../../src/directory/hours/stored-hours.ts';
import { callTool, refusal } from '../../harness/clients/call-tool.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { addMadeUpPlace } from '../../directory/made-up-place.ts';
import { roomyKey } from '../../harness/people/partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { DAY_MS } from '../../../src/core/time.ts';

const PATH = '/api/partner/mcp';
const service = await startTestService({ demoPlaces: 3000 });
const { pool } = service.database;

interface Card {
  place_id: string;
  name: string;
  category: string;
  vertical: string;
  cuisine: string[];
  area: string | null;
  rating: number | null;
  price_range: string | null;
  lat: number;
  lng: number;
  open_now: boolean | null;
  open_until?: string | null;
  distance_m?: number;
}
interface PlaceList {
  destination: { id: string; slug: string; timezone: string };
  places: Card[];
  count: number;
  next_cursor: string | null;
}
interface OpenList extends PlaceList {
  local_time: string;
  timezone: string;
  unverified_count: number;
}

const fields = ['all'];
const search = (input: Record<string, unknown>) =>
  callTool<PlaceList>(service, PATH, 'search_places', { ...input, fields });
const open = (input: Record<string, unknown>) =>
  callTool<OpenList>(service, PATH, 'open_places', { ...input, fields });

test('the tools of the surface stand in its list under plain names, all of them read-only', async () => {
  const { body } = await rpc(service, PATH, { id: 1, method: 'tools/list', params: {} });
  const tools = body.result?.['tools'] as { name: string; annotations: { readOnlyHint: boolean } }[];
  const names = tools.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of [
    'list_destinations',
    'search_places',
    'open_places',
    'place_details',
    'booking_link',
    'get_menu',
    'get_reviews',
    'directory_feed',
  ])
    assert.ok(names.includes(name), name);
  assert.ok(tools.every(({ annotations }) => annotations.readOnlyHint));
});

test('a search gives cards of its destination only, and every filter holds', async () => {
  const { destination, places, count } = await search({ destination: 'Tōkyō', limit: 50 });
  assert.equal(destination.slug, 'tokyo');
  assert.ok(places.length > 20 && count === places.length);
  const area = places.find((place) => place.area !== null)?.area;
  const { name, lat, lng } = places[3] ?? assert.fail();
  const inArea = await search({ destination: destination.id, area });
  assert.ok(inArea.places.length > 0 && inArea.places.every((place) => place.area === area));
  const restaurants = await search({ destination: 'tokyo', category: 'restaurant', limit: 50 });
  assert.ok(restaurants.places.every(({ vertical }) => vertical === 'restaurant'));
  const cuisine = restaurants.places.flatMap((place) => place.cuisine)[0] ?? assert.fail();
  const cooked = await search({ destination: 'tokyo', cuisine });
  assert.ok(cooked.places.length > 0);
  assert.ok(cooked.places.every((place) => [place.category, ...place.cuisine].includes(cuisine)));
  const named = await search({ destination: 'tokyo', query: name });
  assert.equal(named.places[0]?.name, name);
  const near = await search({ destination: 'tokyo', near: { lat, lng, radius_m: 20_000 } });
  assert.equal(near.places[0]?.distance_m, 0);
});

test('a minimum rating and a price range leave only places that have them', async () => {
  const rated = await search({ destination: 'paris', min_rating: 4.5, limit: 50 });
  assert.ok(rated.places.length > 0 && rated.places.every(({ rating }) => (rating ?? 0) >= 4.5));
  const priced = await search({ destination: 'paris', price: '$$', limit: 50 });
  assert.ok(priced.places.length > 0 && priced.places.every(({ price_range }) => price_range === '$$'));
  const both = await search({ destination: 'paris', price: '$$', min_rating: 4, open_now: true });
  assert.ok(both.places.every((p) => p.price_range === '$$' && (p.rating ?? 0) >= 4 && p.open_now === true));
});

test('the pages of a search follow each other without a gap or a repeat', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: PlaceList = await search({
      destination: 'london',
      limit: 9,
      ...(cursor !== null && { cursor }),
    });
    seen.push(...page.places.map(({ place_id }) => place_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  const all = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id where d.slug = 'london' and closed_at is null`;
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(new Set(seen), new Set(all.map(({ id }) => id)));
});

test('a cursor goes with every filter of its search', async () => {
  const asked = { destination: 'tokyo', min_rating: 1, limit: 1 };
  const { next_cursor: cursor } = await search(asked);
  assert.equal((await search({ ...asked, cursor, limit: 5 })).count, 5);
  for (const other of [{ min_rating: 2 }, { min_rating: undefined }, { price: '$$' }, { cuisine: 'sushi' }])
    assert.equal(
      (await refusal(service, PATH, 'search_places', { ...asked, ...other, cursor })).code,
      'bad_cursor',
      JSON.stringify(other),
    );
});

test('an unknown destination is an error that names those which are close to it', async () => {
  for (const tool of ['search_places', 'open_places', 'directory_feed']) {
    const { code, hint } = await refusal(service, PATH, tool, { destination: 'Parisville' });
    assert.equal(code, 'unknown_destination');
    assert.match(hint ?? '', /Paris/);
  }
});

test('a destination with a slip is the one that it can only mean, and with its country it is found too', async () => {
  const { destination } = await search({ destination: 'Paris' });
  for (const spelt of ['Pariss', 'Paris, France'])
    assert.deepEqual((await search({ destination: spelt })).destination, destination, spelt);
  for (const other of ['Paris, Texas, United States', 'Osl'])
    assert.equal(
      (await refusal(service, PATH, 'search_places', { destination: other })).code,
      'unknown_destination',
    );
});

test('arguments that cannot be are refused in words that a model can read', async () => {
  const cases: [string, Record<string, unknown>][] = [
    ['search_places', {}],
    ['search_places', { destination: '' }],
    ['search_places', { destination: 'bali', limit: 0 }],
    ['search_places', { destination: 'bali', min_rating: 6 }],
    ['search_places', { destination: 'bali', price: 'cheap' }],
    ['search_places', { destination: 'bali', near: { lat: 91, lng: 0 } }],
    ['open_places', { destination: 'bali', at: '2026-11-14' }],
    ['open_places', { destination: 'bali', at: '2026-02-30T10:00' }],
    ['open_places', { destination: 'bali', at: '2026-11-14T10:00Z' }],
    ['open_places', { destination: 'bali', at: '2026-11-14T25:00' }],
  ];
  for (const [tool, input] of cases) {
    assert.equal(
      (await refusal(service, PATH, tool, input)).code,
      'validation_failed',
      JSON.stringify(input),
    );
  }
  const { text } = await refusal(service, PATH, 'open_places', { destination: 'bali', at: 'tonight' });
  assert.equal(text, 'validation_failed: /at: must be a local time such as 2026-11-14T19:30');
  const forged = await refusal(service, PATH, 'search_places', {
    destination: 'bali',
    cursor: 'AAAAAAAAAAAAAAAA',
  });
  assert.equal(forged.code, 'bad_cursor');
});

test('places open at a local time are exactly those whose verified hours say so', async () => {
  const at = '2026-11-21T04:00';
  const moment = new Date('2026-11-20T20:00:00Z'); // Bali is eight hours ahead.
  const seen: Card[] = [];
  let cursor: string | null = null;
  do {
    const page: OpenList = await open({
      destination: 'bali',
      at,
      limit: 50,
      ...(cursor !== null && { cursor }),
    });
    assert.deepEqual([page.local_time, page.timezone], [at, 'Asia/Makassar']);
    seen.push(...page.places);
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.ok(seen.every(({ open_now }) => open_now === true));
  const rows = await pool<{ id: string; hours: StoredHours | null }[]>`
    select p.id, p.hours from place p join destination d on d.id = p.destination_id
    where d.slug = 'bali' and closed_at is null`;
  const expected = rows.flatMap(({ id, hours }) => {
    if (hours?.compiled == null || hours.compiled.doubtful === true) return [];
    const ageDays = (moment.getTime() - Date.parse(hours.observed_at)) / DAY_MS;
    if (hours.source === 'agent' || (hours.source === 'map' && ageDays > 731)) return [];
    if (hours.source === 'venue_website' && ageDays > 181) return [];
    const { open: is, until } = openAt(hours.compiled, 'Asia/Makassar', moment);
    return is === true ? [{ id, until: until?.toISOString() ?? null }] : [];
  });
  assert.ok(expected.length > 0);
  assert.deepEqual(
    seen
      .map(({ place_id, open_until }) => ({ id: place_id, until: open_until }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    expected.sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

test('hours that a person can read give the same answer as the tool', async () => {
  const [place] = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id
    where d.slug = 'rome' and closed_at is null order by id limit 1`;
  assert.ok(place);
  // Fridays from six in the evening to two in the morning, in the form in which hours are stored.
  const week = [[], [], [], [], [[1080, 1560]], [], []];
  const hours = {
    text: 'Fr 18:00-02:00',
    source: 'owner',
    observed_at: '2026-11-01T00:00:00Z',
    compiled: { week },
  };
  await pool`update place set hours = ${pool.json(hours)} where id = ${place.id}`;
  await service.app.deps.places.follow();
  const isOpen = async (at: string) => {
    const { places } = await open({ destination: 'rome', at, limit: 50 });
    return places.find(({ place_id }) => place_id === place.id)?.open_until;
  };
  assert.equal(await isOpen('2026-11-20T17:59'), undefined);
  assert.equal(await isOpen('2026-11-20T18:00'), '2026-11-21T01:00:00.000Z');
  assert.equal(await isOpen('2026-11-21T01:59'), '2026-11-21T01:00:00.000Z');
  assert.equal(await isOpen('2026-11-21T02:00'), undefined);
  assert.equal(await isOpen('2026-11-19T20:00'), undefined);
});

test('without a time the clocks of the destination count, and unverified hours are counted apart', async () => {
  const { local_time, unverified_count, places } = await open({ destination: 'tokyo' });
  assert.equal(local_time, '2026-11-14T21:00');
  assert.ok(unverified_count > 0);
  assert.ok(places.every(({ open_now }) => open_now === true));
});

test('only unverified hours of places that fit the request are counted', async () => {
  const rows = await pool<{ id: string; vertical: string; area: string | null; hours: StoredHours | null }[]>`
    select p.id, vertical, area, hours from place p join destination d on d.id = p.destination_id
    where d.slug = 'tokyo' and closed_at is null`;
  const isUnverified = ({ hours }: { hours: StoredHours | null }) =>
    hours?.compiled == null ||
    !isVerifiedHours(
      {
        source: hours.source,
        observed_at: new Date(hours.observed_at),
        parsed: isUnderstood(hours.compiled),
      },
      service.clock.now(),
    );
  const unverified = rows.filter(isUnverified);
  const count = async (filters: object) =>
    (await open({ destination: 'tokyo', ...filters })).unverified_count;
  assert.equal(await count({}), unverified.length);
  const restaurants = unverified.filter(({ vertical }) => vertical === 'restaurant');
  assert.ok(restaurants.length > 0 && restaurants.length < unverified.length);
  assert.equal(await count({ category: 'restaurant' }), restaurants.length);
  const area = restaurants.find((place) => place.area !== null)?.area;
  assert.equal(
    await count({ category: 'restaurant', area }),
    restaurants.filter((place) => place.area === area).length,
  );

  // A place that changes is counted as it is now, a minute later at the latest.
  const [changed] = restaurants;
  await pool`update place set closed_at = now() where id = ${changed?.id ?? ''}`;
  await service.app.deps.places.follow();
  service.clock.advance(60_000);
  assert.equal(await count({}), unverified.length - 1);
});

test('the text counts one place as one', async () => {
  await addMadeUpPlace(pool, service.clock, { name: 'Kedai Zyxwv Co.' });
  await service.app.deps.places.follow();
  const said = async (name: string, given: Record<string, unknown>) => {
    const message = { id: 1, method: 'tools/call', params: { name, arguments: given } };
    const { body } = await rpc(service, PATH, message, await roomyKey(service));
    return (body.result?.['content'] as { text: string }[])[0]?.text.split('\n')[0];
  };
  assert.equal(await said('search_places', { destination: 'bali', query: 'Kedai Zyxwv' }), 'Bali: 1 place:');
  assert.match(
    (await said('directory_feed', { destination: 'bali', limit: 1 })) ?? '',
    /^1 place and 0 removals of Bali\. More with cursor \S+$/,
  );
});
