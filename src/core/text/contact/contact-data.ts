import { AppError, type FieldError } from '../../errors.ts';
import { holdsAccountName } from './account-name.ts';
import { holdsNumber } from './hidden-number.ts';
import { plainForm } from './plain-form.ts';
import { parse as parseDomain } from 'tldts';

export function findContact(text: string): string | undefined {
  const plain = plainForm(text);
  if (holdsMailbox(plain) || holdsAccountName(plain)) return 'an email address or a handle';
  if (holdsNumber(text)) return 'a phone or card number';
  return holdsWebAddress(plain) ? 'a web address' : undefined;
}

/** Refuses contact data in texts for a venue, because the service never contacts a guest. */
export function refuseContacts(fields: Readonly<Record<string, unknown>>): void {
  const errors = Object.entries(fields).flatMap(([name, text]): FieldError[] => {
    const kind = typeof text === 'string' ? findContact(text) : undefined;
    return kind === undefined
      ? []
      : [{ pointer: `/${name}`, code: 'bad_format', detail: `must not contain ${kind}` }];
  });
  if (errors.length === 0) return;
  throw new AppError('contact_data_refused', 'Contact data is not accepted. Nothing was stored or sent.', {
    errors,
    hint: 'The venue receives only a name: leave out addresses, numbers, links and handles.',
  });
}

/** TLDs that do not begin a sentence, so that a dot before them belongs to an address, however it is written. */
const PLAIN_ENDINGS = new Set(
  `com net org info biz io co app dev xyz online site shop link page chat email gg ly uk de fr es nl pt eu au nz sg th vn
   ph jp kr cn hk tw ae za br mx ar cl ru ua pl cz se fi dk gr tr ch ie id рф`.split(/\s+/),
);
/** TLDs that are also common words in French or Spanish, where "point" or "punto" may precede them. */
const WORDS_TOO = new Set(['de', 'es', 'se']);
/** TLDs as spelled in other scripts. */
const SPELT_ENDINGS = 'ком|ру|कॉम|কম|کام|كوم|kom';
const DOT_WORDS = 'dot|punto|ponto|point|точка|डॉट|ডট|ڈاٹ|نقطة|nuqta|titik|nokta|点|點';
const AT_WORDS = 'at|at the rate|arroba|arobase|собака|एट|ऐट|ایٹ|এট|آت';
const MAIL_HOUSES = 'gmail|googlemail|hotmail|yahoo|ymail|icloud|protonmail|rediffmail';

const OPEN = '[\\s([{<]';
const CLOSE = '[\\s)\\]}>]';

/** A dash or underscore around a host is not part of it: "_anna.com" is read as "anna.com". */
const HOST =
  /(?<![\p{L}\p{M}\p{N}])((?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+)(\p{L}(?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)(?![\p{L}\p{M}\p{N}])/gu;
const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|st|ste|sr|sra|sta|jr|mme|mlle|m|no|nr|vs)$/i;

const SPACED_DOT = new RegExp(
  `[\\p{L}\\p{N}]${OPEN}*(?:[\\s,([{<](?:${plainForm(DOT_WORDS)})[\\s,)\\]}>]|\\s\\.\\s?|[·•∙⋅‧])${CLOSE}*` +
    `(?:${[...PLAIN_ENDINGS].filter((ending) => !WORDS_TOO.has(ending)).join('|')}|${plainForm(SPELT_ENDINGS)})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** After the word "dot", any TLD of three letters or more counts; shorter ones are ordinary words too often. */
const SPELT_DOT = /(?<!polka)[\s([{<](?:dot|डॉट|ডট|ڈاٹ)[\s)\]}>]+(\p{L}{3,})/iu;
const SPELT_MAIL = new RegExp(
  `${OPEN}(?:${plainForm(AT_WORDS)})${CLOSE}+[\\p{L}\\p{M}\\p{N} -]+?${OPEN}+(?:${plainForm(DOT_WORDS)})${CLOSE}+\\p{L}{2,}`,
  'iu',
);
const AT_MAIL_HOUSE = new RegExp(
  `${OPEN}(?:${plainForm(AT_WORDS)})${CLOSE}+(?:${MAIL_HOUSES})(?!\\p{L})`,
  'iu',
);

/** True when a text contains an email address or an account handle. */
function holdsMailbox(plain: string): boolean {
  return /\S@|@\S|@\s*\p{L}/u.test(plain) || SPELT_MAIL.test(plain) || AT_MAIL_HOUSE.test(plain);
}

function holdsWebAddress(plain: string): boolean {
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

/** True when a dot without a space ends a sentence or abbreviates: "No nuts.It matters." */
function isProse(text: string, host: string, label: string, ending: string): boolean {
  if (PLAIN_ENDINGS.has(ending.toLowerCase()) || label.includes('.')) return false;
  if (/^\d+$/.test(label) || /^\p{L}$/u.test(label)) return true;
  if (!/^\p{Lu}\p{Ll}*$/u.test(ending)) return false;
  const rest = text.slice(text.indexOf(host) + host.length);
  return TITLES.test(label) || /^,?\s+[\p{L}\p{N}]/u.test(rest);
}
