import { CURRENCIES } from '../../../../directory/country/currency.ts';

/** One entry of a menu as its form has it. */
interface ReadItem {
  name: string;
  price: string;
  description: string;
}

export interface ReadSection {
  name: string;
  items: ReadItem[];
}

const LINE_MAX = 300;
const LINES_MAX = 1_000;

const AMOUNT = String.raw`(?:\d{1,3}(?:[.,'’ \u00a0]\d{3})+|\d+)(?:[.,]\d{1,2})?`;
/** A thousand, as in 45k, and a price without cents, as in 12,-. */
const ENDS = String.raw`(?:\s?(?:k|rb|ribu)\b)?(?:[.,][-–—]{1,2})?`;

/** Reads lines "Name … price". Prices keep the form in which they are written, without the sign of the currency. */
export function readMenuList(text: string, currency: string): ReadSection[] {
  const line = linePattern(currency);
  const sections: ReadSection[] = [];
  let isBlockStart = true;
  for (const written of text.split(/\r?\n/).slice(0, LINES_MAX)) {
    const trimmed = tidy(written);
    const last = sections.at(-1);
    const { name, price } = line.exec(trimmed)?.groups ?? {};
    if (name !== undefined && price !== undefined) {
      const section = last ?? added(sections, { name: '', items: [] });
      section.items.push({ name, price: withoutSign(price, currency), description: '' });
    } else if (trimmed !== '') {
      const item = last?.items.at(-1);
      // A line without a price describes the entry above it; after a blank line it is the name of a section.
      if (item === undefined || isBlockStart || trimmed.endsWith(':')) sections.push(sectionNamed(trimmed));
      else item.description = `${item.description} ${trimmed}`.trim();
    }
    isBlockStart = trimmed === '';
  }
  return sections.filter(({ items }) => items.length > 0);
}

/** Removes bullets, and the dots that lead to the price. */
function tidy(line: string): string {
  const plain = line.slice(0, LINE_MAX).replaceAll(/[.·_](?:\s?[.·_])+|…/g, ' ');
  return plain
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^[•*] ?/, '');
}

function sectionNamed(line: string): ReadSection {
  return { name: line.replace(/\s*:$/, ''), items: [] };
}

function added(sections: ReadSection[], section: ReadSection): ReadSection {
  sections.push(section);
  return section;
}

/** Between the name and the price are a space, a colon or a dash. */
function linePattern(currency: string): RegExp {
  const sign = `(?:\\p{Sc}|${[...CURRENCIES, ...signsOf(currency)].map((one) => RegExp.escape(one)).join('|')})`;
  const price = `(?:${sign}\\s?)?${AMOUNT}${ENDS}(?:\\s?${sign})?`;
  return new RegExp(`^(?<name>\\S.*?)(?: ?[:–—|-])? (?<price>${price}(?: ?/ ?${price})?)$`, 'u');
}

/** The signs of a currency, such as Rp, kr or $. */
function signsOf(currency: string): string[] {
  if (!CURRENCIES.includes(currency)) return [];
  const symbols = (['symbol', 'narrowSymbol'] as const).map(
    (currencyDisplay) =>
      new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? currency,
  );
  return [...new Set([currency, ...symbols])];
}

/** Removes the signs of the menu's own currency. Those of another one say something. */
function withoutSign(price: string, currency: string): string {
  return signsOf(currency)
    .reduce((left, sign) => left.replaceAll(sign, ''), price)
    .trim();
}
