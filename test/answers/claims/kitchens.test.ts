import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from '../../harness/clients/call-tool.ts';
import { sharedService } from '../../harness/service/shared-service.ts';
import type { Answer } from '../check-facts.ts';
import { makePlace } from '../made-places.ts';

const service = await sharedService({ demoPlaces: 300 });
const sherpa = await makePlace(service, { name: 'Sherpa', cuisine: ['nepalese'], rating: null });
const fish = await makePlace(service, { name: 'Fiskurinn', cuisine: ['seafood'] });
const plain = await makePlace(service, { name: 'Maturinn' });
await makePlace(service, { name: 'Nudd', vertical: 'massage', category: 'massage' });

const ask = (question: string) =>
  callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', { question, destination: 'reykjavik' });
const idsOf = ({ places }: Answer) => places.map(({ place_id }) => place_id);

test('a kitchen that only records name is one wish with the restaurant beside it', async () => {
  for (const question of [
    'Nepalese restaurant',
    'restaurant with nepalese food',
    'Somewhere nepalese to eat',
  ]) {
    const answer = await ask(question);
    assert.deepEqual(idsOf(answer), [sherpa], question);
    assert.equal(answer.understood['cuisine'], 'nepalese');
    assert.deepEqual(answer.understood['not_in_directory'], []);
  }
});

test('a kitchen that only records name can be left out, and be one of two things', async () => {
  const without = idsOf(await ask('A restaurant, but not Nepalese'));
  assert.ok(!without.includes(sherpa) && without.includes(plain), String(without));
  const either = idsOf(await ask('Nepalese or seafood'));
  assert.deepEqual(new Set(either), new Set([sherpa, fish]));
});

test('a kitchen beside what is no food is named as not answered', async () => {
  const answer = await ask('Nepalese massage');
  assert.ok(!idsOf(answer).includes(sherpa));
  assert.deepEqual(answer.understood['not_in_directory'], ['Nepalese']);
});
