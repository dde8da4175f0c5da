import { wholeName } from '../build/place-terms.ts';
import { term, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { isUnknown, dropOrder } from '../understand/leave-out.ts';
import { knownPhrase } from '../understand/known-phrase.ts';
import { isIn, isTerm } from '../understand/part.ts';
import type { Part } from '../understand/phrase.ts';
import type { TextReading } from '../understand/read-text.ts';
import { segmentsOf } from '../understand/tokens.ts';
import { understoodOf } from '../understand/understood.ts';
import { wordsOf } from '../../core/text/fold.ts';
import { all, any, type Expression } from './expression.ts';
import { correct } from './spelling.ts';
import { filterParts, scopeOf, type Filters, type Stage } from './stages.ts';
import { insideDestination, stageFlags } from './text-stages.ts';
import { impliedExpression, nameWordExpression, partExpression } from './word-terms.ts';

const HALF_MIN = 3;

interface LooseSearch {
  index: OpenIndex;
  read: TextReading;
  filters: Filters;
  scope: number;
}

function looseOf(index: OpenIndex, read: TextReading, requested: Filters): LooseSearch {
  const filters = insideDestination(read, requested);
  return { index, read, filters, scope: scopeOf(filters) };
}

/**
 * Matches with misspelt, joined or split words replaced. Words that occur in the scope are only corrected when nothing
 * was found.
 */
export function correctedStage(
  index: OpenIndex,
  read: TextReading,
  requested: Filters,
  nothingFound: boolean,
): Stage {
  const { filters, scope } = looseOf(index, read, requested);
  const corrected: [string, string][] = [];
  return {
    scope,
    ...stageFlags(read.parts),
    understood: () => understoodOf(index, read, { parts: read.parts, corrected }),
    expression: () => {
      corrected.length = 0;
      const parts = read.parts.filter(isTerm);
      let isOther = false;
      const conditions: Expression[] = [];
      for (let at = 0; at < parts.length; at++) {
        const [part, next] = parts.slice(at, at + 2) as [Part, Part?];
        const joined = next === undefined ? undefined : joinedWord(index, part, next, scope);
        const spelt = spellings(index, part, scope, nothingFound);
        const one = any(
          [partExpression(index, part, scope), ...spelt.wanted].filter(
            (alternative) => alternative !== undefined,
          ),
        );
        isOther ||= spelt.wanted.length > 0 || joined !== undefined;
        if (spelt.other !== undefined) corrected.push([part.text, spelt.other]);
        if (joined === undefined || next === undefined) conditions.push(one ?? NOTHING);
        else {
          const other = partExpression(index, next, scope);
          const apart = one === undefined || other === undefined ? [] : [{ all: [one, other] }];
          conditions.push({ any: [joined, ...apart] });
          at++;
        }
      }
      return isOther ? all([...conditions, ...filterParts(index, filters, 'loose')]) : undefined;
    },
  };
}

const NOTHING: Expression = { any: [] };

/** Joins words: "star bucks" for Starbucks. */
function joinedWord(index: OpenIndex, one: Part, next: Part, scope: number): string | undefined {
  if (one.words.length !== 1 || next.words.length !== 1) return undefined;
  const joined = term('w', one.text + next.text);
  return isIn(index, scope, joined) ? joined : undefined;
}

function spellings(
  index: OpenIndex,
  part: Part,
  scope: number,
  nothingFound: boolean,
): { wanted: Expression[]; other: string | undefined } {
  const isHere = (word: string) => meaningsOf(index, word).some((one) => isIn(index, scope, one));
  const here = part.is !== 'name' || isHere(part.text);
  if (part.words.length !== 1 || (here && !nothingFound) || (here && part.is !== 'name'))
    return { wanted: [], other: undefined };
  const others = correct(index.store, part.text, isHere);
  const halves = here ? undefined : splitWord(index, part.text, scope);
  return {
    wanted: [
      ...others.flatMap((word) => meaningsOf(index, word)),
      ...(halves === undefined ? [] : [{ all: halves.map((half) => term('w', half)) }]),
    ],
    other: here ? undefined : (halves?.join(' ') ?? others[0]),
  };
}

/** Splits a word such as "burgerking" into two words that occur in names. */
function splitWord(index: OpenIndex, word: string, scope: number): string[] | undefined {
  for (let at = HALF_MIN; at <= word.length - HALF_MIN; at++) {
    const halves = [word.slice(0, at), word.slice(at)];
    if (halves.every((half) => isIn(index, scope, term('w', half)))) return halves;
  }
  return undefined;
}

function meaningsOf(index: OpenIndex, word: string): string[] {
  const { kinds, cuisines } = knownPhrase(index, word);
  return [
    term('w', word),
    ...[...kinds.flat(), ...cuisines].map((kind) => term('k', kind)),
    term('p', word),
    term('s', word),
  ];
}

/** Drops the least significant words of the text one by one, until some place matches the rest. */
export function leaveOutStages(index: OpenIndex, read: TextReading, requested: Filters): Stage[] {
  const loose = looseOf(index, read, requested);
  const parts = read.parts.flatMap(segmented);
  // Without a destination an area is all that keeps places elsewhere out.
  const isKept = ({ is }: Part) => loose.scope === WORLD && is === 'area';
  const order = dropOrder(index, read.rest, parts, loose.scope).filter((part) => !isKept(part));
  const stages: Stage[] = [...withoutKindStages(loose)];
  for (let count = 1; count < order.length; count++) {
    const leftOut = order.slice(0, count);
    const remaining = parts.filter((part) => !leftOut.includes(part));
    // Words that no place has are dropped together with the next ones.
    const isNext = isUnknown(index, order[count] as Part, loose.scope);
    if (isNext || !remaining.some(isTerm)) continue;
    stages.push(remainingStage(loose, remaining, leftOut, partExpression));
    // Kinds that a dish implies only answer where no place is of the dish itself.
    if (remaining.some(({ implied }) => implied.length > 0))
      stages.push(remainingStage(loose, remaining, leftOut, impliedExpression));
  }
  return stages;
}

/**
 * Drops the kind of a place that has another one on the map, if the other words are its whole name, or if several of them
 * are in its name: one word alone may describe anything.
 */
function withoutKindStages(loose: LooseSearch): Stage[] {
  const { index, read, filters, scope } = loose;
  const leftOut = read.parts.filter(({ is }) => is === 'kind' || is === 'cuisine');
  const names = read.parts.filter(({ is, weight }) => is === 'name' && weight !== 'minor');
  if (leftOut.length === 0 || names.length === 0) return [];
  const remaining = read.parts.filter((part) => !leftOut.includes(part));
  const text = leftOut.reduce((rest, part) => rest.replace(part.text, ''), read.rest);
  const words = names.flatMap((part) => part.words);
  const inName = all(words.map((word) => nameWordExpression(index, word, scope)));
  const expression = (): Expression | undefined =>
    all([
      { any: [{ name: wholeName(text) }, ...(words.length > 1 && inName !== undefined ? [inName] : [])] },
      ...filterParts(index, filters, 'loose'),
    ]);
  const understood = () => understoodOf(index, read, { parts: remaining, leftOut });
  return [{ scope, whenEmpty: true, ...stageFlags(remaining), understood, expression }];
}

function remainingStage(
  { index, read, filters, scope }: LooseSearch,
  remaining: readonly Part[],
  leftOut: readonly Part[],
  match: typeof partExpression,
): Stage {
  return {
    scope,
    whenEmpty: true,
    ...stageFlags(remaining),
    understood: () => understoodOf(index, read, { parts: remaining, leftOut }),
    expression: () => {
      const parts = remaining.filter(isTerm).map((part) => match(index, part, scope));
      if (parts.includes(undefined)) return undefined;
      return all([...(parts as Expression[]), ...filterParts(index, filters, 'loose')]);
    },
  };
}

/** Segments text without spaces, which may be several words. */
function segmented(part: Part): Part[] {
  if (part.is !== 'name' || part.words.length < 2) return [part];
  return segmentsOf(part.text).map((text) => ({ ...part, text, words: wordsOf(text) }));
}

/** Describes how a text without results was understood; words that no place has are listed as left out. */
export function describeEmpty(index: OpenIndex, read: TextReading, requested: Filters) {
  const { scope } = looseOf(index, read, requested);
  const leftOut = read.parts.filter((part) => isUnknown(index, part, scope));
  const parts = read.parts.filter((part) => !leftOut.includes(part));
  return understoodOf(index, read, { parts, leftOut });
}
