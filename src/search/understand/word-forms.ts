import type { OpenIndex } from '../store/open-index.ts';
import { knownPhrase } from './known-phrase.ts';

const TRANSCRIBED = /[aou]e|aa/;
const STREET = /^(.{3,}?)(str|strasse|straat)$/;
const STREET_ENDINGS = ['str', 'strasse', 'straat'];
const NONE: readonly string[] = [];

/** Returns other spellings of a word: St and Saint, Ave and Avenue, Landstr and Landstrasse, Muenchen and München. */
export function formsOf(index: OpenIndex, word: string): readonly string[] {
  const { same } = knownPhrase(index, word);
  const street = STREET.exec(word);
  const isTranscribed = TRANSCRIBED.test(word);
  if (same.length === 0 && street === null && !isTranscribed) return NONE;
  const forms = [...same];
  // People without ö on their keyboard type oe; those without å type aa.
  const spelt = isTranscribed ? [word, word.replaceAll(/([aou])e/g, '$1').replaceAll('aa', 'a')] : [word];
  for (const one of spelt) {
    const [, stem, ending] = street === null ? [] : (STREET.exec(one) ?? []);
    if (one !== word) forms.push(one);
    if (stem !== undefined)
      for (const other of STREET_ENDINGS) if (other !== ending) forms.push(stem + other);
  }
  return forms;
}
