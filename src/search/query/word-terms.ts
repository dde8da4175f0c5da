import { term, type Mark } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { isIn } from '../understand/part.ts';
import type { Part } from '../understand/phrase.ts';
import { formsOf } from '../understand/word-forms.ts';
import { all, any, type Expression } from './expression.ts';

/** Matches a word of a name in all its spellings: St and Saint, Muenchen and München. */
export function nameWordExpression(index: OpenIndex, word: string, scope: number): Expression {
  const forms = formsOf(index, word).filter((form) => isIn(index, scope, term('w', form)));
  return any([word, ...forms].map((one) => term('w', one))) ?? term('w', word);
}

/** Matches a part by kind, fact or brand, regardless of the name. */
export function strictExpression(part: Part): Expression | undefined {
  return any(part.terms);
}

/** Matches a part as above, or its words in the name, the area or the address. */
export function partExpression(index: OpenIndex, part: Part, scope: number): Expression | undefined {
  const words = spellingsOf(index, part);
  const isMinor = part.weight === 'minor';
  return any(
    [
      ...part.terms.filter((one) => isIn(index, scope, one)),
      wordsExpression(index, 'w', words, scope),
      isMinor ? undefined : wordsExpression(index, 'p', words, scope),
      isMinor ? undefined : wordsExpression(index, 's', words, scope),
    ].filter((one) => one !== undefined),
  );
}

/** Matches a part by its words or kinds, or by kinds that a dish implies: only the closest one, or all. */
export function impliedExpression(
  index: OpenIndex,
  part: Part,
  scope: number,
  onlyClosest = false,
): Expression | undefined {
  const implied = part.implied.filter((one) => isIn(index, scope, one));
  const own = partExpression(index, part, scope);
  return any([...(own === undefined ? [] : [own]), ...(onlyClosest ? implied.slice(0, 1) : implied)]);
}

/** Matches a part in an address: by its street, house number, postcode, town or area. */
export function addressExpression(index: OpenIndex, part: Part, scope: number): Expression | undefined {
  const words = spellingsOf(index, part);
  return any(
    [
      ...(part.is === 'area' ? part.terms.filter((one) => isIn(index, scope, one)) : []),
      wordsExpression(index, 'p', words, scope),
      wordsExpression(index, 's', words, scope),
    ].filter((one) => one !== undefined),
  );
}

function spellingsOf(index: OpenIndex, { words }: Part): (readonly string[])[] {
  return words.map((word) => [word, ...formsOf(index, word)]);
}

/** Matches all words under a mark, each in any spelling; undefined when no place has one of them. */
function wordsExpression(
  index: OpenIndex,
  mark: Mark,
  words: readonly (readonly string[])[],
  scope: number,
): Expression | undefined {
  const matched: Expression[] = [];
  for (const spellings of words) {
    const known = spellings.map((one) => term(mark, one)).filter((one) => isIn(index, scope, one));
    const word = any(known);
    if (word === undefined) return undefined;
    matched.push(word);
  }
  return all(matched);
}
