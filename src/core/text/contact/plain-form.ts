/** Marks on letters, joiners and fillers: nothing that distinguishes two words for a reader. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Me}\u115f\u1160\u3164\u2800]/gu;

/** Numerals that represent one digit each but are not digits in Unicode: circled and Chinese ones. */
const ROUND_ZEROES = [0x2775, 0x277f, 0x2789, 0x24f4];
const CHINESE = ['零〇', '一壹幺', '二贰貳两兩', '三叁參', '四肆', '五伍', '六陆陸', '七柒', '八捌', '九玖'];

const numerals = new Map<string, string>([['⓿', '0']]);
for (const zero of ROUND_ZEROES)
  for (let value = 1; value <= 9; value++) numerals.set(String.fromCodePoint(zero + value), String(value));
for (const [value, signs] of CHINESE.entries()) for (const sign of signs) numerals.set(sign, String(value));
const NUMERALS = new RegExp(`[${[...numerals.keys()].join('')}]`, 'gu');

/** Normalizes letters and the digits of every script, and removes invisible characters. */
export function plainForm(text: string): string {
  return withDigits(text.normalize('NFKC').replace(UNSEEN, ''));
}

/** The same for comparing words: lower case, without accents, Chinese numerals as digits too. */
export function foldedForm(text: string): string {
  const folded = text.normalize('NFKD').replace(UNSEEN, '').toLowerCase().replaceAll('ة', 'ه');
  return withDigits(folded).replace(NUMERALS, (sign) => numerals.get(sign) ?? sign);
}

export function withDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Digits of a script form blocks of ten in order, each starting at its own zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 0x80) return code - 0x30;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return code - zero;
}
