import type { PreparedRecord } from './match-features.ts';
import { withoutPlaces, type Surroundings } from './names/place-endings.ts';
import { isKindWord, kindOrWord } from './names/word-weight.ts';
import type { NameForm } from './names/name-forms.ts';

interface CoreName {
  /** Words without places and kinds. */
  readonly core: string;
  readonly towns: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** True when two names differ only in articles, words for the kind that one has more, and places at the end. */
export function haveSameName(a: PreparedRecord, b: PreparedRecord): boolean {
  const surroundings = [a.surroundings, b.surroundings];
  const coresB = b.names.map((form) => coreName(form, surroundings));
  return a.names
    .map((form) => coreName(form, surroundings))
    .some((x) => coresB.some((y) => x.core === y.core && agree(x.kinds, y.kinds) && agree(x.towns, y.towns)));
}

function coreName(form: NameForm, surroundings: readonly Surroundings[]): CoreName {
  const { words, towns } = withoutPlaces(form.words, surroundings);
  const own = words.filter((word) => !isKindWord(word));
  const kinds = new Set(words.filter(isKindWord).map(kindOrWord));
  return own.length === 0
    ? { core: words.join(''), towns, kinds: new Set() }
    : { core: own.join(''), towns, kinds };
}

/** True when one side has nothing that the other has not. */
function agree(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.isSubsetOf(b) || b.isSubsetOf(a);
}
