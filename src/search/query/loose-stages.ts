import { term } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';
import { isUnknown, leavingOut } from '../understand/leave-out.ts';
import { knownPhrase } from '../understand/known-phrase.ts';
import type { Part } from '../understand/part.ts';
import type { TextReading } from '../understand/read-text.ts';
import { segmentsOf } from '../understand/tokens.ts';
import { understoodOf } from '../understand/understood.ts';
import { wordsOf } from '../../core/text/fold.ts';
import { all, any, type Expression } from './expression.ts';
import { correct } from './spelling.ts';
import { filterParts, scopeOf, type Filters, type Stage } from './stages.ts';
import { asksOf } from './text-stages.ts';
import { isKnown, meantBy, termsOf } from './word-terms.ts';

const HALF_MIN = 3;

interface Loose {
  index: OpenIndex;
  read: TextReading;
  filters: Filters;
  scope: number;
}

function looseOf(index: OpenIndex, read: TextReading, filters: Filters): Loose {
  const inside =
    read.destination === undefined ? filters : { ...filters, destination: read.destination.number };
  return { index, read, filters: inside, scope: scopeOf(inside) };
}

/**
 * The same with other words in the place of misspelt, joined or split ones. Of the words that are known here nothing is
 * corrected, unless none was found.
 */
export function correctedStage(
  index: OpenIndex,
  read: TextReading,
  given: Filters,
  nothingFound: boolean,
): Stage {
  const { filters, scope } = looseOf(index, read, given);
  const corrected: [string, string][] = [];
  return {
    scope,
    ...asksOf(read.parts),
    understood: () => understoodOf(index, read, { parts: read.parts, corrected }),
    wanted: () => {
      corrected.length = 0;
      const parts = read.parts.filter(({ is }) => is !== 'open' && is !== 'price');
      let isOther = false;
      const wanted: Expression[] = [];
      for (let at = 0; at < parts.length; at++) {
        const [part, next] = parts.slice(at, at + 2) as [Part, Part?];
        const joined = next === undefined ? undefined : joinedWord(index, part, next, scope);
        const spelt = spellings(index, part, scope, nothingFound);
        const one = any([meantBy(index, part, scope), ...spelt.wanted].filter((way) => way !== undefined));
        isOther ||= spelt.wanted.length > 0 || joined !== undefined;
        if (spelt.other !== undefined) corrected.push([part.text, spelt.other]);
        if (joined === undefined || next === undefined) wanted.push(one ?? NOTHING);
        else {
          const other = meantBy(index, next, scope);
          const apart = one === undefined || other === undefined ? [] : [{ all: [one, other] }];
          wanted.push({ any: [joined, ...apart] });
          at++;
        }
      }
      return isOther ? all([...wanted, ...filterParts(index, filters, 'loose')]) : undefined;
    },
  };
}

const NOTHING: Expression = { any: [] };

/** "star bucks" for Starbucks. */
function joinedWord(index: OpenIndex, one: Part, next: Part, scope: number): string | undefined {
  if (one.words.length !== 1 || next.words.length !== 1) return undefined;
  const joined = term('w', one.text + next.text);
  return isKnown(index, joined, scope) ? joined : undefined;
}

function spellings(
  index: OpenIndex,
  part: Part,
  scope: number,
  nothingFound: boolean,
): { wanted: Expression[]; other: string | undefined } {
  const isHere = (word: string) => meaningsOf(index, word).some((one) => isKnown(index, one, scope));
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

/** "burgerking" for two words that names have. */
function splitWord(index: OpenIndex, word: string, scope: number): string[] | undefined {
  for (let at = HALF_MIN; at <= word.length - HALF_MIN; at++) {
    const halves = [word.slice(0, at), word.slice(at)];
    if (halves.every((half) => isKnown(index, term('w', half), scope))) return halves;
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

/** The text without its least telling words, one fewer each time, until some place has all that is left. */
export function leaveOutStages(index: OpenIndex, read: TextReading, given: Filters): Stage[] {
  const loose = looseOf(index, read, given);
  const parts = read.parts.flatMap(segmented);
  const order = leavingOut(index, parts, loose.scope, (part) => termsOf(index, part));
  const stages: Stage[] = [];
  for (let count = 1; count < order.length; count++) {
    const leftOut = order.slice(0, count);
    const kept = parts.filter((part) => !leftOut.includes(part));
    // Words that no place has are left out together with the next ones.
    const isNext = isUnknown(index, order[count] as Part, loose.scope, (part) => termsOf(index, part));
    if (!isNext && kept.some(({ is }) => is !== 'open' && is !== 'price'))
      stages.push(keeping(loose, kept, leftOut));
  }
  return stages;
}

function keeping(
  { index, read, filters, scope }: Loose,
  kept: readonly Part[],
  leftOut: readonly Part[],
): Stage {
  return {
    scope,
    whenEmpty: true,
    ...asksOf(kept),
    understood: () => understoodOf(index, read, { parts: kept, leftOut }),
    wanted: () => {
      const asked = kept.filter(({ is }) => is !== 'open' && is !== 'price');
      const parts = asked.map((part) => meantBy(index, part, scope));
      if (parts.includes(undefined)) return undefined;
      return all([...(parts as Expression[]), ...filterParts(index, filters, 'loose')]);
    },
  };
}

/** A piece without spaces may be several words. */
function segmented(part: Part): Part[] {
  if (part.is !== 'name' || part.words.length < 2) return [part];
  return segmentsOf(part.text).map((text) => ({ ...part, text, words: wordsOf(text) }));
}

/** How a text is understood for which nothing is found: what no place has stood in the way. */
export function nothingUnderstood(index: OpenIndex, read: TextReading, given: Filters) {
  const { scope } = looseOf(index, read, given);
  const leftOut = read.parts.filter((part) => isUnknown(index, part, scope, (one) => termsOf(index, one)));
  const parts = read.parts.filter((part) => !leftOut.includes(part));
  return understoodOf(index, read, { parts, leftOut });
}
