import { fold } from '../../../../core/text/fold.ts';
import { ASKED_WISHES, LANGUAGE_WORDS, type LanguageWords } from '../lexicon.ts';
import own from '../own-words.json' with { type: 'json' };
import type { VocabularyDraft } from './draft.ts';
import { kindMeaning } from './kinds.ts';

/** Kinds and cuisines of the map for kinds that the language files name differently. */
const MAP_KINDS: Readonly<Record<string, string>> = own.map_kinds;
const MAP_CUISINES: Readonly<Record<string, string>> = own.map_cuisines;
/** Wishes whose words are unambiguous in all languages. French "livre" (delivers) also means "book". */
const CLEAR_WISHES = new Set(['outdoor', 'wifi', 'dogs', 'access']);
/** Wishes that no record can answer. In a search text their words count as praise. */
const PRAISE = new Set(['quiet', 'romantic', 'view', 'kids']);

export function addOwnWords(draft: VocabularyDraft): void {
  const { wishes, codes } = own;
  addOwnKinds(draft);
  for (const [wish, phrases] of Object.entries(wishes)) addAll(draft, `f${wish}`, phrases);
  for (const [slug, all] of Object.entries(codes)) addAll(draft, `d${slug}`, all.replaceAll(' ', '|'));
  addAll(draft, 'o', own.open_now);
  addAll(draft, 'p$', own.cheap);
  addAll(draft, 'p$$$', own.expensive);
  addAll(draft, 's', own.small);
  addAll(draft, 'q', own.quality);
  addAll(draft, '+', own.either);
  for (const group of own.same) {
    const words = group.split('|');
    for (const word of words)
      for (const other of words) if (other !== word) draft.add(`=${fold(other)}`, word);
  }
  for (const words of Object.values(LANGUAGE_WORDS)) addLanguage(draft, words);
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
    for (const meaning of meaningsOf(kind)) addAll(draft, meaning, phrases);
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
  for (const intent of ['best', 'good', 'recommend', 'here'])
    addAll(draft, 's', lexicon['intent']?.[intent] ?? '');
  for (const part of ['small', 'near', 'near_after', 'with'])
    addAll(draft, 's', lexicon['grammar']?.[part] ?? '');
}

function meaningsOf(kind: string): string[] {
  const [other, cuisine] = [MAP_KINDS[kind], MAP_CUISINES[kind]];
  return [
    kindMeaning(kind),
    ...(other === undefined ? [] : [kindMeaning(other)]),
    ...(cuisine === undefined ? [] : [`c${cuisine}`]),
  ];
}
