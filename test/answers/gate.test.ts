import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaceCard } from '../../src/directory/place/place-fields.ts';
import { gateSentences, type Reworded } from '../../src/answers/wording/gate.ts';
import { answerLanguage } from '../../src/answers/language/answer-language.ts';
import { placeSentence, type PlaceSentence } from '../../src/answers/wording/place-sentence.ts';
import { MUTATIONS } from './mutations.ts';

const OBSERVED = '2026-09-02T08:00:00.000Z';
const FACTS = {
  id: '',
  verified: true,
  observed_at: OBSERVED,
  hours_observed_at: OBSERVED,
  filled_at: {},
  promotions: [],
  phones: { phone: null },
};
const TIMEZONE = 'Asia/Makassar';
const CAUGHT_MIN = 200;

interface Made {
  name: string;
  vertical?: string;
  category: string;
  cuisine?: string[];
  area: string;
  rating: number;
  review_count: number;
  price_range: string;
  until: string;
}

const ENGLISH = answerLanguage({ language: 'en' }, []);

function sentenceOf(made: Made, at: number): PlaceSentence {
  const card = {
    vertical: 'restaurant',
    cuisine: [],
    ...made,
    place_id: `plc_${String(at).padStart(26, '0')}`,
  } as unknown as PlaceCard;
  const open = { open: true, until: new Date(`2026-11-14T${made.until}:00+08:00`) };
  return placeSentence(
    card,
    FACTS,
    {
      language: ENGLISH,
      timezone: TIMEZONE,
      at: undefined,
      instant: NOON,
      open,
      openByHours: null,
      always: false,
      metres: undefined,
      contact: false,
      facts: [],
    },
    0,
  );
}

const NOON = new Date('2026-10-03T12:00:00Z');

const ANSWERS: readonly (readonly PlaceSentence[])[] = [
  [
    {
      name: 'Pizzeria Senja',
      category: 'pizza',
      cuisine: ['italian'],
      area: 'Canggu',
      rating: 4.6,
      review_count: 312,
      price_range: '$$',
      until: '23:00',
    },
    {
      name: 'Warung Melati',
      category: 'restaurant',
      cuisine: ['indonesian'],
      area: 'Ubud',
      rating: 4.4,
      review_count: 87,
      price_range: '$',
      until: '22:00',
    },
  ],
  [
    {
      name: 'The Open Table',
      category: 'bistro',
      cuisine: ['french'],
      area: 'Seminyak',
      rating: 4.9,
      review_count: 1204,
      price_range: '$$$',
      until: '22:30',
    },
    {
      name: 'Kopi Awan',
      vertical: 'cafe',
      category: 'coffee_shop',
      area: 'Sanur',
      rating: 4.1,
      review_count: 46,
      price_range: '$',
      until: '18:00',
    },
    {
      name: 'Bar 24',
      vertical: 'bar',
      category: 'bar',
      area: 'Kuta',
      rating: 3.9,
      review_count: 24,
      price_range: '$$',
      until: '21:00',
    },
  ],
  [
    {
      name: '本鯉寿司',
      category: 'sushi',
      cuisine: ['japanese'],
      area: 'Ginza',
      rating: 4.2,
      review_count: 530,
      price_range: '$$$$',
      until: '21:30',
    },
    {
      name: 'Smokehouse No. 5',
      category: 'grill',
      cuisine: ['american'],
      area: 'Shibuya',
      rating: 4.7,
      review_count: 99,
      price_range: '$$',
      until: '20:30',
    },
  ],
  [
    {
      name: 'Café de l’Étoile',
      vertical: 'cafe',
      category: 'bakery',
      area: 'Le Marais',
      rating: 4.3,
      review_count: 2100,
      price_range: '$',
      until: '19:00',
    },
    {
      name: 'Hotel Rossi & Figli',
      vertical: 'hotel',
      category: 'hotel',
      area: 'Monti',
      rating: 4.0,
      review_count: 11,
      price_range: '$$$',
      until: '23:30',
    },
  ],
  [
    {
      name: 'Noodle House Nine',
      category: 'noodles',
      cuisine: ['chinese'],
      area: 'Chinatown',
      rating: 4.5,
      review_count: 640,
      price_range: '$',
      until: '22:15',
    },
    {
      name: 'La Cantina',
      category: 'taqueria',
      cuisine: ['mexican'],
      area: 'Astoria',
      rating: 4.8,
      review_count: 75,
      price_range: '$$',
      until: '20:00',
    },
  ],
].map((answer) => answer.map(sentenceOf));

/** Ways to say the same in other words, as a model that behaves would. */
const HONEST: readonly ((place: PlaceSentence) => string)[] = [
  ({ sentence }) => sentence,
  ({ card, sentence }) =>
    `You can find ${card.name} in ${card.area ?? ''}, open now until ${untilOf(sentence)}.`,
  ({ card, sentence }) =>
    `Consider ${card.name}: rated ${String(card.rating?.toFixed(1))} from ${card.review_count} reviews, price range ${card.price_range ?? ''}, and it closes at ${untilOf(sentence)}.`,
  ({ card }) =>
    `In ${card.area ?? ''} there is ${card.name}, with a rating of ${String(card.rating?.toFixed(1))}.`,
  ({ card, sentence }) =>
    `${card.name} stays open till ${untilOf(sentence)}. It is priced ${card.price_range ?? ''}, and it has ${card.review_count} reviews.`,
];

function untilOf(sentence: string): string {
  return /until (\d\d:\d\d)/.exec(sentence)?.[1] ?? '';
}

const reworded = (given: readonly PlaceSentence[], say: (place: PlaceSentence) => string): Reworded[] =>
  given.map((place) => ({ place_id: place.card.place_id, text: say(place) }));

test('honest rewordings pass', () => {
  for (const given of ANSWERS)
    for (const say of HONEST)
      assert.deepEqual(gateSentences(given, reworded(given, say)), [], reworded(given, say)[0]?.text ?? '');
});

test('two hundred and more answers with something wrong in them are all caught', (t) => {
  const missed: string[] = [];
  let tried = 0;
  for (const given of ANSWERS)
    for (const say of [HONEST[0], HONEST[4]])
      for (const [name, mutate] of Object.entries(MUTATIONS)) {
        const mutated = mutate(reworded(given, say ?? (() => '')), given);
        if (mutated === undefined) continue;
        tried++;
        if (gateSentences(given, mutated).length === 0)
          missed.push(`${name}: ${mutated.map(({ text }) => text).join(' | ')}`);
      }
  t.diagnostic(
    `${tried - missed.length} of ${tried} mutated answers were caught, in ${Object.keys(MUTATIONS).length} ways of being wrong`,
  );
  assert.deepEqual(missed, []);
  assert.ok(tried >= CAUGHT_MIN, String(tried));
});

test('a number counts only with the role that it has', () => {
  const [given = []] = ANSWERS;
  const [{ card } = assert.fail()] = given;
  for (const text of [
    `${card.name} is rated 312 from 4.6 reviews.`,
    `${card.name} is open until 4.6.`,
    `${card.name} is 312 m away.`,
    `${card.name} is open from 23:00.`,
    `${card.name} has 4.6 reviews.`,
  ]) {
    const sentences = reworded(given, ({ sentence }) => sentence).with(0, { place_id: card.place_id, text });
    assert.notDeepEqual(gateSentences(given, sentences), [], text);
  }
});

test('a fact that lost its no, or gained one, never passes', () => {
  const card = {
    place_id: 'plc_1',
    name: 'Hut',
    vertical: 'cafe',
    category: 'cafe',
    cuisine: [],
    area: null,
    rating: null,
    price_range: null,
  } as unknown as PlaceCard;
  const sentenceWith = (message: 'fact.wheelchair.yes' | 'fact.wheelchair.limited' | 'fact.wheelchair.no') =>
    placeSentence(
      card,
      FACTS,
      {
        language: ENGLISH,
        timezone: TIMEZONE,
        at: undefined,
        instant: NOON,
        open: { open: null, until: null },
        openByHours: null,
        always: false,
        metres: undefined,
        contact: false,
        facts: [{ field: 'facts.wheelchair', value: 'no', message }],
      },
      0,
    );
  const gate = (said: Parameters<typeof sentenceWith>[0], reworded: string) =>
    gateSentences([sentenceWith(said)], [{ place_id: 'plc_1', text: `Hut is a place with ${reworded}.` }]);
  assert.deepEqual(gate('fact.wheelchair.no', 'no wheelchair access'), []);
  assert.deepEqual(gate('fact.wheelchair.no', 'wheelchair access'), ['a fact that is turned round']);
  assert.deepEqual(gate('fact.wheelchair.limited', 'wheelchair access'), ['a fact that is turned round']);
  assert.ok(gate('fact.wheelchair.yes', 'no wheelchair access').length > 0);
});
