import { destinationKey, term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { knownPhrase } from '../understand/known-phrase.ts';
import type { Part } from '../understand/part.ts';
import { all, any, type Expression } from './expression.ts';

export function isKnown({ store }: OpenIndex, one: string, scope: number): boolean {
  return store.lists.doesExist(destinationKey(scope) + one);
}

/** A word of a name, in any of the forms in which people write it: St and Saint, Muenchen and München. */
export function namedBy(index: OpenIndex, word: string, scope: number): Expression {
  const forms = formsOf(index, word).filter((form) => isKnown(index, term('w', form), scope));
  return any([word, ...forms].map((one) => term('w', one))) ?? term('w', word);
}

const TYPED_APART = /[aou]e|aa/;
const STREET = /^(.{3,})str(asse)?$/;

function formsOf(index: OpenIndex, word: string): string[] {
  const { same } = knownPhrase(index, word);
  const street = STREET.exec(word);
  if (same.length === 0 && street === null && !TYPED_APART.test(word)) return [];
  const forms = [...same];
  if (street !== null) forms.push(`${street[1]}${street[2] === undefined ? 'strasse' : 'str'}`);
  // Who has no ö on the keyboard types oe, and who has no å types aa.
  if (TYPED_APART.test(word)) forms.push(word.replaceAll(/([aou])e/g, '$1').replaceAll('aa', 'a'));
  return forms;
}

/** The terms by which a place may be what a part says, in its name or by what it is and where. */
export function termsOf(index: OpenIndex, part: Part): string[] {
  return [
    ...part.terms,
    ...part.words.flatMap((word) => [term('w', word), term('p', word), term('s', word)]),
  ];
}

/** What the part asks for, whatever the place is called. */
export function strictly(part: Part): Expression | undefined {
  return any(part.terms);
}

/** The same, or the words in the name, in the area or in the address. */
export function meantBy(index: OpenIndex, part: Part, scope: number): Expression | undefined {
  const known = (terms: readonly string[]) => terms.every((one) => isKnown(index, one, scope));
  const alternatives: Expression[] = part.terms.filter((one) => isKnown(index, one, scope));
  const names = part.words.map((word) => namedBy(index, word, scope));
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    if (typeof only !== 'string' || isKnown(index, only, scope)) alternatives.push(only);
  } else if (names.every((name) => typeof name !== 'string' || isKnown(index, name, scope)))
    alternatives.push({ all: names });
  for (const mark of ['p', 's'] as const) {
    const wanted = part.words.map((word) => term(mark, word));
    const whole = known(wanted) ? all(wanted) : undefined;
    if (whole !== undefined) alternatives.push(whole);
  }
  return any(alternatives);
}
