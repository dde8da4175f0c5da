import { parse as parseDomain } from 'tldts';
import { plainForm } from './plain-form.ts';

/** TLDs that do not begin a sentence, so that a dot before them belongs to an address, however it is written. */
const PLAIN_ENDINGS = new Set(
  `com net org info biz io co app dev xyz online site shop link page chat email gg ly uk de fr es nl pt eu au nz sg th vn
   ph jp kr cn hk tw ae za br mx ar cl ru ua pl cz se fi dk gr tr ch ie id рф`.split(/\s+/),
);
/** Those of them that are also words in languages where "point" or "punto" is a word. */
const WORDS_TOO = new Set(['de', 'es', 'se']);
/** TLDs as spelled in other scripts. */
const SPELT_ENDINGS = 'ком|ру|कॉम|কম|کام|كوم|kom';
/** Words for the dot of an address. */
const DOT_WORDS = 'dot|punto|ponto|point|точка|डॉट|ডট|ڈاٹ|نقطة|nuqta|titik|nokta|点|點';
const AT_WORDS = 'at|at the rate|arroba|arobase|собака|एट|ऐट|ایٹ|এট|آت';
const MAIL_HOUSES = 'gmail|googlemail|hotmail|yahoo|ymail|icloud|protonmail|rediffmail';

const OPEN = '[\\s([{<]';
const CLOSE = '[\\s)\\]}>]';
const normalized = (words: string) => plainForm(words);

/** A dash or underscore around a host is not part of it: "_anna.com" is read as "anna.com". */
const HOST =
  /(?<![\p{L}\p{M}\p{N}])((?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+)(\p{L}(?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)(?![\p{L}\p{M}\p{N}])/gu;
const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|st|ste|sr|sra|sta|jr|mme|mlle|m|no|nr|vs)$/i;

const SPACED_DOT = new RegExp(
  `[\\p{L}\\p{N}]${OPEN}*(?:[\\s,([{<](?:${normalized(DOT_WORDS)})[\\s,)\\]}>]|\\s\\.\\s?|[·•∙⋅‧])${CLOSE}*` +
    `(?:${[...PLAIN_ENDINGS].filter((ending) => !WORDS_TOO.has(ending)).join('|')}|${normalized(SPELT_ENDINGS)})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** After the word "dot", any TLD of three letters or more counts; shorter ones are ordinary words too often. */
const SPELT_DOT = /(?<!polka)[\s([{<](?:dot|डॉट|ডট|ڈاٹ)[\s)\]}>]+(\p{L}{3,})/iu;
const SPELT_MAIL = new RegExp(
  `${OPEN}(?:${normalized(AT_WORDS)})${CLOSE}+[\\p{L}\\p{M}\\p{N} -]+?${OPEN}+(?:${normalized(DOT_WORDS)})${CLOSE}+\\p{L}{2,}`,
  'iu',
);
const AT_MAIL_HOUSE = new RegExp(
  `${OPEN}(?:${normalized(AT_WORDS)})${CLOSE}+(?:${MAIL_HOUSES})(?!\\p{L})`,
  'iu',
);

/** True when a text contains an email address or an account handle. */
export function holdsMailbox(plain: string): boolean {
  return /\S@|@\S|@\s*\p{L}/u.test(plain) || SPELT_MAIL.test(plain) || AT_MAIL_HOUSE.test(plain);
}

/** True when a text contains a web address: with its scheme, or a bare host name. */
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
  return Array.from(dotted.matchAll(HOST)).some(([host, labels = '', ending = '']) => {
    const { isIcann, domain } = parseDomain(host.toLowerCase());
    return isIcann === true && domain !== null && !isProse(dotted, host, labels.slice(0, -1), ending);
  });
}

/**
 * True when a dot without a following space ends a sentence, abbreviates or is part of a number: "No nuts.It
 * matters."
 */
function isProse(text: string, host: string, label: string, ending: string): boolean {
  if (PLAIN_ENDINGS.has(ending.toLowerCase()) || label.includes('.')) return false;
  if (/^\d+$/.test(label) || /^\p{L}$/u.test(label)) return true;
  if (!/^\p{Lu}\p{Ll}*$/u.test(ending)) return false;
  const rest = text.slice(text.indexOf(host) + host.length);
  return TITLES.test(label) || /^,?\s+[\p{L}\p{N}]/u.test(rest);
}
