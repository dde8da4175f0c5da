import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ProcessChannel } from '../../src/core/workers/process-channel.ts';
import { Listener } from '../../src/core/postgres/listener.ts';
import { Destinations } from '../../src/directory/destinations.ts';
import { z } from 'zod';
import { listDestinations } from '../../src/directory/list-destinations.ts';
import { attributionSchema } from '../../src/directory/attribution.ts';
import { answerWorker, ownCounts } from '../../src/node/workers.ts';
import { modernRpc, rpc } from '../harness/clients/mcp.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';

interface Listed {
  destinations: { slug: string; country: string; places: number; verified_places: number }[];
  count: number;
  warnings?: unknown[];
  attribution: string;
}

const service = await startTestService();
const { apiKey } = await signUpAgent(service);

async function get(query = ''): Promise<Listed> {
  const response = await service.request(`/api/agent/destinations${query}`);
  assert.equal(response.status, 200);
  return (await response.json()) as Listed;
}

async function page(path: string): Promise<string> {
  const response = await service.request(path);
  assert.equal(response.status, 200, path);
  return response.text();
}

const CATALOGUE = service.app.deps.destinations.current.destinations;

test('an installation without places lists no destination', async () => {
  assert.ok(CATALOGUE.length >= 119);
  assert.deepEqual((await get()).destinations, []);
  assert.equal((await get('?country=ES')).count, 0);
  for (const listed of await tools({})) assert.deepEqual([listed['count'], listed['by_country']], [0, {}]);
  const index = JSON.parse(await page('/api/partner')) as { covers: object };
  assert.deepEqual(index.covers, { destinations: 0, countries: 0, places: 0 });
  const home = await page('/');
  assert.doesNotMatch(home, /href="\/d\//);
  assert.match(home, /There are no places here yet/);
  assert.doesNotMatch(await page('/sitemaps/destinations.xml'), /\/d\//);
  const { places, hint } = await search('city=Atlantis');
  assert.deepEqual(places, []);
  assert.match(hint, /The directory has no places yet\./);
});

test('a destination without places is listed nowhere, and a search in it says that it is empty', async () => {
  await addPlaces(CATALOGUE.filter(({ slug }) => slug !== 'madrid').map(({ slug }) => slug));
  for (const query of ['', '?country=ES', '?query=madrid']) {
    const { destinations } = await get(query);
    assert.ok(destinations.every(({ slug, places }) => slug !== 'madrid' && places > 0));
    assert.equal(destinations.length > 0, query !== '?query=madrid');
  }
  for (const listed of await tools({}))
    assert.deepEqual(
      Object.keys((listed['by_country'] as Record<string, object>)['ES'] ?? {}).includes('madrid'),
      false,
    );
  assert.doesNotMatch(await page('/'), /href="\/d\/madrid"/);
  assert.doesNotMatch(await page('/sitemaps/destinations.xml'), /\/d\/madrid</);
  const says = /The directory has no places in Madrid yet\./;
  for (const path of ['/?q=madrid', '/find?q=Madrid']) {
    const found = await page(path);
    assert.match(found.replaceAll(/<\/?bdi>/g, ''), says);
    assert.doesNotMatch(found, /href="\/d\/madrid"/);
  }
  for (const query of ['city=madrid', 'city=Madrid&q=pizza', 'city=madrid&category=restaurant']) {
    const { places, hint } = await search(query);
    assert.deepEqual(places, []);
    assert.match(hint, says, query);
  }
  const partner = (name: string, given: object) =>
    callTool<{ hint: string; answer: string }>(service, '/api/partner/mcp', name, {
      destination: 'madrid',
      ...given,
    });
  for (const name of ['search_places', 'open_places'])
    assert.match((await partner(name, {})).hint, says, name);
  assert.match((await partner('concierge_answer', { question: 'Where can I have dinner?' })).answer, says);
  const misspelt = await search('city=Madrdi, Atlantis');
  assert.doesNotMatch(misspelt.hint, /Madrid,|Madrid\.$/);
});

async function search(query: string): Promise<{ places: unknown[]; hint: string }> {
  const response = await service.request(`/api/agent/search?${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return (await response.json()) as { places: unknown[]; hint: string };
}

/** Adds one verified place to each of these destinations. */
async function addPlaces(slugs: readonly string[]): Promise<void> {
  await service.database.pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref, verified_at)
    select 'plc_' || lpad(row_number() over (order by slug)::text, 26, '0'), id, 'Place of ' || name, 'cafe', 'cafe', country,
      lat, lng, 'made', slug, ${service.clock.now()}
    from destination where slug = any(${slugs})`;
  await service.app.deps.destinations.refresh();
  await service.app.deps.places.follow();
}

test('the list holds at least 119 destinations in at least 39 countries, without a key', async () => {
  const { destinations, count } = await get();
  assert.equal(destinations.length, count);
  assert.ok(count >= 119, String(count));
  assert.ok(new Set(destinations.map(({ country }) => country)).size >= 39);
});

test('the prepared answer satisfies the schema that is published for it', async () => {
  const published = z.strictObject({ ...listDestinations.output.shape, ...attributionSchema.shape });
  published.parse(await get());
  published.parse(await get('?country=ID'));
});

/** The answers of the tool for agents and partners, in both eras. */
async function tools(given: Record<string, unknown>): Promise<Record<string, unknown>[]> {
  const calls = (
    [
      ['/mcp', 'svc_list_destinations'],
      ['/api/partner/mcp', 'list_destinations'],
    ] as const
  ).flatMap(([path, name]) => {
    const params = { name, arguments: given };
    return [
      rpc(service, path, { id: 1, method: 'tools/call', params }),
      modernRpc(service, path, 'tools/call', params),
    ];
  });
  return (await Promise.all(calls)).map(({ status, body }) => {
    assert.equal(status, 200);
    return body.result?.['structuredContent'] as Record<string, unknown>;
  });
}

test('REST and the tools of agents and partners tell the same of a country', async () => {
  const { destinations, count } = await get('?country=ID');
  for (const told of await tools({ country: 'ID' }))
    assert.deepEqual([told['destinations'], told['count']], [destinations, count]);
});

test('the whole list of a tool has every destination with places by country, with their number', async () => {
  const byCountry: Record<string, Record<string, number>> = {};
  for (const { slug, country, places } of (await get()).destinations)
    (byCountry[country] ??= {})[slug] = places;
  for (const told of await tools({})) assert.deepEqual(told['by_country'], byCountry);
});

test('a country filters in any case, and a query finds other names in other scripts', async () => {
  assert.ok((await get('?country=id')).destinations.every(({ country }) => country === 'ID'));
  assert.deepEqual(
    (await get('?country=MC')).destinations.map(({ slug }) => slug),
    ['monaco'],
  );
  assert.ok(
    (await get(`?query=${encodeURIComponent('東京')}`)).destinations.some(({ slug }) => slug === 'tokyo'),
  );
  assert.ok((await get('?query=MUNCHEN')).destinations.some(({ slug }) => slug === 'munich'));
});

test('a query without a match is an empty list, not an error', async () => {
  const none = await get('?query=atlantis');
  assert.deepEqual([none.count, none.destinations], [0, []]);
});

test('a country that does not exist is refused with a pointer to it', async () => {
  const response = await service.request('/api/agent/destinations?country=ZZ');
  assert.equal(response.status, 422);
  const problem = (await response.json()) as { code: string; errors: { pointer: string; code: string }[] };
  assert.equal(problem.code, 'validation_failed');
  assert.deepEqual(
    problem.errors.map(({ pointer, code }) => [pointer, code]),
    [['/country', 'unknown_country']],
  );
});

test('an unknown parameter is named in the warnings', async () => {
  assert.deepEqual((await get('?contry=ID')).warnings, [{ code: 'unknown_field', pointer: '/contry' }]);
});

test('counts follow the directory: a new place is counted, a closed one is not', async () => {
  const { pool } = service.database;
  const before = (await get()).destinations.find(({ slug }) => slug === 'monaco');
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref, verified_at)
    select 'plc_0000000000000000000000test', id, 'Café du Test', 'cafe', 'cafe', 'MC', lat, lng, 'test', '1', ${service.clock.now()}
    from destination where slug = 'monaco'`;
  await service.app.deps.destinations.refresh();
  const counted = (await get()).destinations.find(({ slug }) => slug === 'monaco');
  assert.equal(counted?.places, (before?.places ?? 0) + 1);
  assert.equal(counted.verified_places, (before?.verified_places ?? 0) + 1);
  await pool`update place set closed_at = ${service.clock.now()} where source = 'test'`;
  await service.app.deps.destinations.refresh();
  assert.equal((await get()).destinations.find(({ slug }) => slug === 'monaco')?.places, before?.places);
});

test('a change made by another node arrives without being asked for', async () => {
  const { pool } = service.database;
  await pool`update destination set name = 'Monaco-Ville' where slug = 'monaco'`;
  const deadline = Date.now() + 5000;
  const name = () =>
    service.app.deps.destinations.current.destinations.find(({ slug }) => slug === 'monaco')?.name;
  while (name() !== 'Monaco-Ville' && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(name(), 'Monaco-Ville');
});

test('destinations that could not be counted are counted again soon, though nothing else changes', async (t) => {
  const { clock, log, config } = service.app.deps;
  const { pool, url } = service.database;
  const listener = new Listener(url);
  t.after(() => listener.close());
  let counted = 0;
  const count = () => {
    counted++;
    if (counted === 2) return Promise.reject(new Error('the database was busy'));
    return Promise.resolve({ ...service.app.deps.destinations.current });
  };
  const destinations = await Destinations.open({ pool, clock, log, listener, config, count });
  t.after(() => destinations.close());
  const first = destinations.current;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await assert.rejects(askedByWorker(destinations), /could not be counted/);
  assert.equal(destinations.current, first);
  t.mock.timers.runAll();
  await setImmediate();
  assert.notEqual(destinations.current, first);
});

/** As a process that serves asks the one that counts. */
function askedByWorker(destinations: Destinations): Promise<unknown> {
  const worker: ProcessChannel = new ProcessChannel((message) => void main.receive(message));
  const main = new ProcessChannel((message) => void worker.receive(message));
  answerWorker(main, { ...service.app.deps, destinations }, ownCounts(), () => []);
  return worker.request('destinations');
}
