import { fold } from '../../../core/text/fold.ts';
import { LANGUAGE_WORDS, type LanguageWords } from '../language-words.ts';
import own from '../words/own-words.json' with { type: 'json' };
import type { VocabularyDraft } from './draft.ts';
import { kindMeaning } from './kinds.ts';

/** Map categories for kinds that the demonstration data and questions name differently. */
const ON_THE_MAP: Readonly<Record<string, string>> = {
  clothing: 'clothes',
  jewellery: 'jewelry',
  souvenir: 'gift',
  dental: 'dentist',
  hair_salon: 'hair_salon',
};
const CUISINES_ON_THE_MAP: Readonly<Record<string, string>> = {
  noodles: 'noodle',
  steakhouse: 'steak_house',
  grill: 'barbecue',
  pizza: 'pizza',
  sushi: 'sushi',
  seafood: 'seafood',
  burger: 'burger',
  tapas: 'tapas',
};
const WISH_MEANINGS: Readonly<Record<string, string>> = {
  outdoor: 'foutdoor_seating',
  wifi: 'fwifi',
  dogs: 'fdogs',
  access: 'fwheelchair',
  quiet: 'q',
  romantic: 'q',
  view: 'q',
  kids: 'q',
};

/** Adds our own words and those of each language. */
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
  for (const words of Object.values<LanguageWords>(LANGUAGE_WORDS)) addLanguage(draft, words);
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
    const meaning = WISH_MEANINGS[ask];
    if (meaning !== undefined) addAll(draft, meaning, phrases);
  }
  addAll(draft, 'p$', lexicon['price']?.['cheap'] ?? '');
  addAll(draft, 'o', lexicon['time']?.['now'] ?? '');
  for (const intent of ['best', 'good', 'recommend', 'here'])
    addAll(draft, 's', lexicon['intent']?.[intent] ?? '');
  for (const part of ['small', 'near', 'near_after', 'with'])
    addAll(draft, 's', lexicon['grammar']?.[part] ?? '');
}

function meaningsOf(kind: string): string[] {
  const other = ON_THE_MAP[kind];
  const cuisine = CUISINES_ON_THE_MAP[kind];
  return [
    kindMeaning(kind),
    ...(other === undefined || other === kind ? [] : [kindMeaning(other)]),
    ...(cuisine === undefined ? [] : [`c${cuisine}`]),
  ];
}
