import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyIndex } from '../harness/service/copied-index.ts';
import * as jobs from '../harness/service/jobs.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { importMap, shopsAround } from './import-directory.ts';
import type { MadeNode } from './readers/write-osm-pbf.ts';

const service = await startTestService();
const { apiKey } = await signUpAgent(service);
await service.database.pool`update agent set plan = 'scale'`;

const ADA: MadeNode = { id: 1, lat: 43.7396, lng: 7.4272, tags: { amenity: 'cafe', name: 'Zanzibarina' } };
const BEA: MadeNode = { id: 2, lat: 43.7312, lng: 7.4197, tags: { amenity: 'cafe', name: 'Béatrice' } };
const CAFES = 500;
const AROUND = shopsAround({ lat: 43.736, lng: 7.424 });

async function found(q = 'zanzibarina', node = service): Promise<string[]> {
  const response = await node.request(`/api/agent/search?q=${q}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  assert.equal(response.status, 200);
  const { places } = (await response.json()) as { places: { name: string }[] };
  return places.map(({ name }) => name);
}

async function until(expected: string[]): Promise<void> {
  await jobs.until(
    `a search finds [${expected.join()}]`,
    async () => (await found()).join() === expected.join(),
  );
}

test('a running service finds what an import brings, and no longer finds what one closes', async () => {
  const now = service.clock.now();
  assert.deepEqual(await found(), []);
  await importMap(service.database, '2026-10-01', { nodes: [ADA, BEA, ...AROUND] }, { now });
  await until(['Zanzibarina']);
  await importMap(service.database, '2026-11-01', { nodes: [BEA, ...AROUND] }, { now });
  await until([]);
  await importMap(service.database, '2026-11-10', { nodes: [ADA, BEA, ...AROUND] }, { now });
  await until(['Zanzibarina']);
});

test('the service answers while an import has not ended', async () => {
  const now = service.clock.now();
  const state = { ended: false };
  const nodes = Array.from({ length: CAFES }, (_, at) => ({
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
  assert.equal((await importing).added, CAFES);
  assert.ok(answers > 0);
});

test('new places of an import are found by kind, by prefix and with misspellings at once, also by a node that was stopped, in the same file', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'waypost-import-'));
  after(() => {
    rmSync(DATA_DIR, { recursive: true, force: true });
  });
  const { database } = service;
  const now = service.clock.now();
  const start = () => startTestService({ database, settings: { DATA_DIR } });
  const files = () => readdirSync(join(DATA_DIR, 'index')).filter((name) => name.endsWith('.mdb'));
  const near = { lat: 43.7351, lng: 7.4212 };
  const MINI: MadeNode = { id: 3, ...near, tags: { leisure: 'miniature_golf', name: 'Quixotella' } };
  const CHAI: MadeNode = {
    id: 4,
    ...near,
    tags: { amenity: 'cafe', cuisine: 'tibetan', name: 'Vardapetyan' },
  };

  await copyIndex(0, database.pool, join(DATA_DIR, 'index'));
  let node = await start();
  const finds = async (name: string, questions: string[]) => {
    for (const q of questions)
      assert.ok((await found(q, node)).includes(name), `${q}: ${(await found(q, node)).join()}`);
  };
  const golf = ['quixotella', 'miniature+golf', 'quixote', 'qixotella'];
  const first = files();
  await importMap(database, '2026-11-12', { nodes: [ADA, BEA, MINI] }, { now });
  await jobs.until('the place is found', async () => (await found('quixotella', node)).length > 0);
  await finds('Quixotella', golf);

  await node.close();
  await importMap(database, '2026-11-13', { nodes: [ADA, BEA, MINI, CHAI] }, { now });
  node = await start();
  const chai = ['vardapetyan', 'tibetan', 'vardap', 'vardapetian'];
  await finds('Vardapetyan', chai);
  await finds('Quixotella', golf);
  assert.deepEqual(files(), first);
  await node.close();
});
