import { fold } from '../../../../core/text/fold.ts';
import {
  ASKED_WISHES,
  DISHES,
  LANGUAGE_WORDS,
  NUMBER_PHRASES,
  WEEKDAYS,
  type LanguageWords,
} from '../lexicon.ts';
import activities from '../activities.json' with { type: 'json' };
import goods from '../goods.json' with { type: 'json' };
import nearWords from '../near-words.json' with { type: 'json' };
import own from '../own-words.json' with { type: 'json' };
import qualities from '../qualities.json' with { type: 'json' };
import stars from '../stars.json' with { type: 'json' };
import type { VocabularyDraft } from './draft.ts';
import { kindMeaning } from './kinds.ts';

/** Kinds and cuisines of the map for kinds that the language files name differently. */
const MAP_KINDS: Readonly<Record<string, string>> = own.map_kinds;
const MAP_CUISINES: Readonly<Record<string, string>> = own.map_cuisines;
/** Kinds whose phrases the language files give to another kind. */
const DISTINCT_KINDS: Readonly<Record<string, string>> = own.distinct_kinds;
/** Wishes whose words are unambiguous in all languages. French "livre" (delivers) also means "book". */
const CLEAR_WISHES = new Set(['outdoor', 'wifi', 'dogs', 'access']);
const STREET_WORD_MIN = 3;
const SHORT_WORD = 4;
/** Wishes that no record can answer. In a search text their words count as praise. */
const PRAISE = new Set(['quiet', 'romantic', 'view', 'kids']);

/** Times of the question lexicons that a search text may request too. */
const OPENINGS = [...WEEKDAYS, 'weekend', 'late', 'midnight', 'small_hours', 'around_clock'];
/** Short words mean something else in another language: French "mon". */
const SHORT_DAY = /^[a-z]{1,3}$/;

export function addOwnWords(draft: VocabularyDraft): void {
  const { wishes, codes } = own;
  addOwnKinds(draft);
  for (const [wish, phrases] of Object.entries(wishes)) addAll(draft, `f${wish}`, phrases);
  for (const [slug, all] of Object.entries(codes)) addAll(draft, `d${slug}`, all.replaceAll(' ', '|'));
  addAll(draft, 'o', own.open_now);
  for (const [opening, phrases] of Object.entries(own.open)) addAll(draft, `o${opening}`, phrases);
  addAll(draft, 'p$', own.cheap);
  addAll(draft, 'p$$$', own.expensive);
  addAll(draft, 's', own.small);
  addAll(draft, 'q', own.quality);
  addAll(draft, '+', own.either);
  for (const [dish, { implies = '', names = '' }] of Object.entries(DISHES))
    if (names !== '') draft.addDish(dish, implies.split('|').filter(Boolean), names.split('|'));
  addActivities(draft);
  addGoods(draft);
  addStars(draft);
  for (const group of [...own.same, ...own.streets]) {
    const words = group.split('|');
    for (const word of words)
      for (const other of words) if (other !== word) draft.add(`=${fold(other)}`, word);
  }
  // Shorter abbreviations mean too much else.
  for (const word of own.streets.flatMap((group) => group.split('|')))
    if (word.length >= STREET_WORD_MIN) draft.add('/', word);
  for (const words of Object.values(LANGUAGE_WORDS)) addLanguage(draft, words);
  for (const phrase of nearPhrases()) draft.add('s', phrase);
  addQualities(draft);
}

/** Words for nearness, except those that mean too much else without their accents, such as Swedish "nära". */
function nearPhrases(): string[] {
  return Object.values(nearWords).flatMap((sections: Readonly<Record<string, string>>) =>
    Object.entries(sections)
      .flatMap(([section, phrases]) => (section === 'soft' ? [] : phrases.split('|')))
      .filter((phrase) => fold(phrase).length > SHORT_WORD || fold(phrase) === phrase),
  );
}

/** Adds what people do at places: "watch a film" is a cinema. */
function addActivities(draft: VocabularyDraft): void {
  for (const [kinds, byLanguage] of Object.entries(activities))
    for (const patterns of Object.values(byLanguage))
      for (const phrase of patterns.split('; ').flatMap(expandPattern))
        for (const kind of kinds.split(' ')) draft.add(chainMeaning('k', kind), phrase);
}

/**
 * Adds what shops sell. It is read as the shop beside a word for buying or for shops, and otherwise only if the word
 * means nothing else: wine alone is rather a wine bar.
 */
function addGoods(draft: VocabularyDraft): void {
  addAll(draft, '!', goods.buy);
  addAll(draft, 's', goods.buy);
  addAll(draft, '!', goods.shops);
  for (const [kinds, phrases] of Object.entries(goods.sold))
    for (const [i, kind] of kinds.split(' ').entries()) {
      addAll(draft, chainMeaning('$', kind), phrases);
      if (i === 0)
        for (const phrase of phrases.split('|')) draft.addForeign(chainMeaning('k', kind), phrase, false);
    }
}

/** A chain that the data states, or the broader kinds that apply everywhere. */
function chainMeaning(mark: 'k' | '$', kind: string): string {
  return mark + (kind.includes('>') ? kind : kindMeaning(kind).slice(1));
}

/** Expands alternatives: `(watch|see) a film` is "watch a film" and "see a film". */
function expandPattern(pattern: string): string[] {
  const [before, options, after] = /^([^(]*)\(([^)]*)\)(.*)$/.exec(pattern)?.slice(1) ?? [];
  if (before === undefined || options === undefined || after === undefined) return [pattern];
  return options.split('|').flatMap((option) => expandPattern(before + option + after));
}

/** Adds words that describe any place, in all their forms, and number words, unless they are stop words. */
function addQualities(draft: VocabularyDraft): void {
  const add = (phrase: string) => {
    if (!draft.meaningsOf(fold(phrase)).has('s')) draft.add('q', phrase);
  };
  for (const [endings = '', stems = ''] of Object.values(qualities).flat())
    for (const stem of stems.split('|')) for (const ending of endings.split('|')) add(stem + ending);
  for (const [, phrases] of NUMBER_PHRASES) for (const phrase of phrases.split('|')) add(phrase);
}

/** Adds hotel stars: "4 star", "four stars", "at least 4 stars". Numbers are written as digits and as words. */
function addStars(draft: VocabularyDraft): void {
  for (const { numbers, exactly, at_least: atLeast } of Object.values(stars))
    for (const [i, word] of numbers.split('|').entries())
      for (const number of [String(i + 1), word]) {
        addAll(draft, `*${i + 1}`, exactly.replaceAll('#', number));
        addAll(draft, `*${i + 1}+`, atLeast.replaceAll('#', number));
      }
}

export function addOwnKinds(draft: VocabularyDraft): void {
  for (const [kind, phrases] of Object.entries(own.kinds))
    addAll(draft, kindMeaning(kind), `${kind.replaceAll('_', ' ')}|${phrases}`);
  for (const [cuisine, phrases] of Object.entries(own.cuisines))
    addAll(draft, `c${cuisine}`, `${cuisine.replaceAll('_', ' ')}|${phrases}`);
}

function addAll(draft: VocabularyDraft, meaning: string, phrases: string): void {
  for (const phrase of phrases.split('|')) draft.add(meaning, phrase);
}

function addLanguage(draft: VocabularyDraft, lexicon: LanguageWords): void {
  for (const [kind, phrases] of Object.entries(lexicon['category'] ?? {}))
    for (const meaning of meaningsOf(kind)) addAll(draft, meaning, distinctPhrases(kind, phrases));
  for (const section of ['cuisine', 'dish'])
    for (const [cuisine, phrases] of Object.entries(lexicon[section] ?? {}))
      addAll(draft, `c${cuisine}`, phrases);
  for (const [diet, phrases] of Object.entries(lexicon['diet'] ?? {})) addAll(draft, `f${diet}`, phrases);
  for (const [ask, phrases] of Object.entries(lexicon['ask'] ?? {})) {
    const wish = ASKED_WISHES[ask];
    if (wish !== undefined && CLEAR_WISHES.has(ask)) addAll(draft, `f${wish}`, phrases);
    if (PRAISE.has(ask)) addAll(draft, 'q', phrases);
  }
  addAll(draft, 'p$', lexicon['price']?.['cheap'] ?? '');
  addAll(draft, 'o', lexicon['time']?.['now'] ?? '');
  for (const opening of OPENINGS)
    for (const phrase of lexicon['time']?.[opening]?.split('|') ?? [])
      if (!SHORT_DAY.test(phrase)) draft.add(`o${opening}`, phrase);
  for (const intent of ['best', 'good', 'recommend', 'here'])
    addAll(draft, 's', lexicon['intent']?.[intent] ?? '');
  for (const part of ['small', 'with']) addAll(draft, 's', lexicon['grammar']?.[part] ?? '');
}

/** Leaves out phrases of another kind, which a directory of demonstration places does not tell apart. */
function distinctPhrases(kind: string, phrases: string): string {
  const other = DISTINCT_KINDS[kind];
  if (other === undefined) return phrases;
  const others = new Set((own.kinds as Record<string, string>)[other]?.split('|'));
  return phrases
    .split('|')
    .filter((phrase) => phrase !== other && !others.has(phrase))
    .join('|');
}

function meaningsOf(kind: string): string[] {
  const [other, cuisine] = [MAP_KINDS[kind], MAP_CUISINES[kind]];
  return [
    kindMeaning(kind),
    ...(other === undefined ? [] : [kindMeaning(other)]),
    ...(cuisine === undefined ? [] : [`c${cuisine}`]),
  ];
}
