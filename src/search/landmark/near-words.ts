import { fold } from '../../core/text/fold.ts';
import nearWords from '../understand/lexicon/near-words.json' with { type: 'json' };
import { asWritten, phraseOf, tokensOf, wordAt, type Tokens, type TokenSpan } from '../understand/tokens.ts';

/** Side of the landmark on which the words stand: "near the fort", "要塞の近く", and Finnish, which has both. */
type NearForm = 'before' | 'after' | 'either';

/** Words in a text that ask for places near a landmark. */
export interface NearWords extends TokenSpan {
  form: NearForm;
  /** True for words that ask for it only where a landmark has this very name: "at", "am". */
  isSoft: boolean;
}

interface NearPhrase {
  text: string;
  tokens: number;
  form: NearForm;
  isSoft: boolean;
  /** Swedish "nära" without its dots is a city: such words count only as they are written. */
  spelling: string | undefined;
}

const SHORT = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function readPhrases(): NearPhrase[] {
  const forms = { before: 'before', after: 'after', either: 'either', soft: 'before' } as const;
  return Object.values(nearWords).flatMap((sections: Readonly<Record<string, string>>) =>
    Object.entries(sections).flatMap(([section, phrases]) =>
      phrases.split('|').map((phrase) => {
        const { text, list } = tokensOf(phrase);
        const isShort = text.length <= SHORT && text !== phrase && !UNSPACED.test(text);
        return {
          ...{ text, tokens: list.length, form: forms[section as keyof typeof forms] },
          ...{ isSoft: section === 'soft', spelling: isShort ? phrase : undefined },
        };
      }),
    ),
  );
}

const PHRASES = readPhrases();
/** By their first token, the longest first. */
const BY_FIRST = Map.groupBy(
  PHRASES.toSorted((a, b) => b.tokens - a.tokens || Number(a.isSoft) - Number(b.isSoft)),
  ({ text }) => wordAt(tokensOf(text), 0),
);
/** The longest word of each phrase: a text without any of them asks for nothing near. */
const TELLING = new Set(
  PHRASES.map(({ text }) => text.split(' ').reduce((a, b) => (b.length > a.length ? b : a))),
);
const escaped = PHRASES.filter(({ text }) => UNSPACED.test(text)).map(({ text }) => text);
const UNSPACED_PHRASE = new RegExp([...new Set(escaped), '[駅站]', '역(?: |$)'].join('|'), 'u');
const ASCII_ONLY = /^[\0-\x7f]*$/;
const STARTS_WITH_DIGIT = /^\d/;
/** "500m from". */
const DISTANCE = /^\d+(?:m|km|min|mins)$/;
const FROM = new Set('from of de del du von vom da dal van dari'.split(' '));

/** True when a text may ask for places near a landmark. A few lookups, for every search. */
export function mayBeNear(raw: string): boolean {
  const text = fold(raw);
  for (const word of text.split(' '))
    if (TELLING.has(word) || (STARTS_WITH_DIGIT.test(word) && DISTANCE.test(word))) return true;
  return !ASCII_ONLY.test(text) && UNSPACED_PHRASE.test(text);
}

/** Words for the place where the traveller is, which no search knows. */
const SELF = new Set(
  'me us here my mi mis aqui aca nosotros moi nous ici mon mir uns hier meinem meiner meine unserem qui me mim meu mij mijn onze sini saya kami mig min mitt minua mne mnie меня мне нас нами моего мое моей ฉัน ผม เรา ici aici mine'.split(
    ' ',
  ),
);
const HERE = /(?:この|その|ここ|こちら|ここの|我|我的|这|这里|我们|이|여기|내|우리)$/u;

/** Finds the words that ask for places near a landmark, the surest and first ones. */
export function findNear(raw: string, tokens: Tokens): NearWords | undefined {
  let soft: NearWords | undefined;
  for (let from = 0; from < tokens.list.length; from++) {
    const near = nearAt(raw, tokens, from);
    if (near === undefined || isSelf(tokens, near)) continue;
    if (!near.isSoft) return withMeasure(tokens, near);
    soft ??= near;
  }
  return soft ?? findStation(tokens);
}

function nearAt(raw: string, tokens: Tokens, from: number): NearWords | undefined {
  const word = wordAt(tokens, from);
  for (const { text, tokens: length, form, isSoft, spelling } of BY_FIRST.get(word) ?? []) {
    const to = from + length;
    if (to > tokens.list.length || phraseOf(tokens, from, to) !== text) continue;
    if (spelling !== undefined && asWritten(raw, text).toLowerCase() !== spelling) continue;
    return { from, to, form, isSoft };
  }
  return DISTANCE.test(word) && FROM.has(wordAt(tokens, from + 1))
    ? { from, to: from + 2, form: 'before', isSoft: false }
    : nearestTo(tokens, from);
}

const NEAREST = new Set(['nearest', 'closest']);

/** "nearest pharmacy to the fort": "to" follows the kind. */
function nearestTo(tokens: Tokens, from: number): NearWords | undefined {
  if (wordAt(tokens, from) !== 'to' && wordAt(tokens, from) !== 'from') return undefined;
  const before = Array.from({ length: from }, (_, at) => wordAt(tokens, at));
  return before.some((word) => NEAREST.has(word))
    ? { from, to: from + 1, form: 'before', isSoft: false }
    : undefined;
}

function isSelf(tokens: Tokens, { from, to, form }: NearWords): boolean {
  if (form === 'before') return to >= tokens.list.length || SELF.has(wordAt(tokens, to));
  return form === 'after' && (from === 0 || HERE.test(phraseOf(tokens, 0, from)));
}

const MEASURED = /min|walk|met|km|blocks|steps|menit|jalan|徒歩|歩い|\bm /;
const MEASURE =
  /^(?:\d+|a|an|about|within|only|just|less|than|max|approx|few|one|two|three|five|ten|fifteen|en|etwa|ca|nur|circa|environ|unos|menos|cerca|in|op|hanya|mins?|minutes?|minuten|minutos|分|以|内|の|圏)$/;

/** Takes in the measure of a distance, which is a wish for nearness and no more: "10 minutes from", "徒歩5分". */
function withMeasure(tokens: Tokens, near: NearWords): NearWords {
  if (!MEASURED.test(phraseOf(tokens, near.from, near.to))) return near;
  let { from, to } = near;
  if (near.form === 'before') while (from > 0 && MEASURE.test(wordAt(tokens, from - 1))) from--;
  else while (to < tokens.list.length && MEASURE.test(wordAt(tokens, to))) to++;
  return { ...near, from, to };
}

/** In Japanese, Chinese and Korean a station before a kind is a place to be near: 渋谷駅 カフェ. */
function findStation(tokens: Tokens): NearWords | undefined {
  const { list } = tokens;
  for (let at = 1; at < list.length; at++) {
    const before = wordAt(tokens, at - 1);
    const word = wordAt(tokens, at);
    const isEnd = before.endsWith('駅') || before.endsWith('站') || /..역$/u.test(before);
    const isApart = list[at]?.from !== list[at - 1]?.to;
    if (isEnd && (isApart || word === 'の'))
      return { from: at, to: word === 'の' ? at + 1 : at, form: 'after', isSoft: false };
  }
  return undefined;
}
