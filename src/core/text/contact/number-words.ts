import { foldedForm } from './plain-form.ts';

/**
 * Words for digits, in the ten most spoken languages and in Indonesian. Words for tens and hundreds count as one digit,
 * because the next word gives the others; "double" repeats one.
 */
const ONE_DIGIT = `
  zero oh nought one two three four five six seven eight nine double
  twenty thirty forty fourty fifty sixty seventy eighty ninety
  cero uno un una dos tres cuatro cinco seis siete ocho nueve doble
  veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa
  zéro une deux trois quatre cinq sept huit neuf
  vingt trente quarante cinquante soixante septante huitante octante nonante
  um uma dois duas três quatro cinco meia sete oito nove
  vinte trinta quarenta cinquenta sessenta oitenta
  ноль нуль один одна два две три четыре пять шесть семь восемь девять
  двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто
  сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот
  ling yi yao er liang san si wu liu qi ba jiu
  शून्य सिफर एक दो तीन चार पाँच पांच छह छः छे छ सात आठ नौ
  shunya shoonya ek do teen tin char chaar panch paanch che chhe chhah saat sat aath ath nau
  صفر واحد واحدة اثنان اثنين اتنين ثلاثة ثلاث أربعة أربع خمسة خمس ستة ست سبعة سبع ثمانية ثماني ثمان تسعة تسع
  শূন্য এক দুই তিন চার পাঁচ ছয় সাত আট নয়
  ایک دو تین چار پانچ چھ چھے سات آٹھ نو
  nol kosong satu dua tiga empat lima enam tujuh delapan lapan sembilan`;

const TWO_DIGITS = `
  ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen triple
  diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veintiuno veintidós veintitrés
  veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve
  dix onze douze treize quatorze quinze seize
  dez doze treze catorze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove
  десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать
  sepuluh sebelas`;

/** Filler words between the parts of one number. */
const BETWEEN = `
  and then plus minus dash hyphen space dot point slash again
  y e et i und luego entonces puis tiret espace guion guión punto más mais ponto traço depois
  и потом плюс тире дефис точка пробел और फिर و ثم شرطة এবং اور پھر dan lalu terus strip belas puluh`;

const digitsOf = new Map<string, number>();
for (const [count, words] of [ONE_DIGIT, TWO_DIGITS].entries())
  for (const word of listed(words)) digitsOf.set(word, count + 1);
const between = new Set(listed(BETWEEN));

/** Returns how many digits a word represents; 0 when it is not a number. Several numbers may be written as one word. */
export function digitsInWord(word: string): number {
  const alone = digitsOf.get(word) ?? digitsOf.get(word.replace(/^و/u, ''));
  return alone ?? (word.length >= GLUED_MIN && GLUED.test(word) ? digitsInGlued(word) : 0);
}

export function isNumberFiller(word: string): boolean {
  return between.has(word);
}

const GLUED_MIN = 8;
const longestFirst = [...digitsOf.keys()]
  .filter((word) => word.length > 2)
  .sort((a, b) => b.length - a.length);
const GLUED = new RegExp(`^(?:${longestFirst.join('|')}){3,}$`, 'u');
const GLUED_PART = new RegExp(longestFirst.join('|'), 'gu');

function digitsInGlued(word: string): number {
  return Array.from(word.matchAll(GLUED_PART)).reduce((sum, [part]) => sum + (digitsOf.get(part) ?? 0), 0);
}

function listed(words: string): string[] {
  return foldedForm(words)
    .split(/\s+/u)
    .filter((word) => word !== '');
}
