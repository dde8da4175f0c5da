import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue } from '../../bookings/asking-partner.ts';
import { addMadeUpPlace } from '../../directory/made-up-place.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { until } from '../../harness/service/jobs.ts';
import { BASE_URL, startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ settings: { RESERVE: 'on', BOOKING_READS_PER_MINUTE: '8' } });
const { pool } = service.database;
const { headers } = await addTestPartner(service);

interface Page {
  checksum: boolean;
  businesses: { id: string; name: string; address: { formatted: string }; phone_number: string }[];
  next_page_token: string | null;
  changes_token: string;
}

async function get(query: Record<string, string> = {}): Promise<Page> {
  const response = await service.request(`/api/reserve/businesses?${new URLSearchParams(query).toString()}`, {
    headers,
  });
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Page;
}

async function codeOf(query: Record<string, string>, own = headers): Promise<string> {
  const response = await service.request(`/api/reserve/businesses?${new URLSearchParams(query).toString()}`, {
    headers: own,
  });
  return ((await response.json()) as { code: string }).code;
}

/** A restaurant of which all is known that the feed needs, but for what the test changes. */
async function restaurant(name: string, without?: 'address' | 'phone' | 'website'): Promise<string> {
  const id = await addMadeUpPlace(pool, service.clock, { name });
  await pool`
    update place set address = ${without === 'address' ? null : 'Jl. Pantai 12'},
      phone = ${without === 'phone' ? null : '+62361123456'},
      website = ${without === 'website' ? null : 'https://venue.example/'} where id = ${id}`;
  return id;
}

const first = await restaurant('First');
const ids = [first, await restaurant('Second'), await restaurant('Third')];
for (const without of ['address', 'phone', 'website'] as const) await restaurant(`No ${without}`, without);

test('a business has what assistants ask for, under the id that the tool takes', async () => {
  const { businesses, checksum } = await get();
  assert.equal(checksum, true);
  assert.deepEqual(
    businesses.find(({ id }) => id === first),
    {
      id: first,
      name: 'First',
      address: {
        line1: 'Jl. Pantai 12',
        locality: 'Bali',
        country: 'ID',
        formatted: 'Jl. Pantai 12, Bali, ID',
      },
      location: businesses[0] && (businesses[0] as unknown as { location: object }).location,
      phone_number: '+62361123456',
      website_url: 'https://venue.example/',
      platform_url: `${BASE_URL}/p/${first}`,
    },
  );
  assert.equal((await service.request(`/p/${first}`)).status, 200, 'the listing is there');
});

test('a place without a position is no business of the feed', async () => {
  const id = await restaurant('Somewhere');
  await pool`update place set lat = null, lng = null where id = ${id}`;
  assert.ok(!(await get()).businesses.some((one) => one.id === id));
});

test('venues of the demonstration are not in the feed', async () => {
  const id = await restaurant('Fictional');
  const listed = async () => (await get()).businesses.some((one) => one.id === id);
  assert.ok(await listed());
  await pool`update place set source = 'demo' where id = ${id}`;
  assert.ok(!(await listed()));
});

test('pages of the feed do not count as reads of bookings', async () => {
  for (let page = 0; page < 10; page++) await get({ page_size: '1' });
});

test('where it is on, openapi.json and the reference tell of it', async () => {
  const text = await (await service.request('/openapi.json')).text();
  const document = JSON.parse(text) as {
    tags: { name: string }[];
    paths: Record<string, { get: { tags: string[]; security: object[] } }>;
  };
  const described = document.paths['/api/reserve/businesses']?.get;
  assert.deepEqual(described?.security, [{ partner_key: [] }]);
  assert.ok(document.tags.some(({ name }) => name === described.tags[0]));
  const page = await (await service.request('/docs.md')).text();
  for (const told of ['/api/reserve/mcp', '/api/reserve/businesses', 'restaurant_reservation'])
    assert.ok(page.includes(told), told);
});

test('pages follow each other, and hold every business that is complete once', async () => {
  const found: string[] = [];
  let token: string | null = null;
  const tokens = new Set<string>();
  do {
    const page: Page = await get({ page_size: '1', ...(token === null ? {} : { next_page_token: token }) });
    found.push(...page.businesses.map(({ id }) => id));
    tokens.add(page.changes_token);
    token = page.next_page_token;
  } while (token !== null);
  assert.deepEqual(found, [...ids].sort());
  assert.equal(tokens.size, 1, 'one sync has one checkpoint');
});

test('without a change the answer says so and is empty; every change is noticed', async () => {
  let { changes_token: token } = await get();
  // While anything older still runs in the database, the answer says "changed" rather than miss what that may add.
  const unchanged = (after: string) =>
    until(`no change after ${after}`, async () => {
      const page = await get({ changes_token: token });
      token = page.changes_token;
      return !page.checksum && page.businesses.length === 0;
    });
  await unchanged('the start');
  const changes: [what: string, change: () => Promise<unknown>, count: number][] = [
    ['a new one', () => restaurant('Fourth'), 4],
    ['another number', () => pool`update place set phone = '+62361999999' where id = ${first}`, 4],
    ['an opt-out', () => pool`update place set booking_method = 'not_through' where id = ${first}`, 3],
    ['a closure', () => pool`update place set closed_at = now() where name = 'Second'`, 2],
    ['a removal', () => pool`delete from place where name = 'Third'`, 1],
  ];
  for (const [what, change, count] of changes) {
    await change();
    const page = await get({ changes_token: token });
    assert.deepEqual([page.checksum, page.businesses.length], [true, count], what);
    token = page.changes_token;
    await unchanged(what);
  }
});

test('a made-up token, a token of the future and a caller without a key are refused', async () => {
  assert.equal(await codeOf({ next_page_token: 'made-up' }), 'bad_cursor');
  assert.equal(await codeOf({ changes_token: 'yesterday' }), 'validation_failed');
  assert.equal(await codeOf({ changes_token: 'chg_9999999999999999' }), 'validation_failed');
  const { changes_token: elsewhere } = await get();
  const [number = ''] = elsewhere.split('_', 2).slice(1);
  assert.equal(await codeOf({ changes_token: `chg_${number}_00000000` }), 'validation_failed');
  assert.equal(await codeOf({}, {}), 'missing_credentials');
  const venue = await addVenue(service);
  assert.ok(
    (await get()).businesses.every(({ id }) => id !== venue),
    'nothing that lacks an address',
  );
});
