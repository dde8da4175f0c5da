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
  const grammar = (value: string) =>
    mentions.matches.find((match) => match.section === 'grammar' && match.value === value);
  const [near, after] = [grammar('near'), grammar('near_after')];
  if (after !== undefined)
    mentions.nearArea = mentions.matches.some(
      ({ section, to }) => section === 'area' && after.from - to <= 1,
    );
  else if (near !== undefined) findNear(query, mentions, skipStopWords(query, near.to));
}

function findNear({ tokens, raw, search }: MentionQuery, mentions: Mentions, from: number): void {
  const next = mentions.matches.find((match) => match.from >= from);
  if (next?.from === from && (next.section === 'area' || next.section === 'destination')) {
    mentions.nearArea = next.section === 'area';
    return;
  }
  const end = endOfName(tokens, mentions, from);
  let tries = 0;
  for (let to = end; to > from && tries < LANDMARK_TRIES; to--) {
    if (mentions.open.get(to - 1) === true) continue;
    tries++;
    // "by the beach" names no place, even if one is called The Beach.
    if (isExplained(mentions, { from, to })) continue;
    const words = phraseOf(tokens, from, to);
    const area = search.area(words);
    // "Times Square" must not match a place that only has "Times" in its name.
    const isPart = to === end && words.includes(' ') && isCapital(raw, words);
    const place = area === undefined ? search.place(words, isPart) : undefined;
    if (area === undefined && place === undefined) continue;
    take(mentions, { from, to });
    if (area !== undefined) mentions.areas.push(area);
    mentions.nearArea = area !== undefined;
    // Distances need the position of the landmark.
    if (place?.point === null) mentions.unknownLandmark = { from, to };
    else mentions.landmark = place && { ...place, from, to };
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
