import { AppError, type FieldError } from '../errors.ts';

/** Seven digits are a telephone number somewhere. With commas and colons between them, which times have too, it takes more. */
const DIGITS_MIN = 7;
const DIGITS_IN_LIST_MIN = 9;

/** What people write between the digits of one number. */
const SEPARATORS = /[\s.\-‐-―−_/\\()[\]{}*~+·•|#]/gu;
const LIST_SEPARATORS = /[,:;'"`´’]/gu;

const DIGIT_WORDS = 'zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple';
/** Endings of web addresses that are no words of ordinary notes. */
const ENDINGS =
  'com|net|org|info|biz|io|co|app|dev|xyz|online|site|shop|link|page|chat|email|gg|ly|uk|de|fr|es|nl|pt|eu|au|nz|sg|th|vn|ph|jp|kr|cn|hk|tw|ae|za|br|mx|ar|cl|ru|ua|pl|cz|se|fi|dk|gr|tr|ch|ie|id';

/** What could carry a guest's contact, or a card, and how it is recognised in a text that was made plain. */
const CONTACTS: readonly [kind: string, found: (plain: string) => boolean][] = [
  ['an email address or a handle', (plain) => /\S@|@\S|@\s*\p{L}/u.test(plain)],
  [
    'an email address',
    (plain) => /[\s([{<]at[\s)\]}>]+[\p{L}\p{N} -]+?[\s([{<]+dot[\s)\]}>]+\p{L}{2,}/iu.test(plain),
  ],
  ['a number to call, or of a card', (plain) => longestDigits(plain.replace(SEPARATORS, '')) >= DIGITS_MIN],
  [
    'a number to call, or of a card',
    (plain) =>
      longestDigits(plain.replace(SEPARATORS, '').replace(LIST_SEPARATORS, '')) >= DIGITS_IN_LIST_MIN ||
      /(?:\d[^\p{L}\d]{1,3}){6}\d/u.test(plain) ||
      new RegExp(`(?:\\b(?:${DIGIT_WORDS})\\b[^\\p{L}]*){${DIGITS_MIN}}`, 'iu').test(plain),
  ],
  ['a web address', (plain) => /:\s*\/\/|\bwww\s*\.|\b(?:wa|t|m|ig)\s*\.\s*me\b/iu.test(plain)],
  ['a web address', (plain) => /[\p{L}\p{N}-]\.\p{L}{2,}\/\S/u.test(plain)],
  [
    'a web address',
    (plain) => new RegExp(`[\\p{L}\\p{N}-]{2,}\\.(?:${ENDINGS})(?![\\p{L}\\p{N}])`, 'iu').test(plain),
  ],
];

/** What a text holds by which somebody could be reached or charged; undefined when there is nothing. */
export function findContact(text: string): string | undefined {
  const plain = plainForm(text);
  return CONTACTS.find(([, found]) => found(plain))?.[0];
}

/** Digits of every script and width as 0 to 9, letters in their usual form, nothing invisible between them. */
function plainForm(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Mn}\u115f\u1160\u3164\u2800]/gu, '')
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** The digits of a script stand in blocks of ten, in order, each block at its own zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 0x80) return code - 0x30;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}

function longestDigits(joined: string): number {
  return Math.max(0, ...Array.from(joined.matchAll(/\d+/g), ([run]) => run.length));
}

/**
 * The one gate through which every text that a caller may write for a venue goes. The service never contacts a guest, so
 * it takes nothing by which it could.
 */
export function refuseContacts(fields: Readonly<Record<string, unknown>>): void {
  const errors = Object.entries(fields).flatMap(([name, text]): FieldError[] => {
    const kind = typeof text === 'string' ? findContact(text) : undefined;
    return kind === undefined
      ? []
      : [{ pointer: `/${name}`, code: 'bad_format', detail: `must not hold ${kind}` }];
  });
  if (errors.length === 0) return;
  throw new AppError('contact_data_refused', 'No contact data is taken. Nothing was stored or sent.', {
    errors,
    hint: 'The venue is told a name and nothing else: leave out addresses, numbers, links and handles.',
  });
}
