import words from '../../lexicon/figure-words.json' with { type: 'json' };

const WORDS = words.price;

/** Levels of price_range, lowest first. */
const PRICE_LEVELS = ['$', '$$', '$$$', '$$$$'] as const;

/** Prices in a question: levels that can be compared, and sums that no record holds. */
export interface AskedPrice {
  /** Undefined when no level was named. */
  levels: string[] | undefined;
  /** The levels as written in the question. */
  levelsText: string | undefined;
  /** Sums, and levels that contradict the first one, as written in the question. */
  unknown: string[];
  rest: string;
}

const ARTICLE = String.raw`(?:(?:${WORDS.article})\s)?`;
const SIGNS = String.raw`(?<![\p{L}\p{N}$€£¥])[$€£¥]{1,4}(?![$€£¥]|\s?\d)`;

const LEVEL = new RegExp(
  String.raw`(?:(?<!\p{L})(?:(?<below>${WORDS.below})|(?<most>${WORDS.at_most})|(?<above>${WORDS.above})|(?<least>${WORDS.at_least})|(?<not>${WORDS.not}))\s${ARTICLE})?(?<low>${SIGNS})(?:\s?(?:${WORDS.range})\s?(?<high>${SIGNS}))?(?:\s(?:(?<orLess>${WORDS.or_less})|(?<orMore>${WORDS.or_more}))(?!\p{L}))?`,
  'giu',
);

const SUM = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${WORDS.below}|${WORDS.at_most}|${WORDS.above}|${WORDS.at_least})\s${ARTICLE})?(?:(?:[€$£¥]|(?<!\p{L})rp)\s?\d[\d.,]*k?|(?<![\d.,])\d[\d.,]*k?\s?(?:${WORDS.currency})(?!\p{L}))${WORDS.per}`,
  'giu',
);

/** A comparison such as "cheaper than yesterday's", whose price is unknown. */
const COMPARED = new RegExp(
  String.raw`(?<!\p{L})(?:${WORDS.compared})(?:\s?(?!(?:${WORDS.ends_comparison})(?!\p{L}))[\p{L}\p{N}’'-]+){1,3}`,
  'giu',
);

/** Reads price level signs ("under $$") and sums ("under 20 euros") in a question. */
export function readPrice(question: string): AskedPrice {
  const unknown: string[] = [];
  let levels: string[] | undefined;
  let levelsText: string | undefined;
  const takeUnknown = (match: string) => {
    unknown.push(match.trim());
    return ' ';
  };
  const takeLevel = (match: string, ...groups: unknown[]) => {
    const matchedLevels = levelsOf(groups.at(-1) as Record<string, string | undefined>);
    const both = matchedLevels.filter((level) => levels?.includes(level) !== false);
    if (both.length > 0) [levels, levelsText] = [both, [levelsText, match.trim()].filter(Boolean).join(' ')];
    else unknown.push(match.trim());
    return ' ';
  };
  const rest = question.replace(SUM, takeUnknown).replace(LEVEL, takeLevel).replace(COMPARED, takeUnknown);
  return { levels, levelsText, unknown, rest };
}

function levelsOf(groups: Readonly<Record<string, string | undefined>>): string[] {
  const low = groups['low']?.length ?? 0;
  const high = groups['high']?.length ?? low;
  if (groups['below'] !== undefined) return PRICE_LEVELS.slice(0, low - 1);
  if (groups['most'] !== undefined || groups['orLess'] !== undefined) return PRICE_LEVELS.slice(0, high);
  if (groups['above'] !== undefined) return PRICE_LEVELS.slice(high);
  if (groups['least'] !== undefined || groups['orMore'] !== undefined) return PRICE_LEVELS.slice(low - 1);
  const between = PRICE_LEVELS.slice(Math.min(low, high) - 1, Math.max(low, high));
  return groups['not'] === undefined ? between : PRICE_LEVELS.filter((level) => !between.includes(level));
}
