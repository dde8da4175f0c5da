import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../harness/clients/mcp.ts';
import { until } from '../harness/service/jobs.ts';
import { LONG } from '../harness/tier.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 3000 });
const { apiKey } = await signUpAgent(service);
const authorization = `Bearer ${apiKey}`;

interface Card {
  place_id: string;
  name: string;
  vertical: string;
  category: string;
  cuisine: string[];
  destination: string;
  country: string;
  area: string | null;
  lat: number;
  lng: number;
  open_now: boolean | null;
  distance_m?: number;
}
interface Found {
  places: Card[];
  count: number;
  next_cursor: string | null;
  hint?: string;
  understood?: object;
}

// The quota of a free day is a hundred reads: these tests are about the search, so they take the largest plan.
await service.database.pool`update agent set plan = 'scale'`;

async function search(query: Record<string, string>): Promise<Found> {
  const response = await service.request(`/api/agent/search?${new URLSearchParams(query).toString()}`, {
    headers: { authorization },
  });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Found;
}

test('a whole name finds its place first', async () => {
  const { places } = await search({ city: 'tokyo', limit: '50' });
  assert.ok(places.length > 10);
  for (const { name, place_id } of places.slice(0, 10)) {
    const found = await search({ q: name, city: 'tokyo' });
    const same = found.places.filter((place) => place.name === name);
    assert.ok(
      same.some((place) => place.place_id === place_id),
      name,
    );
    assert.equal(found.places[0]?.name, name);
  }
});

test('a destination is found by any of its names, and holds only its own places', async () => {
  for (const city of ['tokyo', 'Tokyo', '東京', 'TŌKYŌ']) {
    const { places } = await search({ city });
    assert.ok(places.length > 0 && places.every(({ destination }) => destination === 'tokyo'), city);
  }
});

test('country, category and area are filters that compose', async () => {
  const { places } = await search({ country: 'id', category: 'restaurants', limit: '50' });
  assert.ok(places.length > 0);
  assert.ok(places.every(({ country, vertical }) => country === 'ID' && vertical === 'restaurant'));
  const area = places.find((place) => place.destination === 'bali' && place.area !== null)?.area ?? 'Canggu';
  const inArea = await search({ city: 'bali', category: 'restaurant', area });
  assert.ok(inArea.places.length > 0);
  assert.ok(inArea.places.every((place) => place.area === area && place.vertical === 'restaurant'));
});

test('a misspelt word still finds, and a begun word too', async () => {
  const { places } = await search({ city: 'paris', category: 'restaurant', limit: '50' });
  const word =
    places.flatMap(({ name }) => name.split(/\s+/)).find((part) => /^[a-zA-Z]{7,}$/.test(part)) ?? '';
  assert.ok(word !== '');
  const holds = ({ places: found }: Found) =>
    found.some(({ name }) => name.toLowerCase().includes(word.toLowerCase()));
  assert.ok(holds(await search({ q: word.slice(0, -2), city: 'paris', limit: '50' })), `begun ${word}`);
  const typo = word.slice(0, 2) + word.slice(3);
  assert.ok(holds(await search({ q: typo, city: 'paris', limit: '50' })), `${typo} for ${word}`);
});

test('pages follow each other without a gap or a repeat, and a cursor belongs to its search', async () => {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Found = await search({ city: 'london', limit: '7', ...(cursor === null ? {} : { cursor }) });
    seen.push(...page.places.map(({ place_id }) => place_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  const whole = await service.database.pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id where d.slug = 'london' and closed_at is null`;
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(new Set(seen), new Set(whole.map(({ id }) => id)));
  const first = await search({ city: 'london', limit: '7' });
  const misused = await service.request(`/api/agent/search?city=paris&cursor=${first.next_cursor ?? ''}`, {
    headers: { authorization },
  });
  assert.equal(misused.status, 400);
});

test('near gives the nearest first with the distance, and bbox only what lies inside', async () => {
  const [centre] = (await search({ city: 'bali', limit: '1' })).places;
  assert.ok(centre);
  const near = await search({ near: `${centre.lat},${centre.lng}`, radius_m: '20000', limit: '20' });
  const distances = near.places.map(({ distance_m }) => distance_m ?? -1);
  assert.ok(distances.length > 1 && distances[0] === 0);
  assert.deepEqual(
    distances,
    [...distances].sort((a, b) => a - b),
  );
  const box = [centre.lng - 0.05, centre.lat - 0.05, centre.lng + 0.05, centre.lat + 0.05];
  const inside = await search({ bbox: box.join(','), limit: '50' });
  assert.ok(inside.places.length > 0);
  assert.ok(
    inside.places.every(
      ({ lat, lng }) => Math.abs(lat - centre.lat) <= 0.05 && Math.abs(lng - centre.lng) <= 0.05,
    ),
  );
});

test('open_now gives only places that are known to be open', async () => {
  const { places } = await search({ city: 'new-york', open_now: 'true', limit: '50' });
  assert.ok(places.length > 0);
  assert.ok(places.every(({ open_now }) => open_now === true));
  const every = await search({ city: 'new-york', limit: '50' });
  assert.ok(every.places.some(({ open_now }) => open_now !== true));
});

test('a closed place leaves every node, and a reopened one comes back', async () => {
  const other = await startTestService({ database: service.database });
  const [place] = (await search({ city: 'rome', limit: '1' })).places;
  assert.ok(place);
  const finds = (node: typeof service) =>
    node.app.deps.places
      .search({ text: place.name, limit: 50 })
      .hits.some(({ place: one }) => one.placeId === place.place_id);
  assert.ok(finds(service) && finds(other));
  for (const closed of [true, false]) {
    await service.database
      .pool`update place set closed_at = ${closed ? new Date() : null} where id = ${place.place_id}`;
    await until(
      `both nodes ${closed ? 'no longer find' : 'find'} it`,
      () => finds(service) === !closed && finds(other) === !closed,
    );
  }
});

test('an unknown city is an empty answer that names what is near to it', async () => {
  const found = await search({ city: 'Parisville' });
  assert.equal(found.count, 0);
  assert.match(found.hint ?? '', /Paris/);
});

test('a city with a slip is the destination that it can only mean, on every page, and the answer says so', async () => {
  const query = { category: 'bar', limit: '3' };
  const meant = await search({ city: 'Barcelona', ...query });
  const slip = await search({ city: 'Barcelna', ...query });
  assert.deepEqual(slip.places, meant.places);
  assert.deepEqual(slip.understood, { corrected: { Barcelna: 'Barcelona' } });
  const pages = [meant, slip].map(({ next_cursor }, at) =>
    search({ city: at === 0 ? 'Barcelona' : 'Barcelna', ...query, cursor: next_cursor ?? '' }),
  );
  const [second, ofSlip] = await Promise.all(pages);
  assert.ok((second?.count ?? 0) > 0);
  assert.deepEqual(ofSlip?.places, second?.places);
  assert.equal((await search({ city: 'Barcelna', country: 'FR' })).count, 0);
});

test('hostile and strange texts are searched for like any other', async () => {
  for (const q of [
    '"',
    "'; drop table place; --",
    '* OR *',
    'AND',
    'NEAR(a b)',
    '(((',
    '🍕',
    'ก',
    'a'.repeat(60),
    '５',
    '%',
    '\\',
  ]) {
    await search({ q });
    await search({ q, city: 'bali' });
    await search({ area: q, category: q });
  }
});

test('a search without a key is refused, has nothing left, and tells where to get one', async () => {
  const response = await service.request('/api/agent/search?q=pizza');
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
  assert.match(response.headers.get('www-authenticate') ?? '', /resource_metadata=/);
});

test('an answer that the caller has is not sent again and costs nothing', async () => {
  const first = await service.request('/api/agent/search?city=bali', { headers: { authorization } });
  const remaining = first.headers.get('x-ratelimit-remaining');
  const again = await service.request('/api/agent/search?city=bali', {
    headers: { authorization, 'if-none-match': first.headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
  assert.equal(again.headers.get('x-ratelimit-remaining'), remaining);
});

test('the tool gives with all fields what REST gives, and counts against the same quota', async () => {
  const whole = await search({ city: 'bali', q: 'warung', fields: 'all' });
  const { body, headers } = await rpc(
    service,
    '/mcp',
    {
      id: 1,
      method: 'tools/call',
      params: { name: 'svc_search_places', arguments: { city: 'bali', q: 'warung', fields: ['all'] } },
    },
    { authorization },
  );
  const told = body.result?.['structuredContent'] as { query: object };
  assert.deepEqual(told, { ...whole, query: told.query });
  assert.ok(Number(headers.get('x-ratelimit-remaining')) > 0);
});

test('whatever numbers and marks stand in names and areas, an answer holds only what was asked for', async () => {
  const { pool } = service.database;
  const listed = await service.request('/api/agent/destinations');
  const { destinations } = (await listed.json()) as { destinations: { slug: string }[] };
  // As words these are, or were, what the index calls a destination, a square of the map and hours that are not known.
  const numbers = destinations.map((_, at) => String(at + 1));
  const names = [
    ...numbers,
    ...numbers.map((number) => `${number}u`),
    '１１３ Hujan',
    'G13x1y2',
    'd5 w5 k bar',
  ];
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, area, lat, lng, source, source_ref)
    select 'plc_' || lpad(i::text, 26, '0'), d.id, made.name, 'restaurant', 'restaurant', d.country, 'Ubud k bar', d.lat, d.lng,
      'test', 'number/' || i
    from destination d, unnest(${names}::text[]) with ordinality as made (name, i) where d.slug = 'bali'`;
  await service.app.deps.places.follow();
  const check = async () => {
    for (const { slug } of LONG ? destinations : destinations.filter((_, at) => at % 8 === 0)) {
      const { places } = await search({ city: slug, limit: '50' });
      const foreign = places.filter(({ destination }) => destination !== slug);
      assert.deepEqual(foreign, [], slug);
    }
    // Begun numbers and marks are no other tokens either.
    for (const q of ['11', 'g1', 'd1', 'w5', 'k1']) {
      const { places } = await search({ q, limit: '50' });
      assert.ok(
        places.every(({ name }) => new RegExp(`\\b${q}`, 'i').test(name.normalize('NFKD'))),
        `${q}: ${places.map(({ name }) => name).join(', ')}`,
      );
    }
    assert.equal((await search({ q: '113 hujan', city: 'bali' })).places[0]?.name, '１１３ Hujan');
    const bars = await search({ city: 'bali', area: 'Ubud', category: 'bar', limit: '50' });
    assert.ok(bars.places.every(({ vertical }) => vertical === 'bar'));
  };
  await check();
  await service.app.deps.places.rebuild();
  await check();
});
