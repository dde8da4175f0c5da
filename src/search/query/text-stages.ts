import { wordsIn } from '../../core/text/fold.ts';
import { wholeName } from '../build/place-terms.ts';
import { term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import type { Part } from '../understand/part.ts';
import type { TextReading } from '../understand/read-text.ts';
import { understoodOf } from '../understand/understood.ts';
import { all, any, fewDocs, type Expression } from './expression.ts';
import { begunWords } from './spelling.ts';
import { filterExpression, filterParts, scopeOf, type Filters, type Stage } from './stages.ts';
import { isKnown, meantBy, namedBy, strictly } from './word-terms.ts';

export const WORDS_MAX = 8;
const BEGUN_MAX = 64;
const FEW = 64;

/**
 * The ways in which a text may match, from the best to the weakest: the whole name; what the place is and offers, where the
 * text says only that; all words in the name; words in the name or what the place is and where; a longer last word. Where
 * the text names a destination, all but the whole name are looked for in it.
 */
export function textStages(index: OpenIndex, read: TextReading, filters: Filters): Stage[] {
  const words = read.said === undefined ? [] : wordsIn(read.said).slice(0, WORDS_MAX);
  if (words.length === 0 && read.parts.length === 0) return [];
  const inside =
    read.destination === undefined ? filters : { ...filters, destination: read.destination.number };
  const scope = scopeOf(inside);
  const rest = once(() => filterParts(index, inside, 'loose'));
  const filtered = (parts: readonly (Expression | undefined)[] | undefined): Expression | undefined =>
    parts === undefined || parts.includes(undefined)
      ? undefined
      : all([...(parts as Expression[]), ...rest()]);
  const namesOf = (all: readonly string[]) => all.map((word) => namedBy(index, word, scope));
  const named = once(() => namesOf(words));
  const asked = read.parts.filter(({ is }) => is !== 'open' && is !== 'price');
  const explained = once(() =>
    read.parts.length === 0 || asked.some(({ is }) => is === 'name')
      ? undefined
      : filtered(asked.length === 0 ? [filterExpression(index, inside)] : asked.map(strictly)),
  );
  const meant = once(() => filtered(asked.map((part) => meantBy(index, part, scope))));
  // Whatever has all words in its name is among what has their meanings. Where that is little, it is looked for once.
  const few = once(() => {
    const wanted = asked.length === 0 ? undefined : meant();
    return wanted === undefined ? undefined : fewDocs(index, scope, wanted, FEW);
  });
  const understood = () => understoodOf(index, read, { parts: read.parts });
  const flags = asksOf(read.parts);
  const stages: Stage[] = [
    {
      scope: scopeOf(filters),
      isName: true,
      wanted: () => {
        const name = { name: wholeName(read.said ?? '') };
        return words.length === 0 ? undefined : all([name, ...filterParts(index, filters, 'loose')]);
      },
    },
    ...(read.destination === undefined ? [] : destinationStages()),
    { scope, ...flags, understood, wanted: explained },
    {
      scope,
      wanted: () => {
        if (words.length === 0) return undefined;
        const docs = few();
        return docs === undefined ? filtered(named()) : all([{ docs }, ...named()]);
      },
    },
    {
      scope,
      ...flags,
      understood,
      wanted: () => {
        if (asked.length === 0) return undefined;
        const docs = few();
        return docs === undefined ? meant() : { docs };
      },
    },
    { scope, ...flags, understood, wanted: () => filtered(longer(index, asked, scope)) },
  ];
  // A name that has a destination in it may be one of somewhere else; the destination is what is meant before that.
  if (read.destination !== undefined && filters.destination === undefined && words.length > 1)
    stages.push({
      scope: scopeOf(filters),
      whenEmpty: true,
      wanted: () =>
        all([...words.map((word) => namedBy(index, word, WORLD)), ...filterParts(index, filters, 'loose')]),
    });
  return stages;

  /** "nobu monaco", "casino monte carlo", and "monaco" alone. */
  function destinationStages(): Stage[] {
    if (read.rest === '' || read.parts.length === 0)
      return [{ scope, understood, wanted: () => filterExpression(index, inside) }];
    return [
      { scope, isName: true, understood, wanted: () => filtered([{ name: wholeName(read.rest) }]) },
      {
        scope,
        ...flags,
        understood,
        wanted: () => {
          const kinds = explained();
          return kinds === undefined || words.length === 0 ? undefined : all([kinds, ...named()]);
        },
      },
    ];
  }
}

/** What a text asks for beside terms. */
export function asksOf(parts: readonly Part[]): Pick<Stage, 'openNow' | 'price'> {
  return {
    openNow: parts.some(({ is }) => is === 'open'),
    price: parts.find(({ is }) => is === 'price')?.values[0],
  };
}

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The last word only begun, as the frequent words that it may become. */
function longer(
  index: OpenIndex,
  parts: readonly Part[],
  scope: number,
): (Expression | undefined)[] | undefined {
  const last = parts.at(-1);
  const word = last?.words.at(-1);
  if (last === undefined || word === undefined) return undefined;
  const begun = begunWords(index.store, word, scope, BEGUN_MAX);
  return [
    any(begun.map((one) => term('w', one))),
    ...last.words
      .slice(0, -1)
      .map((one) => (isKnown(index, term('w', one), scope) ? namedBy(index, one, scope) : undefined)),
    ...parts.slice(0, -1).map((part) => meantBy(index, part, scope)),
  ];
}
