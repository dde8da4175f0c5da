import { isHonoured, speller, type Reading } from './reading.ts';
import { wordAt, type Span, type Units } from './units.ts';

/** More than so many people do not fit at every table. */
export const PARTY_LARGE = 6;

/**
 * The parts of a question that the answer does not honour, in its own words. Every word counts as such a part unless
 * it is a small word of its language or something here says that the answer stands for it.
 */
export function unansweredParts(reading: Reading): string[] {
  const { price, clock, timed } = reading;
  const spelled = speller(reading);
  const written = [...price.unknown, ...(timed ? [] : [clock.dateText, clock.minuteText])];
  return [...new Set([...leftSpans(reading).map(spelled), ...written.filter((one) => one !== undefined)])];
}

/** Stretches of units that nothing stands for; a comma and the borders of phrases divide them. */
function leftSpans(reading: Reading): Span[] {
  const { units, mentions, party } = reading;
  const isLeft = leftUnits(reading);
  const isInParty = (at: number) => party !== undefined && party.from < at && at < party.to;
  const borders = mentions.matches.flatMap(({ from, to }) => [from, to]).filter((at) => !isInParty(at));
  const begins = new Set(borders);
  const spans: Span[] = [];
  let wasSmall = false;
  for (const [at, { apart }] of units.units.entries()) {
    if (isLeft(at)) {
      const last = spans.at(-1);
      if (last?.to === at && !apart && !begins.has(at) && !wasSmall) last.to = at + 1;
      else spans.push({ from: at, to: at + 1 });
    }
    wasSmall = mentions.open.get(at) === true;
  }
  for (const span of spans) stretchKana(units, mentions.open, span);
  return spans;
}

const HIRAGANA = /^\p{Script=Hiragana}$/u;

/** A word in hiragana may have particles in it: かわいい is no か. */
function stretchKana(units: Units, open: ReadonlyMap<number, boolean>, span: Span): void {
  const isKana = (at: number) => HIRAGANA.test(wordAt(units, at));
  const joins = (at: number, to: number) => units.units[at]?.to === units.units[to]?.from;
  const isPart = (at: number) => isKana(at) && open.get(at) === true;
  while (isKana(span.from) && isPart(span.from - 1) && joins(span.from - 1, span.from)) span.from--;
  while (isKana(span.to - 1) && isPart(span.to) && joins(span.to - 1, span.to)) span.to++;
}

/** Whether nothing stands for a unit: it is no small word, no name, no number of people, and no honoured phrase. */
function leftUnits(reading: Reading): (at: number) => boolean {
  const { mentions, party, count, deniedNames } = reading;
  const { open, taken, matches, unknownLandmark, unknownNames } = mentions;
  const holds = (span: Span | undefined, at: number) => span !== undefined && span.from <= at && at < span.to;
  const isStoodFor = (at: number) => {
    if (holds(party, at)) return (party?.size ?? 0) <= PARTY_LARGE;
    if (holds(count, at) || deniedNames.some((span) => holds(span, at))) return true;
    if (taken.has(at)) return ![unknownLandmark, ...unknownNames].some((span) => holds(span, at));
    const said = matches.filter((match) => holds(match, at));
    return said.length > 0 && said.every((match) => isHonoured(match, reading));
  };
  return (at) => open.get(at) !== true && !isStoodFor(at);
}
