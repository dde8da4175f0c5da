import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Pool } from '../../src/core/postgres/db.ts';
import { importAt } from '../import/import-directory.ts';
import { needsSharedFile, sharedFile } from '../import/shared-data.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { signUpAgent, startTestService, type TestService } from '../harness/service/service.ts';
import { JUDGED, KINDS, type JudgedQuery } from './judged-queries.ts';

const EXTRACTS = ['osm/monaco.osm.pbf', 'osm/andorra.osm.pbf', 'osm/helsinki.osm.pbf'];
const FOOD = 'food-places-worldwide.geojson.gz';
const FIRST = 3;
const SHARE_MIN = 0.97;

interface Card {
  place_id: string;
  name: string;
  vertical: string;
  category: string;
  cuisine: string[];
  city: string | null;
  /** The areas that contain it, by the shapes of the map. */
  areas: string[];
}

const skip = needsSharedFile(FOOD);
const found = skip.skip === false ? await startWithExtracts() : undefined;

async function startWithExtracts(): Promise<{ service: TestService; authorization: string; pool: Pool }> {
  const database = await createTestDatabase();
  for (const extract of EXTRACTS) await importAt(database, sharedFile(extract), { autoDestinations: true });
  await importAt(database, sharedFile(FOOD), { source: 'geojson' });
  const service = await startTestService({ database });
  after(async () => {
    await service.close();
    await database.drop();
  });
  const { agentId, apiKey } = await signUpAgent(service);
  await database.pool`update agent set plan = 'scale' where id = ${agentId}`;
  return { service, authorization: `Bearer ${apiKey}`, pool: database.pool };
}

async function firstOf({
  kind: _kind,
  expect: _expect,
  every: _every,
  ...search
}: JudgedQuery): Promise<Card[]> {
  assert.ok(found);
  const { service, authorization, pool } = found;
  const query = new URLSearchParams({ ...search, limit: String(FIRST) });
  const response = await service.request(`/api/agent/search?${query.toString()}`, {
    headers: { authorization },
  });
  assert.equal(response.status, 200);
  const { places } = (await response.json()) as { places: Card[] };
  const rows = await pool<{ id: string; areas: string[] }[]>`
    select id, areas from place where id = any(${places.map(({ place_id }) => place_id)})`;
  const areas = new Map(rows.map((row) => [row.id, row.areas]));
  return places.map((card) => ({ ...card, areas: areas.get(card.place_id) ?? [] }));
}

function isAnswered({ expect, every }: JudgedQuery, cards: readonly Card[]): boolean {
  if (expect !== undefined) return cards.some(({ name }) => expect.includes(name));
  const { cuisine, city, ...same } = every ?? {};
  const fits = (card: Card) =>
    Object.entries(same).every(([key, value]) => card[key as keyof Card] === value) &&
    (city === undefined || card.city === city || card.areas.includes(city)) &&
    (cuisine === undefined || card.cuisine.includes(cuisine));
  return cards.length > 0 && cards.every(fits);
}

test('nearly every judged search has in its first three what a person would expect', skip, async (t) => {
  assert.ok(JUDGED.length >= 60);
  const answered = new Map(KINDS.map((kind) => [kind, { yes: 0, all: 0 }]));
  const missed: string[] = [];
  for (const query of JUDGED) {
    const cards = await firstOf(query);
    const yes = isAnswered(query, cards);
    const count = answered.get(query.kind);
    assert.ok(count);
    count.all++;
    if (yes) count.yes++;
    else
      missed.push(`${JSON.stringify(query)} gave ${cards.map(({ name }) => name).join(', ') || 'nothing'}`);
  }
  for (const [kind, { yes, all }] of answered) t.diagnostic(`${kind}: ${yes} of ${all}`);
  for (const line of missed) t.diagnostic(`missed: ${line}`);
  const share = 1 - missed.length / JUDGED.length;
  t.diagnostic(
    `${(share * 100).toFixed(1)} % of ${JUDGED.length} searches are answered in the first ${FIRST}`,
  );
  assert.ok(share >= SHARE_MIN, missed.join('\n'));
});
