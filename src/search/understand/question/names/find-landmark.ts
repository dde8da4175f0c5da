import { findNear } from '../../../landmark/near-words.ts';
import { isExplained, take, type MentionQuery, type Mentions } from './mentions.ts';
import { isCapital, phraseOf, wordAt, type Tokens } from '../../tokens.ts';

const LANDMARK_WORDS_MAX = 6;
const LANDMARK_TRIES = 3;
/** Sections that end the name of a landmark. */
const ENDS = new Set(['time', 'price', 'grammar', 'intent', 'number', 'party', 'ask', 'diet', 'out']);
const CONNECTIVES = new Set(
  'for that which where open in and or is on at que para pour ouvert abierto yang untuk das für fur con com e y et und en met voor'.split(
    ' ',
  ),
);

/** Finds the landmark or area that the places should be near. */
export function findLandmark(query: MentionQuery, mentions: Mentions): void {
  const { raw, tokens } = query;
  const near = findNear(raw, tokens);
  if (near === undefined || near.isSoft) return;
  if (near.form === 'after') findBefore(query, mentions, near.from);
  else findBehind(query, mentions, skipStopWords(query, near.to));
}

/** Finds the landmark in front of the words for nearness: 金閣寺の近く. */
function findBefore({ tokens, search }: MentionQuery, mentions: Mentions, to: number): void {
  mentions.nearArea = mentions.matches.some((match) => match.section === 'area' && to - match.to <= 1);
  if (mentions.nearArea) return;
  for (let from = 0; from < to; from++) {
    if (mentions.open.get(from) === true || isExplained(mentions, { from, to })) continue;
    const found = search.landmark(phraseOf(tokens, from, to), false);
    if (found === undefined) continue;
    take(mentions, { from, to });
    mentions.landmark = { ...found, from, to };
    return;
  }
}

function findBehind({ tokens, search }: MentionQuery, mentions: Mentions, from: number): void {
  const next = mentions.matches.find((match) => match.from >= from);
  if (next?.from === from && (next.section === 'area' || next.section === 'destination')) {
    mentions.nearArea = next.section === 'area';
    return;
  }
  const end = endOfName(tokens, mentions, from);
  const ends = Array.from({ length: end - from }, (_, at) => end - at)
    .filter((to) => mentions.open.get(to - 1) !== true)
    .slice(0, LANDMARK_TRIES)
    // "Gare du Nord" is not any station, nor a place that has "Gare" in its name.
    .filter((to) => isRead(mentions, to, end))
    // "by the beach" names no place, even if one is called The Beach.
    .filter((to) => !isExplained(mentions, { from, to }));
  for (const isLoose of [false, true])
    for (const to of ends) {
      const words = phraseOf(tokens, from, to);
      const area = isLoose ? undefined : search.area(words);
      const found = area === undefined ? search.landmark(words, isLoose) : undefined;
      if (area === undefined && found === undefined) continue;
      take(mentions, { from, to });
      if (area !== undefined) mentions.areas.push(area);
      mentions.nearArea = area !== undefined;
      mentions.landmark = found && { ...found, from, to };
      return;
    }
  const area = mentions.matches.find((one) => one.section === 'area' && one.from >= from && one.to <= end);
  mentions.nearArea = area !== undefined;
  // "near a park", "near Kuta beach": these words are not a kind of place to search for.
  take(mentions, { from, to: end });
  if (area === undefined) mentions.unknownLandmark = end > from ? { from, to: end } : undefined;
  else {
    mentions.matches.push(area);
    if (end > area.to) mentions.unknownLandmark = { from: area.to, to: end };
    else if (area.from > from) mentions.unknownLandmark = { from, to: area.from };
  }
}

/** True if each word is a stop word or has a meaning of its own, so that it need not belong to the name before it. */
function isRead({ open, matches }: Mentions, from: number, to: number): boolean {
  for (let at = from; at < to; at++)
    if (open.get(at) !== true && !matches.some((match) => match.from <= at && at < match.to)) return false;
  return true;
}

/** Skips articles, which are not part of a name. "Times" in "Times Square" is. */
function skipStopWords({ tokens, matched, raw }: MentionQuery, at: number): number {
  let start = at;
  while (matched.open.get(start) === true && !isCapital(raw, wordAt(tokens, start))) start++;
  return start;
}

function endOfName(tokens: Tokens, mentions: Mentions, start: number): number {
  let end = start;
  while (end < tokens.list.length && end - start < LANDMARK_WORDS_MAX) {
    if (end > start && tokens.list[end]?.apart === true) break;
    const match = mentions.matches.find(({ from, to }) => from <= end && end < to);
    if (match !== undefined && ENDS.has(match.section)) break;
    if (
      match === undefined &&
      mentions.open.get(end) === true &&
      end > start &&
      CONNECTIVES.has(wordAt(tokens, end))
    )
      break;
    end = match?.to ?? end + 1;
  }
  while (end > start && mentions.open.get(end - 1) === true) end--;
  return end;
}
