import lists from './neutral-words.json' with { type: 'json' };
import type { PlaceSentence } from './place-sentence.ts';

export interface Reworded {
  place_id: string;
  text: string;
}

/** Words without factual content. Every other word must occur in the original sentence. */
const NEUTRAL = new Set(lists.flatMap((list) => list.split(' ')));
const SIGNS = /^[\p{L}\p{M}\p{N}\s.,;:'’"“”()&!/$–—-]*$/u;
const ADDRESS = /:\/\/|www\.|@|\p{L}\.\p{L}{2,}/iu;
const TOKEN = /\$+|\d+(?:[.,:]\d+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** Placeholder for the place name, whose words are not checked individually. */
const NAME_MARK = ' \u{E000} ';
const UNIT = /^\s?(km|m)(?!\p{L})/u;
const COUNT = /^\s(?:guest\s|visitor\s)?reviews?(?!\p{L})/u;
const RATED = /(?:rated|rating|rating of|rates|score|score of|scores|scored|scoring)\s$/iu;
const RATING = /^\s(?:rating|score)(?!\p{L})/u;
const UNTIL = /(?:until|till|closes at|closing at)\s$/iu;

/**
 * Checks reworded sentences against the facts with fixed rules: each place has its own name and no other, and no word
 * or number that is missing in its template sentence. Returns the faults; empty means accepted.
 */
export function gateSentences(originals: readonly PlaceSentence[], reworded: readonly Reworded[]): string[] {
  const byId = new Map(originals.map((one) => [one.card.place_id, one]));
  const faults: string[] = [];
  for (const { place_id, text } of reworded) {
    const place = byId.get(place_id);
    if (place === undefined) faults.push('a place that was not retrieved');
    else faults.push(...faultsOf(text, place, originals));
  }
  for (const { card } of originals) {
    const sentences = reworded.filter(({ place_id }) => place_id === card.place_id);
    if (!sentences.some(({ text }) => text.includes(card.name))) faults.push('a place that is not named');
  }
  return faults;
}

function faultsOf(text: string, place: PlaceSentence, originals: readonly PlaceSentence[]): string[] {
  const { card, sentence } = place;
  const faults: string[] = [];
  for (const other of originals)
    if (other !== place && text.includes(other.card.name) && !card.name.includes(other.card.name))
      faults.push('the name of another place');
  const rest = text.replaceAll(card.name, NAME_MARK);
  const source = sentence.replaceAll(card.name, NAME_MARK);
  const plain = rest.replaceAll(NAME_MARK.trim(), '');
  if (!SIGNS.test(plain)) faults.push('a sign that no sentence needs');
  if (ADDRESS.test(plain)) faults.push('an address');
  return [...faults, ...negationFaults(rest, source), ...tokenFaults(rest, source)];
}

const LIMITS = /(?<!\p{L})(?:no|not|only|usually|limited|except)(?!\p{L})/giu;
/** Date of hours that are too old to be verified. */
const HOURS_DATE = /hours from \p{L}+ \d{4}/u;

/** Compares limiting words: without its "no", a sentence states the opposite using only words of the facts. */
function negationFaults(rest: string, source: string): string[] {
  const limits = (text: string) =>
    (text.match(LIMITS) ?? [])
      .map((word) => word.toLowerCase())
      .sort()
      .join();
  const date = HOURS_DATE.exec(source)?.[0];
  if (date !== undefined && !rest.includes(date)) return ['hours without their date'];
  return limits(rest) === limits(source) ? [] : ['a fact that is turned round'];
}

function tokenFaults(rest: string, source: string): string[] {
  const faults: string[] = [];
  const words = new Set<string>();
  const names = new Set<string>();
  const figures = new Set<string>();
  for (const { text, figure } of tokensOf(source)) {
    if (figure !== undefined) figures.add(figure);
    else words.add(text.toLowerCase());
    if (/^\p{Lu}/u.test(text)) names.add(text);
  }
  for (const { text, figure, first } of tokensOf(rest)) {
    if (figure !== undefined) {
      if (!figures.has(figure)) faults.push('a number that is not in the facts');
    } else if (!words.has(text.toLowerCase()) && !NEUTRAL.has(text.toLowerCase())) {
      faults.push('a word that is not in the facts');
    } else if (!first && /^\p{Lu}/u.test(text) && !names.has(text)) {
      faults.push('a name that is not in the facts');
    }
  }
  return faults;
}

interface Token {
  text: string;
  /** A number with its role: rating, review count, distance, closing time or price. */
  figure: string | undefined;
  /** True at the beginning of a sentence. */
  first: boolean;
}

function* tokensOf(text: string): Generator<Token> {
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const before = text.slice(0, match.index);
    const first = /(?:^|[.!?:]\s+)["“(]?$/u.test(before);
    yield { text: token, figure: figureOf(token, before, text.slice(match.index + token.length)), first };
  }
}

/** Returns a number with its role, so that 4.6 as a rating does not match 4.6 as a distance. */
function figureOf(token: string, before: string, after: string): string | undefined {
  if (token.startsWith('$')) return `price ${token}`;
  if (!/^\d/.test(token)) return undefined;
  const unit = UNIT.exec(after)?.[1];
  if (unit !== undefined) return `distance ${token} ${unit}`;
  if (token.includes(':')) return UNTIL.test(before) ? `until ${token}` : `time ${token}`;
  if (COUNT.test(after)) return `reviews ${token}`;
  return RATED.test(before) || RATING.test(after) ? `rating ${token}` : `number ${token}`;
}
