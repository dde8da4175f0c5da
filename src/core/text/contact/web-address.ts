import { parse as parseDomain } from 'tldts';
import { plainForm } from './plain-form.ts';

/** Endings that begin no sentence, so that a dot before them is one of an address, however it is written. */
const PLAIN_ENDINGS = new Set(
  `com net org info biz io co app dev xyz online site shop link page chat email gg ly uk de fr es nl pt eu au nz sg th vn
   ph jp kr cn hk tw ae za br mx ar cl ru ua pl cz se fi dk gr tr ch ie id рф`.split(/\s+/),
);
/** Of these the ones that are words where "point" or "punto" is one too. */
const WORDS_TOO = new Set(['de', 'es', 'se']);
/** The same as people spell them in their own letters. */
const SPELT_ENDINGS = 'ком|ру|कॉम|কম|کام|كوم|kom';
/** What is said or written for the dot of an address. */
const DOT_WORDS = 'dot|punto|ponto|point|точка|डॉट|ডট|ڈاٹ|نقطة|nuqta|titik|nokta|点|點';
const AT_WORDS = 'at|at the rate|arroba|arobase|собака|एट|ऐट|ایٹ|এট|آت';
const MAIL_HOUSES = 'gmail|googlemail|hotmail|yahoo|ymail|icloud|protonmail|rediffmail';

const OPEN = '[\\s([{<]';
const CLOSE = '[\\s)\\]}>]';
const spelled = (words: string) => plainForm(words);

/** A dash or an underscore around a host is none of its letters: "_anna.com" is read as "anna.com". */
const HOST =
  /(?<![\p{L}\p{M}\p{N}])((?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+)(\p{L}(?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)(?![\p{L}\p{M}\p{N}])/gu;
const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|st|ste|sr|sra|sta|jr|mme|mlle|m|no|nr|vs)$/i;

const SPACED_DOT = new RegExp(
  `[\\p{L}\\p{N}]${OPEN}*(?:[\\s,([{<](?:${spelled(DOT_WORDS)})[\\s,)\\]}>]|\\s\\.\\s?|[·•∙⋅‧])${CLOSE}*` +
    `(?:${[...PLAIN_ENDINGS].filter((ending) => !WORDS_TOO.has(ending)).join('|')}|${spelled(SPELT_ENDINGS)})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** Where "dot" is said, any ending of three letters or more will do; shorter ones are words too often. */
const SPELT_DOT = /(?<!polka)[\s([{<](?:dot|डॉट|ডট|ڈاٹ)[\s)\]}>]+(\p{L}{3,})/iu;
const SPELT_MAIL = new RegExp(
  `${OPEN}(?:${spelled(AT_WORDS)})${CLOSE}+[\\p{L}\\p{M}\\p{N} -]+?${OPEN}+(?:${spelled(DOT_WORDS)})${CLOSE}+\\p{L}{2,}`,
  'iu',
);
const AT_MAIL_HOUSE = new RegExp(
  `${OPEN}(?:${spelled(AT_WORDS)})${CLOSE}+(?:${MAIL_HOUSES})(?!\\p{L})`,
  'iu',
);

/** Whether a text holds the address of a mailbox or the name of an account elsewhere. */
export function holdsMailbox(plain: string): boolean {
  return /\S@|@\S|@\s*\p{L}/u.test(plain) || SPELT_MAIL.test(plain) || AT_MAIL_HOUSE.test(plain);
}

/** Whether a text holds an address of the web: with its scheme, or the bare name of a host. */
export function holdsWebAddress(plain: string): boolean {
  const dotted = plain.replace(/[([{]\s*\.\s*[)\]}]/g, '.').replace(/(?<=[\w-])。(?=\w)/g, '.');
  if (parseDomain(`a.${SPELT_DOT.exec(dotted)?.[1]?.toLowerCase() ?? ''}`).isIcann === true) return true;
  if (
    /:\s*\/\/|\b(?:mailto|skype|callto|facetime|tg):\S|\bwww[\s.]+[\p{L}\p{N}]|\b(?:wa|t|m|ig)\s*\.\s*me\b/iu.test(
      dotted,
    )
  )
    return true;
  if (/[\p{L}\p{N}-]\.\p{L}{2,}\/\S/u.test(dotted) || SPACED_DOT.test(dotted)) return true;
  return Array.from(dotted.matchAll(HOST)).some(([found, labels = '', ending = '']) => {
    const { isIcann, domain } = parseDomain(found.toLowerCase());
    return isIcann === true && domain !== null && !isProse(dotted, found, labels.slice(0, -1), ending);
  });
}

/** A dot with no blank after it may also end a sentence, shorten a name or stand in a number: "No nuts.It matters." */
function isProse(text: string, found: string, label: string, ending: string): boolean {
  if (PLAIN_ENDINGS.has(ending.toLowerCase()) || label.includes('.')) return false;
  if (/^\d+$/.test(label) || /^\p{L}$/u.test(label)) return true;
  if (!/^\p{Lu}\p{Ll}*$/u.test(ending)) return false;
  const rest = text.slice(text.indexOf(found) + found.length);
  return TITLES.test(label) || /^,?\s+[\p{L}\p{N}]/u.test(rest);
}
