import { isHonoured, speller, type Reading } from './reading.ts';
import { wordAt, type TokenSpan, type Tokens } from '../tokens.ts';

/** Maximum party size that needs no fact; larger parties do not fit at every table. */
export const PARTY_LARGE = 6;

/**
 * Returns the parts of a question that the answer does not honour, in its own words. Every word is such a part unless
 * it is a stop word of its language or the checks below show that the answer covers it.
 */
export function unansweredParts(reading: Reading): string[] {
  const { price, clock, timed } = reading;
  const spelled = speller(reading);
  const texts = [...price.unknown, ...(timed ? [] : [clock.dateText, clock.minuteText])];
  return [...new Set([...uncoveredSpans(reading).map(spelled), ...texts.filter((one) => one !== undefined)])];
}

/** Spans of uncovered tokens, split at commas and at the borders of phrases. */
function uncoveredSpans(reading: Reading): TokenSpan[] {
  const { tokens, mentions, party } = reading;
  const isUncovered = uncoveredTokens(reading);
  const isInParty = (at: number) => party !== undefined && party.from < at && at < party.to;
  const borders = mentions.matches.flatMap(({ from, to }) => [from, to]).filter((at) => !isInParty(at));
  const begins = new Set(borders);
  const spans: TokenSpan[] = [];
  let wasStopWord = false;
  for (const [at, { apart }] of tokens.list.entries()) {
    if (isUncovered(at)) {
      const last = spans.at(-1);
      if (last?.to === at && !apart && !begins.has(at) && !wasStopWord) last.to = at + 1;
      else spans.push({ from: at, to: at + 1 });
    }
    wasStopWord = mentions.open.get(at) === true;
  }
  for (const span of spans) extendOverKana(tokens, mentions.open, span);
  return spans;
}

const HIRAGANA = /^\p{Script=Hiragana}$/u;

/**
 * Extends a span over adjacent hiragana, because a word may contain particles: かわいい does not contain the particle か.
 */
function extendOverKana(tokens: Tokens, open: ReadonlyMap<number, boolean>, span: TokenSpan): void {
  const isKana = (at: number) => HIRAGANA.test(wordAt(tokens, at));
  const joins = (at: number, to: number) => tokens.list[at]?.to === tokens.list[to]?.from;
  const isPart = (at: number) => isKana(at) && open.get(at) === true;
  while (isKana(span.from) && isPart(span.from - 1) && joins(span.from - 1, span.from)) span.from--;
  while (isKana(span.to - 1) && isPart(span.to) && joins(span.to - 1, span.to)) span.to++;
}

/** Returns a test for uncovered tokens: not a stop word, a name, a party size or an honoured phrase. */
function uncoveredTokens(reading: Reading): (at: number) => boolean {
  const { mentions, party, count, deniedNames } = reading;
  const { open, nameTokens, matches, unknownLandmark, unknownNames } = mentions;
  const contains = (span: TokenSpan | undefined, at: number) =>
    span !== undefined && span.from <= at && at < span.to;
  const isCovered = (at: number) => {
    if (contains(party, at)) return (party?.size ?? 0) <= PARTY_LARGE;
    if (contains(count, at) || deniedNames.some((span) => contains(span, at))) return true;
    if (nameTokens.has(at)) return ![unknownLandmark, ...unknownNames].some((span) => contains(span, at));
    const matchesAt = matches.filter((match) => contains(match, at));
    return matchesAt.length > 0 && matchesAt.every((match) => isHonoured(match, reading));
  };
  return (at) => open.get(at) !== true && !isCovered(at);
}
