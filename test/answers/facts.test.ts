import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Facts } from '../../src/directory/place/facts.ts';
import { addNamedPlace } from '../directory/named-place.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { startTestService } from '../harness/service/service.ts';
import type { Answer } from './check-facts.ts';

const service = await startTestService({ demoPlaces: 300 });

const OBSERVED = new Date('2026-02-03T04:05:06Z');
const add = (name: string, facts: Facts, category = 'restaurant') =>
  addNamedPlace(service, {
    name,
    slug: 'reykjavik',
    vertical: category === 'museum' ? 'attraction' : 'restaurant',
    category,
    facts,
    observed_at: OBSERVED,
  });

const ramp = await add('Hjörtur', { wheelchair: 'yes', outdoor_seating: 'no', diets: ['vegan'] });
const steps = await add('Kjallarinn', { wheelchair: 'no', outdoor_seating: 'yes', internet_access: 'free' });
const silent = await add('Norðurljós', {});
const halfway = await add('Brekkan', { wheelchair: 'limited' }, 'museum');

function ask(question: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return callTool<Answer>(service, '/api/partner/mcp', 'concierge_answer', {
    question,
    destination: 'reykjavik',
    ...more,
  });
}

const namesOf = ({ places }: Answer) => places.map(({ place_id }) => place_id).sort();
const saidIn = ({ claims }: Answer) =>
  claims
    .filter(({ field }) => field.startsWith('facts.'))
    .map(({ place_id, field, value, text, observed_at }) => [place_id, field, value, text, observed_at]);

test('a wish is answered by places that are recorded to fulfil it, each with its claim and date', async () => {
  const answer = await ask('Where is a restaurant with wheelchair access?');
  assert.deepEqual(namesOf(answer), [ramp]);
  assert.deepEqual(saidIn(answer), [
    [ramp, 'facts.wheelchair', 'yes', 'wheelchair access', OBSERVED.toISOString()],
  ]);
  assert.deepEqual(answer.understood['wishes'], ['wheelchair']);
  assert.deepEqual(answer.understood['not_in_directory'], []);
});

test('a place that is recorded not to fulfil a wish is never named for it', async () => {
  const answer = await ask('Where is a restaurant with wheelchair access and outdoor seating?');
  // No place has both. Those that lack one for certain are out, and of the rest nothing is known.
  assert.deepEqual(namesOf(answer), [silent]);
  assert.deepEqual(saidIn(answer), []);
  assert.match(answer.answer, /The records of these places do not say/);
  assert.ok((answer.understood['not_in_directory'] as string[]).length >= 2);
});

test('an answer that holds only in part says so', async () => {
  const answer = await ask('Which museum has wheelchair access?');
  assert.deepEqual(namesOf(answer), [halfway]);
  assert.match(answer.answer, /limited wheelchair access/);
});

test('a place that is asked about by name gets its no', async () => {
  const answer = await ask('Does Kjallarinn have wheelchair access?');
  assert.deepEqual(namesOf(answer), [steps]);
  assert.match(answer.answer, /no wheelchair access/);
  assert.doesNotMatch(answer.answer, /does not say/);
  const unknown = await ask('Does Norðurljós have wifi?');
  assert.deepEqual(namesOf(unknown), [silent]);
  assert.match(unknown.answer, /The records of these places do not say which have wifi/);
  assert.deepEqual(unknown.understood['not_in_directory'], ['wifi']);
});

test('a kitchen that caters for a diet is found without being called by it', async () => {
  const answer = await ask('Where can we eat vegan food?');
  assert.deepEqual(namesOf(answer), [ramp]);
  assert.deepEqual(answer.relaxed, []);
  assert.deepEqual(saidIn(answer), [[ramp, 'facts.diets', 'vegan', 'vegan food', OBSERVED.toISOString()]]);
});

test('a wish alone finds places too, and none where nobody recorded it', async () => {
  assert.deepEqual(namesOf(await ask('Somewhere with wifi')), [steps]);
  const none = await ask('Somewhere dog friendly');
  assert.deepEqual(none.places, []);
  assert.deepEqual(none.understood['not_in_directory'], ['dog friendly']);
});

test('a source without a date gives none', async () => {
  await service.database.pool`update place set observed_at = null where id = ${ramp}`;
  const [claim] = saidIn(await ask('Where is a restaurant with wheelchair access?'));
  assert.equal(claim?.at(-1), null);
});

test('the answer names a place as its reader knows it, with the name on its sign', async () => {
  const id = await addNamedPlace(service, {
    name: 'Perlan',
    names: { en: 'The Pearl', is: 'Perlan' },
    slug: 'reykjavik',
    vertical: 'attraction',
    category: 'zoo',
  });
  const answer = await ask('Where is a zoo?', { lang: 'en' });
  assert.deepEqual(
    answer.places.map(({ place_id, name }) => [place_id, name]),
    [[id, 'The Pearl']],
  );
  assert.match(answer.answer, /The Pearl \(Perlan\) is a zoo/);
  assert.match((await ask('Where is a zoo?')).answer, /(?<!\()Perlan is a zoo/);
});
