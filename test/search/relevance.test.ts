import assert from 'node:assert/strict';
import { after, test } from 'node:test';
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
  name: string;
  vertical: string;
  category: string;
  cuisine: string[];
  city: string | null;
}

const skip = needsSharedFile(FOOD);
const found = skip.skip === false ? await startWithExtracts() : undefined;

async function startWithExtracts(): Promise<{ service: TestService; authorization: string }> {
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
  return { service, authorization: `Bearer ${apiKey}` };
}

async function firstOf({
  kind: _kind,
  expect: _expect,
  every: _every,
  ...search
}: JudgedQuery): Promise<Card[]> {
  assert.ok(found);
  const { service, authorization } = found;
  const query = new URLSearchParams({ ...search, limit: String(FIRST) });
  const response = await service.request(`/api/agent/search?${query.toString()}`, {
    headers: { authorization },
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { places: Card[] }).places;
}

function isAnswered({ expect, every }: JudgedQuery, cards: readonly Card[]): boolean {
  if (expect !== undefined) return cards.some(({ name }) => expect.includes(name));
  const { cuisine, ...same } = every ?? {};
  const fits = (card: Card) =>
    Object.entries(same).every(([key, value]) => card[key as keyof Card] === value) &&
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
