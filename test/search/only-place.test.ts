import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { PARTNER_MCP, roomyKey } from '../harness/people/partner.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
const authorization = `Bearer ${(await signUpAgent(service)).apiKey}`;

const NAME = 'Kedai Zyxwv Satu';
const PHONE = '+62361123456';
const WEEK = [
  [[600, 1320]],
  [[600, 1320]],
  [],
  [
    [600, 900],
    [1080, 1500],
  ],
  [],
  [],
  [],
];
const HOURS = { text: 'x', source: 'owner', observed_at: '2026-11-01T00:00:00Z', compiled: { week: WEEK } };
const placeId = await addMadeUpPlace(pool, service.clock, { name: NAME });
await pool`
  update place set phone = ${PHONE}, address = 'Jl. Pantai 12', rating = 4.4, review_count = 57, hours = ${pool.json(HOURS)}
  where id = ${placeId}`;
await addMadeUpPlace(pool, service.clock, { name: 'Kedai Zyxwv Dua' });
await service.app.deps.places.follow();

type Card = Record<string, unknown>;
interface Found {
  places: Card[];
  next_cursor: string | null;
  hint?: string;
}

const ask = (given: Record<string, unknown>) =>
  callTool<Found>(service, PARTNER_MCP, 'search_places', { destination: 'bali', ...given });

async function text(path: string, name: string, given: Record<string, unknown>) {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: given } };
  const { body } = await rpc(service, path, message, { ...(await roomyKey(service)), authorization });
  return (body.result?.['content'] as { text: string }[])[0]?.text ?? '';
}

const structured = {
  ...{ mon: [['10:00', '22:00']], tue: [['10:00', '22:00']], wed: [], fri: [], sat: [], sun: [] },
  thu: [
    ['10:00', '15:00'],
    ['18:00', '01:00'],
  ],
};

test('the only place that a search finds is told with its number, address, rating and hours', async () => {
  const agent = await service.request(`/api/agent/search?city=bali&q=${encodeURIComponent(NAME)}`, {
    headers: { authorization },
  });
  const tool = await callTool<Found>(
    service,
    '/mcp',
    'svc_search_places',
    { city: 'bali', q: NAME },
    { authorization },
  );
  for (const { places } of [await ask({ query: NAME }), tool, (await agent.json()) as Found]) {
    const [{ phone, address, rating, review_count, hours, url } = {} as Card] = places;
    assert.deepEqual([phone, address, rating, review_count], [PHONE, 'Jl. Pantai 12', 4.4, 57]);
    assert.deepEqual(hours, { structured, verified: true });
    assert.match(String(url), new RegExp(`/p/${placeId}$`));
  }
  for (const said of [
    await text(PARTNER_MCP, 'search_places', { destination: 'bali', query: NAME }),
    await text('/mcp', 'svc_search_places', { city: 'bali', q: NAME }),
  ]) {
    for (const part of [PHONE, 'Jl. Pantai 12', '4.4★ from 57', `/p/${placeId}`])
      assert.ok(said.includes(part), part);
    assert.ok(said.includes('Hours: Mo-Tu 10:00-22:00; Th 10:00-15:00,18:00-01:00'), said);
  }
});

test('one of several places, and one of which something was asked for, is told as before', async () => {
  const brief = ['place_id', 'name', 'category'];
  const of = (card: Card | undefined) => Object.keys(card ?? {}).filter((name) => name !== 'open_now');
  const several = await ask({ query: 'Kedai Zyxwv' });
  assert.equal(several.places.length, 2);
  for (const card of several.places) assert.deepEqual(of(card), brief);
  const page = await ask({ query: 'Kedai Zyxwv', limit: 1 });
  assert.deepEqual(of(page.places[0]), brief);
  const last = await ask({ query: 'Kedai Zyxwv', limit: 1, cursor: page.next_cursor });
  assert.deepEqual([...page.places, ...last.places], several.places);
  const [asked] = (await ask({ query: NAME, fields: ['phone'] })).places;
  assert.deepEqual(of(asked), [...brief, 'phone']);
});

test('a number that changes, or goes, is told as it is now', async () => {
  for (const phone of ['+62361654321', null]) {
    await pool`update place set phone = ${phone} where id = ${placeId}`;
    await service.app.deps.places.follow();
    const [card] = (await ask({ query: NAME })).places;
    assert.equal(card?.['phone'], phone);
  }
  assert.match(
    await text(PARTNER_MCP, 'search_places', { destination: 'bali', query: NAME }),
    /Phone: not known/,
  );
});

test('an area that a destination does not have is an empty answer that names those which it has', async () => {
  const [known] = service.app.deps.places.areasIn(
    service.app.deps.places.destinationNumber(
      service.app.deps.destinations.current.destinations.find(({ slug }) => slug === 'bali')?.id ?? '',
    ) ?? -1,
    1,
  );
  assert.ok(known !== undefined);
  const given = { destination: 'bali', area: 'the old harbour' };
  for (const name of ['search_places', 'open_places']) {
    const { places, hint } = await callTool<Found>(service, PARTNER_MCP, name, given);
    assert.deepEqual(places, []);
    assert.match(hint ?? '', new RegExp(`Bali has no area with this name.*${known.name}`));
    assert.ok((await text(PARTNER_MCP, name, given)).includes(hint ?? '-'));
  }
  const nothing = await ask({ area: known.name, query: 'zzzzqqqq' });
  assert.doesNotMatch(nothing.hint ?? '', /no area/);
});
