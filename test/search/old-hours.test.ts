import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { PARTNER_MCP, roomyKey } from '../harness/people/partner.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

// It is Saturday, 20:00, in Bali.
const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
const { places: index } = service.app.deps;
const agent = {
  authorization: `Bearer ${(await signUpAgent(service)).apiKey}`,
  'user-agent': 'old-hours-test/1.0',
};

const DATE = '2024-10-03';
const everyDay = (...spans: (readonly [number, number])[]) => ({
  week: Array.from({ length: 7 }, () => spans),
});
const OPEN_NOW = everyDay([1080, 1380]);
const FROM_22 = everyDay([1320, 1560]);
const ALWAYS = everyDay([0, 1440]);
const ON_SUNDAY = { week: [[], [], [], [], [], [], [[600, 720]]] };

async function add(
  name: string,
  category: string,
  hours: { source: string; compiled: object; observed_at?: string } | null,
): Promise<string> {
  const id = await addMadeUpPlace(pool, service.clock, { name });
  const stored = hours && { text: 'as written', observed_at: `${DATE}T08:00:00Z`, ...hours };
  await pool`
    update place set vertical = 'attraction', category = ${category}, hours = ${stored && pool.json(stored)}
    where id = ${id}`;
  return id;
}

const certain = await add('Karang Satu', 'aquarium', { source: 'owner', compiled: OPEN_NOW });
const usuallyOpen = await add('Karang Dua', 'aquarium', { source: 'map', compiled: OPEN_NOW });
const opensLater = await add('Karang Tiga', 'aquarium', { source: 'map', compiled: FROM_22 });
const unknown = await add('Karang Empat', 'aquarium', null);
const submitted = await add('Karang Lima', 'aquarium', { source: 'agent', compiled: OPEN_NOW });
const always = await add('Bintang Satu', 'planetarium', { source: 'venue_website', compiled: ALWAYS });
const sundays = await add('Bintang Dua', 'planetarium', { source: 'map', compiled: ON_SUNDAY });
const late = await add('Bintang Tiga', 'planetarium', { source: 'map', compiled: FROM_22 });
await add('Bintang Empat', 'planetarium', null);
await index.follow();

interface Seen {
  place_id: string;
  open_now?: boolean | null;
  open_by_hours?: boolean;
  hours_from?: string;
}
interface Found {
  places: Seen[];
  next_cursor: string | null;
  understood?: Record<string, unknown>;
  hint?: string;
}

async function get<Answer>(path: string): Promise<Answer> {
  const response = await service.request(path, { headers: agent });
  assert.equal(response.status, 200, path);
  return (await response.json()) as Answer;
}

const search = (given: Record<string, string>) =>
  get<Found>(`/api/agent/search?${new URLSearchParams({ city: 'bali', ...given }).toString()}`);
const partner = (name: string, given: Record<string, unknown>) =>
  callTool<Found>(service, PARTNER_MCP, name, { destination: 'bali', ...given });
const idsOf = ({ places }: Found) => places.map(({ place_id }) => place_id);

async function text(path: string, name: string, given: Record<string, unknown>): Promise<string> {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: given } };
  const { body } = await rpc(service, path, message, { ...(await roomyKey(service)), ...agent });
  return (body.result?.['content'] as { text: string }[])[0]?.text ?? '';
}

const page = async (path: string) =>
  (await (await service.request(path, { headers: { accept: 'text/html' } })).text()).replaceAll(/\s+/g, ' ');

test('a place with old hours has open_by_hours and their date on every surface; open_now stays null', async () => {
  const everywhere = async (id: string, name: string): Promise<Seen[]> => {
    const fed = await partner('directory_feed', { limit: 200 });
    const found = [await search({ q: name }), await partner('search_places', { query: name }), fed];
    const cards = found.map(({ places }) => places.find(({ place_id }) => place_id === id));
    const record = (await partner('place_details', {
      place_id: id,
      destination: undefined,
    })) as unknown as Seen;
    const seen = [await get<Seen>(`/api/agent/business/${id}`), record, ...cards];
    assert.ok(seen.every((one) => one !== undefined));
    return seen;
  };
  for (const [id, name, open] of [
    [usuallyOpen, 'Karang Dua', true],
    [opensLater, 'Karang Tiga', false],
  ] as const)
    for (const { open_now = null, open_by_hours, hours_from } of await everywhere(id, name))
      assert.deepEqual(
        { open_now, open_by_hours, hours_from },
        { open_now: null, open_by_hours: open, hours_from: DATE },
      );
  for (const [id, name, open] of [
    [certain, 'Karang Satu', true],
    [unknown, 'Karang Empat', null],
    [submitted, 'Karang Lima', null],
  ] as const)
    for (const { open_now = null, ...rest } of await everywhere(id, name)) {
      assert.equal(open_now, open);
      assert.ok(!('open_by_hours' in rest) && !('hours_from' in rest), name);
    }
});

test('open_now lists places known to be open; open likely adds those usually open, after them', async () => {
  for (const find of [
    (given: Record<string, string>) => search({ category: 'aquarium', ...given }),
    (given: Record<string, unknown>) =>
      partner('search_places', {
        category: 'aquarium',
        ...given,
        ...('open_now' in given && { open_now: true }),
      }),
  ]) {
    assert.deepEqual(idsOf(await find({ open_now: 'true' })), [certain]);
    const likely = await find({ open: 'likely' });
    assert.deepEqual(idsOf(likely), [certain, usuallyOpen]);
    assert.equal(likely.places[1]?.hours_from, DATE);
    assert.deepEqual(
      idsOf(await find({ open: 'likely', open_now: 'true' })),
      [certain],
      'the stricter one counts',
    );
  }
  assert.deepEqual(idsOf(await partner('open_places', { category: 'aquarium' })), [certain]);
  assert.deepEqual(idsOf(await partner('open_places', { category: 'aquarium', open: 'likely' })), [
    certain,
    usuallyOpen,
  ]);
  const at = { category: 'aquarium', open: 'likely', at: '2026-11-15T22:30' };
  const [first, ...rest] = idsOf(await partner('open_places', at));
  assert.equal(first, certain);
  assert.deepEqual(rest.sort(), [usuallyOpen, opensLater].sort());
});

test('pages of a likely list continue without a gap or a repeat', async () => {
  const { lat, lng } = await get<{ lat: number; lng: number }>(`/api/agent/business/${certain}`);
  for (const given of [
    { category: 'aquarium' },
    { q: 'aquarium' },
    { category: 'aquarium', near: `${lat},${lng}` },
  ]) {
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const found: Found = await search({
        ...given,
        open: 'likely',
        limit: '1',
        ...(cursor !== '' && { cursor }),
      });
      ids.push(...idsOf(found));
      cursor = found.next_cursor;
    }
    assert.deepEqual(ids, [certain, usuallyOpen], JSON.stringify(given));
  }
});

test('another value of open is refused, and an empty list of open places names the older hours', async () => {
  const { status } = await service.request('/api/agent/search?city=bali&open=surely', { headers: agent });
  assert.equal(status, 422);
  const { places, hint } = await search({ category: 'planetarium', open_now: 'true' });
  assert.deepEqual(places, []);
  assert.match(hint ?? '', /open “likely”.* 1 place matches/);
});

for (const [q, expected, open] of [
  ['aquarium open now', () => [certain, usuallyOpen], undefined],
  ['planetarium open now', () => [always], undefined],
  ['planetarium geöffnet', () => [always], undefined],
  ['planetarium open late', () => [always, late], ['late']],
  ['late night planetarium', () => [always, late], ['late']],
  ['planetarium open after midnight', () => [always, late], ['midnight']],
  ['planetarium open until 2am', () => [always, late], ['until 02:00']],
  ['planetarium open until 3am', () => [always], ['until 03:00']],
  ['planetarium open sunday', () => [always, late, sundays], ['sun']],
  ['planetarium sonntag offen', () => [always, late, sundays], ['sun']],
  ['planetarium sunday', () => [always, late, sundays], ['sun']],
  ['planétarium ouvert le lundi', () => [always, late], ['mon']],
  ['24 hours planetarium', () => [always], ['around_clock']],
  ['planetarium 24時間営業', () => [always], ['around_clock']],
] as const)
  test(`a search finds places by regular hours, the verified first: ${q}`, async () => {
    const found = await search({ q });
    const ids = idsOf(found);
    if (expected()[0] === certain) assert.equal(ids[0], certain);
    assert.deepEqual([...ids].sort(), [...expected()].sort());
    assert.deepEqual(found.understood?.['open'], open);
    assert.equal(found.understood?.['open_now'], open === undefined ? true : undefined);
  });

test('a day is part of a name unless the text says open', async () => {
  const id = await add('Sunday Fish Market', 'aquarium', null);
  await index.follow();
  assert.equal(idsOf(await search({ q: 'sunday fish market' }))[0], id);
  const { understood } = await search({ q: 'sunday aquarium' });
  assert.equal(understood?.['open'], undefined);
});

test('sentences say the date of old hours', async () => {
  const opens = /[Uu]sually opens 22:00 \(hours from October 2024; call to check\)/;
  const until = /usually open until 23:00 \(hours from October 2024\)/;
  assert.match(await text('/mcp', 'svc_get_place', { place_id: opensLater }), opens);
  assert.match(await page(`/p/${opensLater}`), opens);
  const listed = await text('/mcp', 'svc_search_places', { q: 'aquarium', city: 'bali', open: 'likely' });
  assert.match(listed, until);
  assert.match(listed, /Hours with a date are not verified; call to check\./);
  const details = await text(PARTNER_MCP, 'place_details', { place_id: usuallyOpen });
  assert.match(details, /Usually open now \(hours from October 2024; call to check\)\./);
  const list = await page('/d/bali?category=aquarium&open=1');
  assert.match(list, /Usually open until 23:00 · hours from 2024/);
  assert.ok(list.indexOf('Karang Satu') < list.indexOf('Karang Dua') && !list.includes('Karang Tiga'));
});

test('an answer uses old hours where no place is known to be open, and says their date', async () => {
  interface Answer {
    answer: string;
    relaxed: string[];
    places: Seen[];
    claims: { place_id: string; field: string; value: unknown; text: string }[];
  }
  const ask = (question: string) =>
    callTool<Answer>(service, PARTNER_MCP, 'concierge_answer', { destination: 'bali', question });
  const known = await ask('Which aquarium is open now?');
  assert.deepEqual(
    known.places.map(({ place_id }) => place_id),
    [certain],
  );
  assert.match(known.answer, /^Open now/);
  assert.doesNotMatch(known.answer, /Nothing else|hours from/);
  const usual = await ask('Which planetarium is open now?');
  assert.deepEqual(
    usual.places.map(({ place_id }) => place_id),
    [always],
  );
  assert.deepEqual(usual.relaxed, []);
  assert.doesNotMatch(usual.answer, /^Open now/);
  assert.match(usual.answer, /usually open around the clock \(hours from October 2024; call to check\)/);
  const said = usual.claims.filter(({ field }) => /open|hours/.test(field));
  assert.deepEqual(
    said.map(({ field, value }) => [field, value]),
    [
      ['open_by_hours', true],
      ['hours_from', DATE],
    ],
  );
  assert.ok(said.every(({ text: words }) => usual.answer.includes(words)));
  assert.equal(usual.places[0]?.hours_from, DATE);
  const named = await ask('When does Karang Tiga open?');
  assert.match(named.answer, /usually opens 22:00 \(hours from October 2024; call to check\)/);
});

test('hours that become too old while the index stands are found as old ones', async () => {
  const id = await add('Pasir Satu', 'zoo', {
    source: 'map',
    compiled: ALWAYS,
    observed_at: new Date(service.clock.now().getTime() - 730 * 86_400_000).toISOString(),
  });
  await index.follow();
  assert.deepEqual(idsOf(await search({ q: 'Pasir Satu', open_now: 'true' })), [id]);
  service.clock.advance(2 * 86_400_000);
  assert.deepEqual(idsOf(await search({ q: 'Pasir Satu', open_now: 'true' })), []);
  const [place] = (await search({ q: 'Pasir Satu', open: 'likely' })).places;
  assert.deepEqual([place?.place_id, place?.open_now, place?.open_by_hours], [id, null, true]);
});
