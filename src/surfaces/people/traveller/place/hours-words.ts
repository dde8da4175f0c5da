import words from '../words.json' with { type: 'json' };

const WORDS: Readonly<Record<string, string>> = words.hours;
const ABBREVIATED = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'gi');

/** Matches the nth weekday of a month: Th[-1] is the last Thursday. */
const NTH = /\b(Mo|Tu|We|Th|Fr|Sa|Su)\[(-?[1-5])\]/gi;
const NTH_WORDS: Readonly<Record<string, string>> = words.nth;

/**
 * Spells out OpenStreetMap hours: "Mo-Fr 09:00-17:00; PH off" becomes "Monday to Friday 09:00–17:00; public holidays
 * closed".
 */
export function hoursWords(text: string): string {
  const parts = text.split('"');
  if (!parts.every((part, at) => at % 2 === 1 || isMapSyntax(part))) return text;
  return parts
    .map((part, at) => (at % 2 === 0 ? spellOut(part) : `“${part}”`))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function spellOut(text: string): string {
  return text
    .replaceAll(/\b24\s*\/\s*7\b/g, 'every day, all day')
    .replaceAll(NTH, (_, day: string, nth: string) => `${NTH_WORDS[nth] ?? nth} ${day} of the month`)
    .replaceAll(ABBREVIATED, (word) => WORDS[word.toLowerCase()] ?? word)
    .replaceAll(/(?<=[a-z]{2})\s*-\s*(?=[A-Z])/g, ' to ')
    .replaceAll(/(?<=\d|sunrise|sunset)\s*-\s*(?=\d|sunrise|sunset)/g, '–')
    .replaceAll(/(?<=\d{2})\+/g, ' or later')
    .replaceAll(/\s*\|\|\s*/g, '; otherwise ')
    .replaceAll(/\s*([;,])\s*/g, '$1 ');
}

/** Other words of the OpenStreetMap hours syntax. */
const SYNTAX_WORDS = new Set(
  'may week easter day days open closed unknown sunrise sunset dawn dusk'.split(' '),
);

/** True when the text uses only map syntax. Free text stays unchanged: in "We are open", "We" is not Wednesday. */
function isMapSyntax(text: string): boolean {
  const all = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return all.every((word) => Object.hasOwn(WORDS, word) || SYNTAX_WORDS.has(word));
}
