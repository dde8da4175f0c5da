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

const ask = (question: string, destination = 'reykjavik', lang?: string) =>
  callTool<Answer>(service, PATH, 'concierge_answer', {
    ...{ question, destination },
    ...(lang !== undefined && { lang }),
  });

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

test('a closed place that is asked for by name is reported as closed, with the evidence and its date', async () => {
  const id = await makePlace(service, {
    name: 'Gamla Kaffihúsið',
    vertical: 'cafe',
    category: 'cafe',
    closed: true,
  });
  const source = 'https://news.example/kaffi';
  await service.database.pool`
    insert into closure_evidence (place_id, kind, source_url, note, observed_at)
    values (${id}, 'published_report', ${source}, 'An article.', '2026-03-05T10:00:00Z')`;
  const answer = await ask('Is Gamla Kaffihúsið open tonight?');
  assert.equal(
    answer.answer,
    `Gamla Kaffihúsið (cafe) in Reykjavik is closed, recorded on 2026-03-05: a published report says so (${source}).`,
  );
  assert.deepEqual([answer.outcome, answer.places], ['no_match', []]);
  assert.deepEqual(
    answer.claims.map(({ place_id, field }) => [place_id, field]),
    [
      [id, 'name'],
      [id, 'closed_at'],
    ],
  );
  assert.match((await ask('Ist das Gamla Kaffihúsið am Samstag offen?')).answer, /geschlossen.*2026-03-05/);
  // Another place of that name is open.
  const open = await makePlace(service, { name: 'Gamla Kaffihúsið', vertical: 'cafe', category: 'cafe' });
  assert.deepEqual(
    (await ask('Tell me about Gamla Kaffihúsið')).places.map(({ place_id }) => place_id),
    [open],
  );
});

test('unwanted kinds are left out, in every language that is read', async () => {
  const excluded: Record<string, string> = {
    'dinner, no seafood': 'seafood',
    'restaurants with the exception of pizza': 'pizza',
    'Restaurant ohne Fisch': 'seafood',
    'ein Restaurant, aber nicht italienisch': 'italian',
    'un restaurant, sauf les pizzerias': 'pizza',
    'un restaurant à part les pizzerias': 'pizza',
    'un ristorante, ad eccezione di pizzerie': 'pizza',
    'un restaurante, pero no mexicano': 'mexican',
    'um restaurante, mas não italiano': 'italian',
    'een restaurant, maar geen pizza': 'pizza',
    'restoran, tapi bukan seafood': 'seafood',
    居酒屋以外で夕食: 'izakaya',
    ピザを除くレストラン: 'pizza',
    'ร้านอาหาร ไม่เอาพิซซ่า': 'pizza',
    ร้านอาหารที่ไม่ใช่อาหารญี่ปุ่น: 'japanese',
  };
  for (const [question, kind] of Object.entries(excluded)) {
    const answer = await ask(question, 'paris');
    assert.ok((answer.understood['without'] as string[]).includes(kind), `${question}: ${kind}`);
    const kinds = answer.places.flatMap((place) => {
      const { category, cuisine } = place as unknown as { category: string; cuisine: string[] };
      return [category, ...cuisine];
    });
    assert.ok(!kinds.includes(kind), question);
  }
});

test('"before 8" is a time before 8, in several languages', async () => {
  for (const question of [
    'a café open before 8',
    'ein Café, das vor 8 offen ist',
    'un café ouvert avant 8h',
    'un café abierto antes de las 8',
    'un caffè aperto prima delle 8',
    'um café aberto antes das 8',
    'kafe yang buka sebelum jam 8',
    '8時前に開いているカフェ',
    'คาเฟ่ที่เปิดก่อน 8 โมง',
  ])
    assert.match((await ask(question, 'paris')).understood.open_at ?? '', /T07:59$/, question);
  assert.match((await ask('dinner before 8', 'paris')).understood.open_at ?? '', /T19:59$/);
  assert.match((await ask('a café open before 8', 'paris')).answer, /before 08:00|None is known/);
});

test('a rating threshold says how many more places reach it', async () => {
  const { pool } = service.database;
  const [{ count } = { count: 0 }] = await pool<{ count: number }[]>`
    select count(*)::int as count from place p join destination d on d.id = p.destination_id
    where d.slug = 'paris' and p.vertical = 'restaurant' and p.rating > 4.5 and p.closed_at is null`;
  const answer = await ask('restaurants rated over 4.5', 'paris');
  assert.ok(count > answer.places.length, String(count));
  assert.match(answer.answer, new RegExp(`(?<!\\d)${count - answer.places.length} more places? match`));
});

test('the article of a name tells the language of the name, not that of the question', async () => {
  for (const [question, language] of [
    ['restaurants in La Barceloneta', 'en'],
    ['Restaurants in La Barceloneta, bitte', 'de'],
    ['Quali ristoranti ci sono a La Barceloneta?', 'it'],
  ] as const)
    assert.equal((await ask(question, 'barcelona')).understood['language'], language, question);
});

test('the answer follows the language of the question, or lang, and states the same facts', async () => {
  const words: Record<string, RegExp> = {
    en: /is an? .*, rated/,
    de: /bewertet mit/,
    fr: /noté/,
    it: /voto/,
    es: /de puntuación/,
    pt: /avaliação/,
    ja: /評価/,
    id: /dinilai/,
    th: /คะแนน/,
  };
  const english = await ask('best restaurants', 'bali', 'en');
  const figures = (text: string) => (text.match(/\d+(?:[.:]\d+)?|\$+/g) ?? []).sort();
  for (const [lang, said] of Object.entries(words)) {
    const answer = await ask('best restaurants', 'bali', lang);
    assert.match(answer.answer, said, lang);
    assert.deepEqual(figures(answer.answer), figures(english.answer), lang);
    for (const { name } of english.places) assert.ok(answer.answer.includes(name), `${lang}: ${name}`);
    assert.deepEqual(
      answer.claims.map(({ field, value }) => [field, value]),
      english.claims.map(({ field, value }) => [field, value]),
    );
    for (const { text } of answer.claims) assert.ok(answer.answer.includes(text), `${lang}: ${text}`);
  }
  assert.match((await ask('die besten Restaurants mit Terrasse', 'bali')).answer, /bewertet mit/);
  assert.match((await ask('おすすめの寿司屋はどこですか', 'tokyo')).answer, /寿司店/);
  assert.match((await ask('a trattoria', 'rome')).answer, / is an? /);
  assert.match((await ask('ร้านอาหารที่ดีที่สุดอยู่ที่ไหน', 'bangkok')).answer, /คะแนน/);
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
