import { type CategoryMatch, classifyWord } from '../categories.ts';
import { verticalOfCode } from '../overture/category-paths.ts';

/** Words that directories add to a kind and that say nothing about it. */
const ADDED = /\b(and|the|local|establishment|business)\b/g;

/** Returns the kind that a text in English states, such as "Italian restaurant" or "Food > Coffee shop". */
export function classifyText(text: string): CategoryMatch | null {
  const parts = text.split(/[;|>/]|,\s/).map((part) => part.trim());
  // In a path, the last part is the most specific.
  for (const part of text.includes('>') ? parts.toReversed() : parts) {
    const match = classifyWord(part) ?? classifyPhrase(part);
    if (match !== null) return match;
  }
  return null;
}

/** Reads a phrase whose last words name the kind: "Italian restaurant", "Gift shop", "Bars". */
function classifyPhrase(phrase: string): CategoryMatch | null {
  const code = phrase
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(ADDED, ' ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '_');
  if (code === '') return null;
  for (const spelling of [code, code.replace(/s$/, '')]) {
    const word = classifyWord(spelling);
    if (word !== null) return word;
    const vertical = verticalOfCode(spelling);
    if (vertical !== null) return { vertical, categories: [spelling.slice(0, 40)] };
  }
  return null;
}
