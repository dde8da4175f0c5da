import lists from './neutral-words.json' with { type: 'json' };
import type { PlaceSentence } from './place-sentence.ts';

/** A sentence as a language model gave it back. */
export interface Reworded {
  place_id: string;
  text: string;
}

/** Words that state nothing by themselves. Every other word must come from the sentence that was handed over. */
const NEUTRAL = new Set(lists.flatMap((list) => list.split(' ')));
const SIGNS = /^[\p{L}\p{M}\p{N}\s.,;:'’"“”()&!/$–—-]*$/u;
const ADDRESS = /:\/\/|www\.|@|\p{L}\.\p{L}{2,}/iu;
const TOKEN = /\$+|\d+(?:[.,:]\d+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** Put where the name stood, so that its words need no leave of their own. */
const NAME_MARK = ' \u{E000} ';
const UNIT = /^\s?(km|m)(?!\p{L})/u;
const COUNT = /^\s(?:guest\s|visitor\s)?reviews?(?!\p{L})/u;
const RATED = /(?:rated|rating|rating of|rates|score|score of|scores|scored|scoring)\s$/iu;
const RATING = /^\s(?:rating|score)(?!\p{L})/u;
const UNTIL = /(?:until|till|closes at|closing at)\s$/iu;

/**
 * Holds re-worded sentences to the facts, by program and without judgement: every place by its own name and no other,
 * no word and no number that its own template sentence does not have. Gives what is wrong; nothing means they may pass.
 */
export function gateSentences(given: readonly PlaceSentence[], reworded: readonly Reworded[]): string[] {
  const known = new Map(given.map((one) => [one.card.place_id, one]));
  const faults: string[] = [];
  for (const { place_id, text } of reworded) {
    const place = known.get(place_id);
    if (place === undefined) faults.push('a place that was not retrieved');
    else faults.push(...faultsOf(text, place, given));
  }
  for (const { card } of given) {
    const told = reworded.filter(({ place_id }) => place_id === card.place_id);
    if (!told.some(({ text }) => text.includes(card.name))) faults.push('a place that is not named');
  }
  return faults;
}

function faultsOf(text: string, place: PlaceSentence, given: readonly PlaceSentence[]): string[] {
  const { card, sentence } = place;
  const faults: string[] = [];
  for (const other of given)
    if (other !== place && text.includes(other.card.name) && !card.name.includes(other.card.name))
      faults.push('the name of another place');
  const rest = text.replaceAll(card.name, NAME_MARK);
  const source = sentence.replaceAll(card.name, NAME_MARK);
  const plain = rest.replaceAll(NAME_MARK.trim(), '');
  if (!SIGNS.test(plain)) faults.push('a sign that no sentence needs');
  if (ADDRESS.test(plain)) faults.push('an address');
  return [...faults, ...turnedFaults(rest, source), ...tokenFaults(rest, source)];
}

const LIMITS = /(?<!\p{L})(?:no|not|only|limited|except)(?!\p{L})/giu;

/** Without its no, a sentence says the contrary in words that are all in the facts. */
function turnedFaults(rest: string, source: string): string[] {
  const limits = (text: string) =>
    (text.match(LIMITS) ?? [])
      .map((word) => word.toLowerCase())
      .sort()
      .join();
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
  /** A number with what makes it one: a rating, a count of reviews, a distance, a closing time, a price. */
  figure: string | undefined;
  /** Whether it begins a sentence. */
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

/** 4.6 as a rating is not 4.6 as a distance: a number only counts with the role that it has. */
function figureOf(token: string, before: string, after: string): string | undefined {
  if (token.startsWith('$')) return `price ${token}`;
  if (!/^\d/.test(token)) return undefined;
  const unit = UNIT.exec(after)?.[1];
  if (unit !== undefined) return `distance ${token} ${unit}`;
  if (token.includes(':')) return UNTIL.test(before) ? `until ${token}` : `time ${token}`;
  if (COUNT.test(after)) return `reviews ${token}`;
  return RATED.test(before) || RATING.test(after) ? `rating ${token}` : `number ${token}`;
}
