import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFacts, type Answer } from '../../answers/check-facts.ts';
import { copyDirectory } from '../../answers/directory-copy.ts';
import { makePlace } from '../../answers/made-places.ts';
import { callTool, refusal } from '../../harness/clients/call-tool.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const PATH = '/api/partner/mcp';
const service = await sharedService({ demoPlaces: 3000 });

const ask = (question: string, destination = 'reykjavik') =>
  callTool<Answer>(service, PATH, 'concierge_answer', { question, destination });

const facts = async (answer: Answer, slug = 'reykjavik') =>
  checkFacts(answer, await copyDirectory(service), slug, service.clock.now());

test('the tool is read-only, books nothing and says how its answer was made', async () => {
  const { body } = await rpc(service, PATH, { id: 1, method: 'tools/list', params: {} });
  const tools = body.result?.['tools'] as { name: string; annotations: { readOnlyHint: boolean } }[];
  assert.equal(tools.find(({ name }) => name === 'concierge_answer')?.annotations.readOnlyHint, true);
  const answer = await ask('restaurants', 'bali');
  assert.deepEqual(
    [answer.booked, answer.mode, answer.outcome, answer.no_match],
    [false, 'template', 'answered', false],
  );
  assert.match(answer.disclosure, /Nothing was booked/);
  assert.ok(answer.places.length >= 2 && answer.places.length <= 4);
});

test('every place that is named is in places, and the reverse, whatever was asked', async () => {
  const directory = await copyDirectory(service);
  for (const destination of ['bali', 'tokyo', 'paris', 'new-york'])
    for (const question of [
      'restaurants',
      'a bar tonight',
      'best hotel',
      'things to do on Sunday',
      'any recommendations?',
      'shops open now',
      'somewhere cheap',
    ])
      assert.deepEqual(
        checkFacts(await ask(question, destination), directory, destination, service.clock.now()),
        [],
        `${question} ${destination}`,
      );
});

test('an unknown destination is an error that names those which come nearest', async () => {
  const { code, hint } = await refusal(service, PATH, 'concierge_answer', {
    question: 'a bar',
    destination: 'Parisville',
  });
  assert.equal(code, 'unknown_destination');
  assert.match(hint ?? '', /Paris/);
});

test('a question must be three to five hundred characters long', async () => {
  for (const question of ['', 'hi', 'x'.repeat(501), 7, null])
    assert.equal(
      (await refusal(service, PATH, 'concierge_answer', { question, destination: 'bali' })).code,
      'validation_failed',
    );
  assert.equal((await ask('x'.repeat(500), 'bali')).outcome, 'out_of_scope');
});

test('where nothing matches, the answer says so and names nothing', async () => {
  const answer = await ask('a beach', 'kathmandu');
  assert.deepEqual(
    [answer.no_match, answer.outcome, answer.places, answer.claims],
    [true, 'no_match', [], []],
  );
  assert.match(answer.answer, /Kathmandu has no place that matches: beach/);
});

test('one wish at a time is given up, and the answer says which', async () => {
  await makePlace(service, {
    name: 'Kjallari Lava',
    category: 'pizza',
    cuisine: ['italian'],
    area: 'Grandi',
    price_range: '$$$$',
  });
  const answer = await ask('a cheap pizza in Grandi');
  assert.deepEqual([answer.outcome, answer.relaxed], ['relaxed', ['price']]);
  assert.match(answer.answer, /No match in that price range/);
  assert.match(answer.answer, /Kjallari Lava/);
});

test('a place that is known to have closed is in no answer', async () => {
  await makePlace(service, { name: 'Lokað Zoo', vertical: 'attraction', category: 'zoo', closed: true });
  assert.equal((await ask('a zoo')).outcome, 'no_match');
  const id = await makePlace(service, { name: 'Dýragarður', vertical: 'attraction', category: 'zoo' });
  assert.deepEqual(
    (await ask('a zoo')).places.map(({ place_id }) => place_id),
    [id],
  );
  // The index may be a moment behind the record; the answer is not.
  await service.database.pool`update place set closed_at = now() where id = ${id}`;
  assert.equal((await ask('a zoo, please')).outcome, 'no_match');
});

test('a place that is asked for by name is told about, with its hours or that nobody knows them', async () => {
  const id = await makePlace(service, {
    name: 'The Quiet Otter Café',
    vertical: 'cafe',
    category: 'coffee_shop',
    area: 'Grandi',
  });
  for (const question of [
    'Is The Quiet Otter Café open now?',
    'what time does "the quiet otter cafe" close?',
    'Tell me about The Quiet Otter Café',
  ]) {
    const answer = await ask(question);
    assert.deepEqual(
      answer.places.map(({ place_id }) => place_id),
      [id],
      question,
    );
    assert.match(answer.answer, /hours not verified/);
    assert.deepEqual(await facts(answer), []);
  }
});

test('near a landmark is measured from it, without naming it in the answer', async () => {
  await makePlace(service, {
    name: 'Hallgrims Tower',
    vertical: 'attraction',
    category: 'monument',
    lat: 64.1417,
    lng: -21.9266,
  });
  const near = await makePlace(service, {
    name: 'Borð Eitt',
    category: 'tapas',
    cuisine: ['spanish'],
    lat: 64.1427,
    lng: -21.9266,
  });
  await makePlace(service, {
    name: 'Borð Tvö',
    category: 'tapas',
    cuisine: ['spanish'],
    lat: 64.1317,
    lng: -21.9266,
  });
  const answer = await ask('tapas near Hallgrims Tower');
  assert.equal(answer.places[0]?.place_id, near);
  assert.match(answer.answer, /110 m from the place you named/);
  assert.doesNotMatch(answer.answer, /Hallgrims/);
  assert.deepEqual((answer.understood.near as { name?: string } | null)?.name, 'Hallgrims Tower');
  assert.deepEqual(await facts(answer), []);
});

test('names of any length leave room for the rest, and an answer never has more than 120 words', async () => {
  for (let at = 0; at < 3; at++)
    await makePlace(service, {
      name: `${'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(1)}${at} Höfn ${at}`
        .slice(0, 79)
        .trim(),
      vertical: 'attraction',
      category: 'planetarium',
      area: 'Grandi',
    });
  const answer = await ask(
    'planetarium, cheap, quiet, romantic, with kids, with a view, wifi, parking, for 9 people, book it, what is the weather, any deals near me?',
  );
  assert.ok(answer.answer.split(/\s+/).length <= 120, answer.answer);
  assert.ok(answer.places.length >= 1);
  assert.deepEqual(await facts(answer), []);
});

test('two places of one name are not both in an answer', async () => {
  await makePlace(service, { name: 'Keðja', vertical: 'shop', category: 'florist' });
  await makePlace(service, { name: 'Keðja', vertical: 'shop', category: 'florist' });
  assert.equal((await ask('florist')).places.length, 1);
});

test('addresses and numbers of people are neither repeated nor logged', async () => {
  const answer = await ask(
    'I am jane.roe@example.com, call +354 555 1234 or 555-123-4567, a hotel please',
    'bali',
  );
  assert.ok(answer.places.length > 0);
  const logged = JSON.stringify(service.logged);
  for (const text of [JSON.stringify(answer), logged])
    for (const private_ of ['jane.roe', '555 1234', '555-123-4567'])
      assert.ok(!text.includes(private_), private_);
  assert.match(logged, /\[email\].*\[phone\]/);
});
