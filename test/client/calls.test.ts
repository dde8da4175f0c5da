import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { generatedFiles } from '../../packages/client/make/generate.ts';
import { ProblemError, Waypost, type WaypostOptions } from '../../packages/client/src/waypost.ts';
import { importMap, seconds, shopsAround } from '../import/import-directory.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { signUpAgent, startTestService, USER_AGENT } from '../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 3000, settings: { TEST_PAYMENTS: 'on' } });
const { pool } = service.database;

function clientOf(options: Partial<WaypostOptions> = {}): Waypost {
  return new Waypost({ baseUrl: service.url, userAgent: USER_AGENT, ...options });
}

async function agent(options: Partial<WaypostOptions> = {}): Promise<Waypost> {
  const { apiKey } = await signUpAgent(service);
  return clientOf({ apiKey, ...options });
}

/** The error that refused a call. */
async function refusal(call: Promise<unknown>): Promise<ProblemError> {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ProblemError, String(error));
  return error;
}

test("the generated files match the service's current description", async () => {
  for (const [file, text] of await generatedFiles())
    assert.equal(await readFile(file, 'utf8'), text, `${file.pathname}: run npm run client`);
});

test('a client signs up, searches with the key, and reads what it found', async () => {
  const { api_key: apiKey } = await clientOf().signUp({
    agent_name: 'Client Test',
    operator_name: 'Test Operator',
    operator_email: `${randomUUID()}@operator.example`,
    purpose: 'Tests the client.',
  });
  const heads: [operation: string, remaining: string | null][] = [];
  const client = clientOf({
    apiKey: () => Promise.resolve(apiKey),
    onAnswer: ({ operation, headers }) => heads.push([operation, headers.get('x-ratelimit-remaining')]),
  });
  const { destinations } = await client.listDestinations({ country: 'ID' });
  const bali = destinations.find(({ slug }) => slug === 'bali');
  assert.ok(bali);
  const wishes = ['takeaway', 'outdoor_seating'] as const;
  const wanted = await client.searchPlaces({ wishes: [...wishes], open_now: true });
  assert.deepEqual([wanted.query['wishes'], wanted.query['open_now']], [wishes, true]);
  const { places, attribution } = await client.searchPlaces({ city: 'bali', limit: 3 });
  assert.match(attribution, /OpenStreetMap/);
  const [first] = places;
  assert.ok(first !== undefined && places.length <= 3);
  const place = await client.getPlace({ place_id: first.place_id, party_size: 4 });
  assert.deepEqual([place.place_id, place.name], [first.place_id, first.name]);
  assert.equal((await client.call('get_account')).agent_name, 'Client Test');
  assert.deepEqual(heads, [
    ['list_destinations', '100'],
    ['search_places', '99'],
    ['search_places', '98'],
    ['get_place', '97'],
    ['get_account', '97'],
  ]);
});

test('pages follow each other, every place comes once, and whoever stops asks for no more', async () => {
  let calls = 0;
  const client = await agent({ onAnswer: () => (calls += 1) });
  const input = { city: 'bali', category: 'restaurant', limit: 7 } as const;
  const ids: string[] = [];
  for await (const { place_id: id } of client.each('search_places', input)) ids.push(id);
  const sizes: number[] = [];
  for await (const { places } of client.pages('search_places', input)) sizes.push(places.length);
  assert.ok(sizes.length > 2, `${sizes.length} pages`);
  assert.equal(
    ids.length,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(calls, 2 * sizes.length);
  for await (const place of client.each('search_places', input)) if (place.place_id === ids[2]) break;
  assert.equal(calls, 2 * sizes.length + 1);
});

test('closures, submissions and photos are listed in the same way', async () => {
  const middle = { lat: 43.7396, lng: 7.4272 };
  const cafes = ['Ada', 'Bea'].map((name, at) => ({
    id: at + 1,
    lat: middle.lat + at / 1000,
    lng: middle.lng,
    tags: { amenity: 'cafe', name },
    changed: seconds('2024-11-01'),
  }));
  for (const [date, kept] of Object.entries({ '2025-01-01': cafes, '2025-02-01': [] }))
    await importMap(
      service.database,
      date,
      { nodes: [...kept, ...shopsAround(middle)] },
      { now: service.clock.now() },
    );
  const client = await agent();
  for (const name of ['One', 'Two', 'Three'])
    await client.submitBusiness({ relationship: 'third_party', name, country: 'ID', city: 'Bali' });
  const names: unknown[] = [];
  for await (const one of client.each('list_submissions', { limit: 1 })) names.push(one.name);
  assert.deepEqual(names.sort(), ['One', 'Three', 'Two']);
  const closures = await Array.fromAsync(client.each('list_closures', { limit: 1 }));
  assert.deepEqual(closures.map((one) => one.name).sort(), ['Ada', 'Bea']);
  const made = await Promise.all(
    [300, 400].map((web) => addMadePhoto(pool, service.clock, { prices: { web } })),
  );
  const photos = await Array.fromAsync(client.each('search_photos', { use: 'web', limit: 1 }));
  assert.deepEqual(photos.map((one) => one.photo_id).sort(), made.sort());
});

test('a refusal is an error with its code, its fields and the id of the request', async () => {
  const wrong = await refusal((await agent()).listDestinations({ country: 'XX' }));
  assert.deepEqual([wrong.status, wrong.code], [422, 'validation_failed']);
  assert.deepEqual(
    wrong.errors.map(({ pointer, code }) => [pointer, code]),
    [['/country', 'unknown_country']],
  );
  assert.match(wrong.requestId, /^req_/);
  assert.match(wrong.message, /^validation_failed: /);
  assert.equal(wrong.problem.status, 422);
  assert.equal((await refusal(clientOf().searchPlaces({ q: 'pizza' }))).code, 'missing_credentials');
  assert.equal((await refusal(clientOf({ partnerKey: 'svc_partner_x' }).getUsage())).code, 'invalid_key');
  assert.equal((await refusal((await agent()).getPlace({ place_id: 'plc_../me' }))).code, 'place_not_found');
});

test('a client without a name of its own is not made, and one with a library for a name is refused', async () => {
  assert.throws(() => new Waypost({ baseUrl: service.url, userAgent: '' }), /must name your agent/);
  // @ts-expect-error: it is required.
  assert.throws(() => new Waypost({ baseUrl: service.url }), /must name your agent/);
  assert.throws(
    () => new Waypost({ baseUrl: 'ftp://waypost.example', userAgent: USER_AGENT }),
    /not an address/,
  );
  const bare = await refusal(clientOf({ userAgent: 'python-requests/2.32.3' }).listDestinations());
  assert.equal(bare.code, 'user_agent_required');
});
