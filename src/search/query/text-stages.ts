import { lazy } from '../../core/memory/lazy.ts';
import { wordsIn } from '../../core/text/fold.ts';
import { wholeName } from '../build/place-terms.ts';
import { term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { isIn, isTerm } from '../understand/part.ts';
import type { Part } from '../understand/phrase.ts';
import type { TextReading } from '../understand/read-text.ts';
import { understoodOf } from '../understand/understood.ts';
import { all, any, fewDocs, type Expression } from './expression.ts';
import { completeWord } from './spelling.ts';
import { filterExpression, filterParts, scopeOf, type Filters, type Stage } from './stages.ts';
import {
  addressExpression,
  impliedExpression,
  nameWordExpression,
  partExpression,
  strictExpression,
} from './word-terms.ts';

export const QUERY_WORDS_MAX = 8;
const COMPLETIONS_MAX = 64;
const FEW = 64;

/**
 * Builds the stages for a text, from the best match to the weakest: the whole name; kinds and facts, if the text names
 * nothing else; all words in the name; all words in the address, if one is a street or a number; words in the name or
 * among kinds and location; a longer last word; the text without words such as "best". If the text names a destination,
 * all stages except the whole name search in it.
 */
export function textStages(index: OpenIndex, read: TextReading, filters: Filters): Stage[] {
  const words = read.searchText === undefined ? [] : wordsIn(read.searchText).slice(0, QUERY_WORDS_MAX);
  if (words.length === 0 && read.parts.length === 0) return [];
  const inside = insideDestination(read, filters);
  const scope = scopeOf(inside);
  const limits = lazy(() => filterParts(index, inside, 'loose'));
  const filtered = (parts: readonly (Expression | undefined)[] | undefined): Expression | undefined =>
    parts === undefined || parts.includes(undefined)
      ? undefined
      : all([...(parts as Expression[]), ...limits()]);
  const namesOf = (all: readonly string[]) => all.map((word) => nameWordExpression(index, word, scope));
  const named = lazy(() => namesOf(words));
  const termParts = read.parts.filter(isTerm);
  const explained = lazy(() =>
    read.parts.length === 0 || termParts.some(({ is }) => is === 'name')
      ? undefined
      : filtered(
          termParts.length === 0 ? [filterExpression(index, inside)] : termParts.map(strictExpression),
        ),
  );
  const byMeaning = lazy(() => filtered(termParts.map((part) => partExpression(index, part, scope))));
  // Places with all words in their name are a subset of those that match the meanings. If the latter are few, they are
  // only searched once.
  const few = lazy(() => {
    const expression = termParts.length === 0 ? undefined : byMeaning();
    return expression === undefined ? undefined : fewDocs(index, scope, expression, FEW);
  });
  const understood = () => understoodOf(index, read, { parts: read.parts });
  const flags = stageFlags(read.parts);
  const leftOut = termParts.filter(({ weight }) => weight === 'minor');
  const rest = termParts.filter((part) => !leftOut.includes(part));
  const stages: Stage[] = [
    {
      scope: scopeOf(filters),
      isName: true,
      expression: () => {
        const name = { name: wholeName(read.searchText ?? '') };
        return words.length === 0 ? undefined : all([name, ...filterParts(index, filters, 'loose')]);
      },
    },
    ...(read.destination === undefined ? [] : destinationStages()),
    { scope, ...flags, isKind: true, understood, expression: explained },
    {
      scope,
      expression: () => {
        if (words.length === 0) return undefined;
        const docs = few();
        return docs === undefined ? filtered(named()) : all([{ docs }, ...named()]);
      },
    },
    ...(termParts.some(isOfAddress) ? [addressStage()] : []),
    {
      scope,
      ...flags,
      understood,
      expression: () => {
        if (termParts.length === 0) return undefined;
        const docs = few();
        return docs === undefined ? byMeaning() : { docs };
      },
    },
    { scope, ...flags, understood, expression: () => filtered(completed(index, termParts, scope)) },
    ...stagesWithoutMinor(),
    ...impliedStages(),
  ];
  // A name that contains a destination may belong to a place elsewhere. The destination takes precedence.
  if (read.destination !== undefined && filters.destination === undefined && words.length > 1)
    stages.push({
      scope: scopeOf(filters),
      whenEmpty: true,
      expression: () =>
        all([
          ...words.map((word) => nameWordExpression(index, word, WORLD)),
          ...filterParts(index, filters, 'loose'),
        ]),
    });
  return stages;

  function addressStage(): Stage {
    const expression = () => filtered(termParts.map((part) => addressExpression(index, part, scope)));
    return { scope, ...flags, understood, expression };
  }

  /** Stages that ignore words such as "best", which places of the kind need not have in their names. */
  function stagesWithoutMinor(): Stage[] {
    if (leftOut.length === 0 || rest.length === 0) return [];
    return [
      ...(rest.some(({ is }) => is === 'name') ? [] : [{ ...restStage(strictExpression), isKind: true }]),
      restStage((part) => partExpression(index, part, scope)),
    ];
  }

  /** Stages for places of the kinds that a dish implies, the closest one first. */
  function impliedStages(): Stage[] {
    if (!rest.some(({ implied }) => implied.length > 0)) return [];
    return [true, false].map((onlyClosest) => ({
      ...restStage((part) => impliedExpression(index, part, scope, onlyClosest)),
      isKind: true,
      isImplied: true,
    }));
  }

  function restStage(match: (part: Part) => Expression | undefined): Stage {
    const parts = read.parts.filter((part) => !leftOut.includes(part));
    const describe = () => understoodOf(index, read, { parts, leftOut });
    return { scope, ...flags, understood: describe, expression: () => filtered(rest.map(match)) };
  }

  /** Stages for "nobu monaco", "casino monte carlo", and "monaco" alone. */
  function destinationStages(): Stage[] {
    if (read.rest === '' || read.parts.length === 0)
      return [{ scope, understood, expression: () => filterExpression(index, inside) }];
    return [
      { scope, isName: true, understood, expression: () => filtered([{ name: wholeName(read.rest) }]) },
      {
        scope,
        ...flags,
        understood,
        expression: () => {
          const kinds = explained();
          return kinds === undefined || words.length === 0 ? undefined : all([kinds, ...named()]);
        },
      },
    ];
  }
}

/** Restricts filters to the destination that a text names. */
export function insideDestination({ destination }: TextReading, filters: Filters): Filters {
  return destination === undefined ? filters : { ...filters, destination: destination.number };
}

/** Returns the requests of a text that are not terms. */
export function stageFlags(parts: readonly Part[]): Pick<Stage, 'openings' | 'price'> {
  const openings = parts.filter(({ is }) => is === 'open').flatMap(({ values }) => values);
  const regular = openings.filter((one) => one !== 'now');
  return {
    // "Open late" does not mean now.
    openings: openings.length === 0 ? undefined : regular.length > 0 ? regular : openings,
    price: parts.find(({ is }) => is === 'price')?.values[0],
  };
}

function isOfAddress({ weight }: Part): boolean {
  return weight === 'street' || weight === 'number';
}

/** Completes the last word with frequent words that begin with it. */
function completed(
  index: OpenIndex,
  parts: readonly Part[],
  scope: number,
): (Expression | undefined)[] | undefined {
  const last = parts.at(-1);
  const word = last?.words.at(-1);
  if (last === undefined || word === undefined) return undefined;
  const completions = completeWord(index.store, word, scope, COMPLETIONS_MAX);
  return [
    any(completions.map((one) => term('w', one))),
    ...last.words
      .slice(0, -1)
      .map((one) => (isIn(index, scope, term('w', one)) ? nameWordExpression(index, one, scope) : undefined)),
    ...parts.slice(0, -1).map((part) => partExpression(index, part, scope)),
  ];
}
