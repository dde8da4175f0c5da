import { LANGUAGE_WORDS, type Language } from '../../lexicon/lexicon.ts';
import { NUMBER, numberOf } from './number-words.ts';

const FROM_NOW = 'from now|ab jetzt|à partir de maintenant';
const ABOUT = String.raw`(?:(?:about|around|etwa|ungefähr|environ|unas|circa|umas|cerca de|ongeveer|sekitar)\s)?`;
const PATTERNS = new Map<Language, RegExp>();

/** Reads relative times in the question's language: "in two hours", "half an hour from now". */
export function readDelay(
  question: string,
  language: Language,
): { minutes: number; text: string } | undefined {
  const pattern = PATTERNS.getOrInsertComputed(language, patternOf);
  for (const match of question.matchAll(pattern)) {
    const { before, half, count = '', hour, after, sejam } = match.groups ?? {};
    if (before === undefined && after === undefined && sejam === undefined) continue;
    if (sejam !== undefined) return { minutes: 60, text: match[0] };
    if (half !== undefined) return { minutes: 30, text: match[0] };
    const amount = numberOf(count);
    if (amount !== undefined) return { minutes: amount * (hour === undefined ? 1 : 60), text: match[0] };
  }
  return undefined;
}

/** The words of a language are regular expressions: before and after the time, for hours, minutes and half an hour. */
function patternOf(language: Language): RegExp {
  const { before, after, hour = '', minute = '', half = '' } = LANGUAGE_WORDS[language]['delay'] ?? {};
  const start = before === undefined ? '' : String.raw`(?:(?<before>${before})\s)?`;
  const amount = String.raw`(?:(?<half>${half})|(?<count>${NUMBER})(?:\s|['’])?(?:(?<hour>${hour})|(?:${minute})))`;
  const end = [FROM_NOW, after].filter((one) => one !== undefined).join('|');
  return new RegExp(
    String.raw`(?<!\p{L})(?:(?<sejam>sejam lagi)|${start}${ABOUT}${amount}(?:\s?(?<after>${end}))?)(?!\p{L})`,
    'giu',
  );
}
