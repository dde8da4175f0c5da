/** Levels of price_range, lowest first. */
export const PRICE_LEVELS = ['$', '$$', '$$$', '$$$$'] as const;

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

const BELOW =
  'günstiger als|billiger als|preiswerter als|moins cher que|moins chère que|más barato que|más barata que|menos caro que|meno caro di|più economico di|mais barato do que|mais barato que|mais barata que|goedkoper dan|lebih murah dari|less expensive than|under|below|less than|cheaper than|unter|moins de|moins que|en dessous de|por debajo de|menos de|por menos de|sotto|meno di|abaixo de|menos de|onder|minder dan|di bawah|kurang dari|より安い';
const AT_MOST =
  "not more expensive than|no more expensive than|not pricier than|nicht teurer als|pas plus cher que|pas plus chère que|no más caro que|no más cara que|non più caro di|não mais caro que|não mais caro do que|niet duurder dan|tidak lebih mahal dari|jangan lebih dari|up to|at most|max|maximum|no more than|not more than|not over|nicht mehr als|nicht über|pas plus de|no más de|non più di|não mais de|niet meer dan|bis|maximal|höchstens|jusqu[’']à|hasta|máximo|fino a|massimo|até|no máximo|tot|maximaal|hoogstens|maksimal|sampai";
const ABOVE =
  'more expensive than|pricier than|teurer als|plus cher que|más caro que|più caro di|mais caro que|mais caro do que|duurder dan|lebih mahal dari|over|above|more than|über|mehr als|plus de|au dessus de|más de|oltre|sopra|più di|acima de|mais de|boven|meer dan|di atas|lebih dari';
const AT_LEAST = 'at least|from|mindestens|ab|au moins|al menos|almeno|pelo menos|minstens|vanaf|minimal';
const NOT = 'not|no|nicht|kein|pas|non|não|niet|bukan';
const OR_LESS =
  'or less|or cheaper|or below|or under|max|maximum|oder weniger|ou moins|o menos|o meno|ou menos|of minder|atau kurang';
const OR_MORE = 'or more|or above|or up|oder mehr|ou plus|o más|o più|ou mais|of meer|atau lebih';
const ARTICLE = String.raw`(?:(?:the|de|den|la|los|las|i|le|les|dos|das)\s)?`;
const SIGNS = String.raw`(?<![\p{L}\p{N}$€£¥])[$€£¥]{1,4}(?![$€£¥]|\s?\d)`;

const LEVEL = new RegExp(
  String.raw`(?:(?<!\p{L})(?:(?<below>${BELOW})|(?<most>${AT_MOST})|(?<above>${ABOVE})|(?<least>${AT_LEAST})|(?<not>${NOT}))\s${ARTICLE})?(?<low>${SIGNS})(?:\s?(?:-|–|to|or|bis|oder|à|ou|a|o|of|atau)\s?(?<high>${SIGNS}))?(?:\s(?:(?<orLess>${OR_LESS})|(?<orMore>${OR_MORE}))(?!\p{L}))?`,
  'giu',
);

const CURRENCY =
  'euros?|dollars?|usd|eur|gbp|idr|yen|円|pounds?|quid|bucks|dólares|reais|pesos|rupiah|ribu|rb|juta|baht|francs?|franken|yenes|€|£|¥|\\$';
const PER = String.raw`(?:\s?(?:\/|per|pro|par|por|each|an?|al|la|à la|p)\s?(?:night|nacht|nuit|noche|notte|noite|malam|person|personne|persona|pessoa|persoon|orang|head|kopf))?`;
const SUM = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${[BELOW, AT_MOST, ABOVE, AT_LEAST].join('|')})\s${ARTICLE})?(?:(?:[€$£¥]|(?<!\p{L})rp)\s?\d[\d.,]*k?|(?<![\d.,])\d[\d.,]*k?\s?(?:${CURRENCY})(?!\p{L}))${PER}`,
  'giu',
);

const CHEAPER =
  "cheaper than|less expensive than|more expensive than|günstiger als|billiger als|teurer als|(?:moins|plus) ch(?:er|ère) qu[e’']|más (?:barat|car)[oa] que|(?:meno car[oa]|più economic[oa]|più car[oa]) di|mais (?:barat|car)[oa] (?:do )?que|(?:goedkoper|duurder) dan|lebih (?:murah|mahal) dari";
/** A comparison such as "cheaper than yesterday's", whose price is unknown. */
const COMPARED = new RegExp(
  String.raw`(?<!\p{L})(?:${CHEAPER})(?:\s?(?!(?:in|near|at|for|open|ouvert|ouverte|pour|dans|para|per|voor|für|di|tonight|today|tomorrow)(?!\p{L}))[\p{L}\p{N}’'-]+){1,3}`,
  'giu',
);

/** Reads price level signs ("under $$") and sums ("under 20 euros") in a question. */
export function readPrice(question: string): AskedPrice {
  const unknown: string[] = [];
  let levels: string[] | undefined;
  let levelsText: string | undefined;
  const withoutSums = question.replace(SUM, (match) => {
    unknown.push(match.trim());
    return ' ';
  });
  const rest = withoutSums.replace(LEVEL, (match: string, ...groups: unknown[]) => {
    const matchedLevels = levelsOf(groups.at(-1) as Record<string, string | undefined>);
    const both = matchedLevels.filter((level) => levels?.includes(level) !== false);
    if (both.length > 0) [levels, levelsText] = [both, [levelsText, match.trim()].filter(Boolean).join(' ')];
    else unknown.push(match.trim());
    return ' ';
  });
  const remaining = rest.replace(COMPARED, (match) => {
    unknown.push(match.trim());
    return ' ';
  });
  return { levels, levelsText, unknown, rest: remaining };
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
