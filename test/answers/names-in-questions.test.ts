import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { addNamedPlace } from '../directory/named-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { startTestService } from '../harness/service/service.ts';
import type { Answer } from './check-facts.ts';
import { makePlace } from './made-places.ts';

// It is Saturday, 20:00, in Bali.
const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;

const ask = (question: string, destination = 'reykjavik', more: Record<string, unknown> = {}) =>
  callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', { question, destination, ...more });
const idsOf = ({ places }: Answer) => places.map(({ place_id }) => place_id);

test('a closed place whose name is an ordinary word does not answer a question for that word', async () => {
  const slug = 'reykjavik';
  const table = await makePlace(service, { name: 'Borðið', slug });
  await makePlace(service, { name: 'Reykjavik', slug, closed: true });
  await makePlace(service, { name: 'Apotheke', vertical: 'shop', category: 'pharmacy', slug, closed: true });
  const open = await makePlace(service, { name: 'Lyfja', vertical: 'shop', category: 'pharmacy', slug });
  assert.deepEqual(idsOf(await ask('What is the best restaurant in Reykjavik?')), [table]);
  assert.deepEqual(idsOf(await ask('Wo ist eine Apotheke?')), [open]);
});

test('a place is found by its name in any language and in two characters', async () => {
  const add = (name: string, en: string, category: string) =>
    addNamedPlace(service, { name, names: { en, ja: name }, vertical: 'attraction', category });
  const temple = await add('東寺', 'Toji Temple', 'temple');
  const other = await add('浅草寺', 'Senso-ji', 'temple');
  assert.deepEqual(idsOf(await ask('東寺は今開いていますか', 'tokyo')), [temple]);
  assert.deepEqual(idsOf(await ask('Is Senso-ji open now?', 'tokyo')), [other]);
  // The first word alone names no place, and is in the name of one.
  const part = await ask('Is Senso open now?', 'tokyo');
  assert.deepEqual(part.places, []);
  assert.doesNotMatch(part.answer, /has no data/);
  assert.match((await ask('Is Qwrtzu open now?', 'tokyo')).answer, /has no data/);
});

test('only places that are certainly open count among those that match', async () => {
  const ALWAYS = { week: Array.from({ length: 7 }, () => [[0, 1440]]) };
  const EVENING = { week: Array.from({ length: 7 }, () => [[1080, 1380]]) };
  const add = async (name: string, source: string, compiled: object) => {
    const id = await addMadeUpPlace(pool, service.clock, { name });
    const hours = { source, compiled, text: 'as written', observed_at: '2024-10-03T08:00:00Z' };
    await pool`
      update place set vertical = 'attraction', category = 'aquarium', rating = 4.8, review_count = 500,
        hours = ${pool.json(hours)} where id = ${id}`;
  };
  for (let at = 0; at < 6; at++) await add(`Karang ${'abcdef'.charAt(at)}`, 'owner', ALWAYS);
  for (let at = 0; at < 3; at++) await add(`Laut ${'abc'.charAt(at)}`, 'map', EVENING);
  for (let at = 0; at < 3; at++) await add(`Ombak ${'abc'.charAt(at)}`, 'map', ALWAYS);
  await service.app.deps.places.follow();
  for (const question of ['aquariums rated over 4.5 open now', 'aquariums rated over 4.5 open 24 hours']) {
    const answer = await ask(question, 'bali');
    const more = 6 - answer.places.length;
    assert.ok(more > 0, question);
    assert.match(answer.answer, new RegExp(`(?<!\\d)${more} more places? match`), question);
  }
});

test('the name of a place without a name is in the language of the answer', async () => {
  const id = await makePlace(service, { name: 'Pharmacy, Grandi', category: 'pharmacy', area: 'Grandi' });
  await pool`update place set vertical = 'shop', name_generated = true where id = ${id}`;
  await service.app.deps.places.follow();
  const names = async (question: string) =>
    (await ask(question)).places.filter(({ place_id }) => place_id === id).map(({ name }) => name);
  assert.deepEqual(await names('Une pharmacie à Grandi'), ['Pharmacie, Grandi']);
  assert.deepEqual(await names('A pharmacy in Grandi'), ['Pharmacy, Grandi']);
});
