import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { signUpAgent, startTestService } from '../harness/service.ts';
import { importMap } from './import-directory.ts';
import type { MadeNode } from './write-osm-pbf.ts';

const service = await startTestService();
const { apiKey } = await signUpAgent(service);
await service.database.pool`update agent set plan = 'scale'`;

const ADA: MadeNode = { id: 1, lat: 43.7396, lng: 7.4272, tags: { amenity: 'cafe', name: 'Zanzibarina' } };
const BEA: MadeNode = { id: 2, lat: 43.7312, lng: 7.4197, tags: { amenity: 'cafe', name: 'Béatrice' } };

async function found(): Promise<string[]> {
  const response = await service.request('/api/agent/search?q=zanzibarina', {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  assert.equal(response.status, 200);
  const { places } = (await response.json()) as { places: { name: string }[] };
  return places.map(({ name }) => name);
}

async function until(expected: string[]): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const names = await found();
    if (names.join() === expected.join()) return;
    await setTimeout(50);
  }
  assert.deepEqual(await found(), expected);
}

test('a running service finds what an import brings, and no longer finds what one closes', async () => {
  const now = service.clock.now();
  assert.deepEqual(await found(), []);
  await importMap(service.database, '2026-10-01', { nodes: [ADA, BEA] }, { now });
  await until(['Zanzibarina']);
  await importMap(service.database, '2026-11-01', { nodes: [BEA] }, { now });
  await until([]);
  await importMap(service.database, '2026-11-10', { nodes: [ADA, BEA] }, { now });
  await until(['Zanzibarina']);
});

test('the service answers while an import has not ended', async () => {
  const now = service.clock.now();
  const state = { ended: false };
  const nodes = Array.from({ length: 3000 }, (_, at) => ({
    id: 100 + at,
    lat: 43.73 + at / 1e6,
    lng: 7.42,
    tags: { amenity: 'cafe', name: `Café ${at}` },
  }));
  const importing = importMap(
    service.database,
    '2026-11-11',
    { nodes: [ADA, BEA, ...nodes] },
    { now },
  ).finally(() => {
    state.ended = true;
  });
  let answers = 0;
  do {
    assert.deepEqual(await found(), ['Zanzibarina']);
    answers++;
  } while (!state.ended);
  assert.equal((await importing).added, 3000);
  assert.ok(answers > 0);
});
