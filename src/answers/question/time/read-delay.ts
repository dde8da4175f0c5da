import type { Language } from '../lexicon.ts';
import { NUMBER, numberOf } from './number-words.ts';

/** Patterns of a language for a relative time. */
interface Delay {
  before?: string;
  after?: string;
  hour: string;
  minute: string;
  /** Half an hour. */
  half: string;
}

const DELAYS: Readonly<Record<Language, Delay>> = {
  en: { before: 'in', hour: 'hours?|hrs?', minute: 'minutes?|mins?', half: 'half an hour' },
  de: { before: 'in', hour: 'stunden?', minute: 'minuten?', half: 'einer halben stunde' },
  fr: { before: "dans|d['’]ici", hour: 'heures?', minute: 'minutes?', half: 'une demi[- ]heure' },
  es: { before: 'en|dentro de', hour: 'horas?', minute: 'minutos?', half: 'media hora' },
  it: { before: 'fra|tra', hour: 'or[ae]', minute: 'minut[io]', half: "mezz['’ ]?ora" },
  pt: { before: 'daqui a|em|dentro de', hour: 'horas?', minute: 'minutos?', half: 'meia hora' },
  nl: { before: 'over', hour: 'uur|uren|uurtje', minute: 'minuten?|minuut', half: 'een half uur|half uur' },
  id: { before: 'dalam', after: 'lagi', hour: 'jam', minute: 'menit', half: 'setengah jam' },
  ja: { after: '後', hour: '時間', minute: '分', half: '半時間' },
};
const FROM_NOW = 'from now|ab jetzt|à partir de maintenant';
const ABOUT = String.raw`(?:(?:about|around|etwa|ungefähr|environ|unas|circa|umas|cerca de|ongeveer|sekitar)\s)?`;
const PATTERNS = new Map<Language, RegExp>();

export interface FoundDelay {
  minutes: number;
  text: string;
}

/** Reads relative times in the question's language: "in two hours", "half an hour from now". */
export function readDelay(question: string, language: Language): FoundDelay | undefined {
  let pattern = PATTERNS.get(language);
  if (pattern === undefined) PATTERNS.set(language, (pattern = patternOf(DELAYS[language])));
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

function patternOf({ before, after, hour, minute, half }: Delay): RegExp {
  const start = before === undefined ? '' : String.raw`(?:(?<before>${before})\s)?`;
  const amount = String.raw`(?:(?<half>${half})|(?<count>${NUMBER})(?:\s|['’])?(?:(?<hour>${hour})|(?:${minute})))`;
  const end = [FROM_NOW, after].filter((one) => one !== undefined).join('|');
  return new RegExp(
    String.raw`(?<!\p{L})(?:(?<sejam>sejam lagi)|${start}${ABOUT}${amount}(?:\s?(?<after>${end}))?)(?!\p{L})`,
    'giu',
  );
}
