import { term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { knownPhrase } from '../understand/known-phrase.ts';
import { isIn } from '../understand/part.ts';
import type { Part } from '../understand/phrase.ts';
import { all, any, type Expression } from './expression.ts';

/** Matches a word of a name in all its spellings: St and Saint, Muenchen and München. */
export function nameWordExpression(index: OpenIndex, word: string, scope: number): Expression {
  const forms = formsOf(index, word).filter((form) => isIn(index, scope, term('w', form)));
  return any([word, ...forms].map((one) => term('w', one))) ?? term('w', word);
}

const TRANSCRIBED = /[aou]e|aa/;
const STREET = /^(.{3,})str(asse)?$/;

function formsOf(index: OpenIndex, word: string): string[] {
  const { same } = knownPhrase(index, word);
  const street = STREET.exec(word);
  if (same.length === 0 && street === null && !TRANSCRIBED.test(word)) return [];
  const forms = [...same];
  if (street !== null) forms.push(`${street[1]}${street[2] === undefined ? 'strasse' : 'str'}`);
  // People without ö on their keyboard type oe; those without å type aa.
  if (TRANSCRIBED.test(word)) forms.push(word.replaceAll(/([aou])e/g, '$1').replaceAll('aa', 'a'));
  return forms;
}

/** Matches a part by kind, fact or brand, regardless of the name. */
export function strictExpression(part: Part): Expression | undefined {
  return any(part.terms);
}

/** Matches a part as above, or its words in the name, the area or the address. */
export function partExpression(index: OpenIndex, part: Part, scope: number): Expression | undefined {
  const allKnown = (terms: readonly string[]) => terms.every((one) => isIn(index, scope, one));
  const alternatives: Expression[] = part.terms.filter((one) => isIn(index, scope, one));
  const names = part.words.map((word) => nameWordExpression(index, word, scope));
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    if (typeof only !== 'string' || isIn(index, scope, only)) alternatives.push(only);
  } else if (names.every((name) => typeof name !== 'string' || isIn(index, scope, name)))
    alternatives.push({ all: names });
  for (const mark of ['p', 's'] as const) {
    const wordTerms = part.words.map((word) => term(mark, word));
    const whole = allKnown(wordTerms) ? all(wordTerms) : undefined;
    if (whole !== undefined) alternatives.push(whole);
  }
  return any(alternatives);
}
