import { isUnspaced } from '../../../core/text/fold.ts';
import { lazy } from '../../../core/memory/lazy.ts';
import { ENGLISH, VENUE_LANGUAGES } from '../../language/venue-language.ts';

const MEANINGS = ['yes', 'no', 'stop', 'start', 'polite', 'instead', 'at'] as const;
type Meaning = (typeof MEANINGS)[number];

/** The word that our messages name for a meaning: the first one in the catalogue. */
export function mainWord(code: string, meaning: 'yes' | 'no' | 'stop' | 'start'): string {
  return phrasesOf(code, meaning)[0] ?? '';
}

function phrasesOf(code: string, meaning: Meaning): string[] {
  const { text } = VENUE_LANGUAGES.get(code) ?? ENGLISH;
  return text(`reply.${meaning}`)
    .split(',')
    .map((phrase) => phrase.trim());
}

const MARKS = /[\u0300-\u036f\ufe0e\ufe0f]|\p{Emoji_Modifier}/gu;
const CLAUSE_END = /[,.!;:…()[\]"“”„«»–—/。、，！；：「」،؛\n]+|\s-\s/g;
const BETWEEN_WORDS = /[\s\-־~*_・?？؟'’‘`´]+/g;
const BREAK = '|';

/** Lower case, without accents of Latin and Greek, with one space between words and a bar between clauses. */
function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replaceAll('ß', 'ss')
    .replaceAll(BREAK, ' ')
    .replace(/\p{Extended_Pictographic}/gu, ' $& ')
    .replace(CLAUSE_END, ` ${BREAK} `)
    .replace(BETWEEN_WORDS, ' ')
    .trim();
}

/** Signs that mean the same everywhere. */
const SIGNS: Readonly<Record<string, Meaning>> = {
  '👍': 'yes',
  '✅': 'yes',
  '✔': 'yes',
  '👌': 'yes',
  '👎': 'no',
  '❌': 'no',
  '🙏': 'polite',
  '🙂': 'polite',
  '😊': 'polite',
};

type Phrases = ReadonlyMap<string, Meaning>;

const PHRASES = lazy(() => new Map([...VENUE_LANGUAGES.keys()].map((code) => [code, phrasesIn(code)])));

function phrasesIn(code: string): Phrases {
  return new Map([
    ...Object.entries(SIGNS),
    ...MEANINGS.flatMap((meaning) =>
      phrasesOf(code, meaning).map(
        (phrase) => [plainWords(phrase).replaceAll(` ${BREAK}`, ''), meaning] as const,
      ),
    ),
  ]);
}

/** Short words of one language mean something else in others: ne is yes in Greek and no in Croatian. */
const SHORT = 3;
const SHORT_AND_CLEAR = ['si', 'ja'];

/**
 * Returns the meanings of all phrases of a text: in the venue's language and English, else in the other languages if
 * all that know every word agree. Undefined where a word is unknown, or where one no may deny another.
 */
export function meaningsIn(text: string, code: string): readonly Meaning[] | undefined {
  const words = plainWords(text);
  const english = PHRASES().get(ENGLISH.code) ?? new Map<string, Meaning>();
  const own = readPhrases(words, [PHRASES().get(code) ?? english, english]);
  if (own !== undefined) return own === 'doubtful' ? undefined : own;
  if (words.length < SHORT && !isUnspaced(words) && !SHORT_AND_CLEAR.includes(words)) return undefined;
  const others = [...PHRASES().values()].flatMap((phrases) => readPhrases(words, [phrases]) ?? []);
  return new Set(others).size === 1 ? others.filter((meaning) => meaning !== 'doubtful') : undefined;
}

/** Reads words as phrases, the longest first. Undefined when a word is unknown. */
function readPhrases(words: string, lists: readonly Phrases[]): Meaning[] | 'doubtful' | undefined {
  const meanings: Meaning[] = [];
  let before: { phrase: string; meaning: Meaning } | undefined;
  let doubtful = false;
  for (let at = 0; at < words.length;) {
    const letter = words[at];
    if (letter === ' ' || letter === BREAK) {
      // Scripts that are written without spaces put them between clauses.
      if (letter === BREAK || (before !== undefined && isUnspaced(before.phrase))) before = undefined;
      at++;
      continue;
    }
    const next = longestAt(words, at, lists);
    if (next === undefined) return undefined;
    // "No estamos completos" denies that they are full; "No, estamos completos" does not.
    doubtful ||= next.meaning === 'no' && before?.meaning === 'no' && before.phrase !== next.phrase;
    meanings.push(next.meaning);
    before = next;
    at += next.phrase.length;
  }
  return doubtful ? 'doubtful' : meanings;
}

function longestAt(
  words: string,
  at: number,
  lists: readonly Phrases[],
): { phrase: string; meaning: Meaning } | undefined {
  const clause = words.slice(at).split(` ${BREAK}`, 1)[0] ?? '';
  for (let length = Math.min(PHRASE_MAX, clause.length); length > 0; length--) {
    const phrase = clause.slice(0, length);
    // A word ends at a space, or anywhere in scripts that are written without spaces.
    if (length < clause.length && clause[length] !== ' ' && !isUnspaced(phrase)) continue;
    const meaning = lists.map((list) => list.get(phrase)).find((one) => one !== undefined);
    if (meaning !== undefined) return { phrase, meaning };
  }
  return undefined;
}

const PHRASE_MAX = 40;
