import { withDigits } from '../../../core/text/contact/plain-form.ts';
import { meaningsIn } from './reply-words.ts';

/**
 * What a venue's reply says. `named`: it repeats the time of the table. An offer is another time on the same day.
 * unclear: anything that could mean something else.
 */
export type Reply = Decision | { kind: 'stop' } | { kind: 'start' } | { kind: 'unclear' };

export type Decision =
  { kind: 'yes' | 'no'; named: boolean } | { kind: 'offer'; time: string; named: boolean };

interface AskedFor {
  /** HH:mm of the table that the venue is asked for. */
  time: string;
  /** The end of the window that begins at `time`; null without one. */
  until: string | null;
  /** The language in which the venue is written to. */
  code: string;
}

/** Longer texts are never one of the words that we named. */
const TEXT_MAX = 200;

const UNCLEAR: Reply = { kind: 'unclear' };

/**
 * Reads a reply by the word lists of all languages. Every word must be known: a text with one unknown word may say the
 * opposite, so it is unclear.
 */
export function readReply(text: string, { time, until, code }: AskedFor): Reply {
  if (text.length > TEXT_MAX) return UNCLEAR;
  const { rest, times } = takeTimes(text);
  const digits = toDigits(rest);
  const meanings = digits === '1' ? YES : digits === '2' ? NO : meaningsIn(rest, code);
  if (meanings === undefined || times.length > 1) return UNCLEAR;
  const has = (meaning: string) => (meanings as readonly string[]).includes(meaning);
  const asks = /[?？؟]/.test(text) || (code === 'el' && /[;\u037e]/.test(text));
  const said = ['yes', 'no', 'stop', 'start'].filter(has);
  const [named] = times;
  if (has('stop') && named === undefined && !has('yes') && !has('start')) return { kind: 'stop' };
  const one = said.length === 1 && !has('instead') && !asks ? said[0] : undefined;
  if (named === undefined) return sayOne(one, false);
  if (has('stop') || has('start')) return UNCLEAR;
  const at = hourOf(named, time);
  if (at === undefined) return UNCLEAR;
  if (at === time && until === null) return sayOne(one, true);
  // "No table at 20:00" is no offer of 20:00, and "no, but 20:00" is one.
  const but = meanings.indexOf('instead');
  const denied = has('no') && (but < meanings.indexOf('no') || (has('yes') && but > meanings.indexOf('yes')));
  // A time of the window is a yes, unlike an offer, so that a question is none.
  const inWindow = until !== null && at >= time && at <= until;
  return denied || (inWindow && asks) ? UNCLEAR : { kind: 'offer', time: at, named: inWindow };
}

const YES = ['yes'] as const;
const NO = ['no'] as const;

function sayOne(said: string | undefined, named: boolean): Reply {
  return said === 'yes' || said === 'no'
    ? { kind: said, named }
    : said === 'start'
      ? { kind: said }
      : UNCLEAR;
}

interface NamedTime {
  hour: number;
  minute: number;
  half: 'am' | 'pm' | undefined;
}

const HALF = '(?:\\s*(?<half>[ap])\\.?m\\b\\.?)';
/** 19:30, 19.30, 19h30, 7:30 pm, 19時30分, 19点30分, 19시 30분. */
const CLOCK = `(?<hour>\\d{1,2})\\s?(?:[:h時时点點시]|\\.(?=00|15|30|45))\\s?(?<minute>\\d[05])(?:[分분]|\\s?uhr\\b|\\s?h\\b)?${HALF}?`;
/** 8 pm, 20h, 20 Uhr, 20時, 20点, 20시, 20 giờ. */
const FULL_HOUR = `(?<full>\\d{1,2})(?:\\s?(?:h|uhr|uur|giờ|heures)(?![\\p{L}\\p{N}])|\\s?[時时点點시](?!\\d)|${HALF.replace('half', 'fullHalf')})`;
const TIME = new RegExp(`(?<![\\p{N}.:/-])(?:${CLOCK}|${FULL_HOUR})(?![.:/-]?\\p{N})`, 'giu');

/** Takes the times out of a text. */
function takeTimes(text: string): { rest: string; times: NamedTime[] } {
  const times: NamedTime[] = [];
  const rest = withDigits(text.normalize('NFKC')).replace(TIME, (...match) => {
    const { hour, minute, half, full, fullHalf } = match.at(-1) as Record<string, string | undefined>;
    const letter = (half ?? fullHalf)?.toLowerCase();
    times.push({
      hour: Number(hour ?? full),
      minute: Number(minute ?? 0),
      half: letter === undefined ? undefined : letter === 'a' ? 'am' : 'pm',
    });
    return ' ';
  });
  return { rest, times };
}

/** HH:mm; undefined where it may be morning or evening, or no time at all. */
function hourOf({ hour, minute, half }: NamedTime, requested: string): string | undefined {
  if (minute > 59 || hour > 23 || (half !== undefined && (hour > 12 || hour === 0))) return undefined;
  if (half === undefined && hour < 12 && Number(requested.slice(0, 2)) >= 12) return undefined;
  const at = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return `${String(at).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function toDigits(text: string): string {
  return text.replace(/[\s.,!)]/g, '');
}
