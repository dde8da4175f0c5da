import { fold } from '../../../../core/text/fold.ts';
import { classify } from '../../../../import/categories.ts';
import { readPackage } from '../../../../core/read-package.ts';
import nicknames from '../nicknames.json' with { type: 'json' };

interface Item {
  displayName: string;
  matchNames?: string[];
  tags: Record<string, string>;
}

const NAME = /^(name|brand|short_name|alt_name|official_name)(:[a-z]{2,3}(-[A-Za-z]+)?)?$/;
const NUMBER = /^Q\d+$/;
const LATIN = /^[\x20-\x7e]+$/;
const WORDS_MAX = 4;
const PHRASE_MIN = 2;
const PHRASE_MAX = 40;

/**
 * Returns one line for each brand with places in the directory: its Wikidata id, its name, and other names that people
 * use. Nicknames of the largest chains are common knowledge that the index does not have.
 */
export function brandLines(): string[] {
  const { nsi } = readPackage('name-suggestion-index/dist/json/nsi.min.json') as {
    nsi: Record<string, { items: Item[] }>;
  };
  const brands = new Map<string, { name: string; phrases: Set<string> }>();
  for (const [path, { items }] of Object.entries(nsi))
    if (path.startsWith('brands/'))
      for (const item of items) {
        const number = item.tags['brand:wikidata'] ?? '';
        if (!NUMBER.test(number) || classify(new Map(Object.entries(item.tags))) === null) continue;
        const name = item.tags['brand:en'] ?? item.tags['brand'] ?? item.displayName;
        const brand = brands.get(number) ?? { name, phrases: new Set() };
        brands.set(number, brand);
        // A brand may have one entry per script.
        if (!LATIN.test(brand.name) && LATIN.test(name)) brand.name = name;
        for (const phrase of phrasesOf(item)) brand.phrases.add(phrase);
      }
  for (const [number, { name, nicknames: others }] of Object.entries(nicknames)) {
    const brand = brands.get(number);
    if (brand?.name !== name) throw new Error(`The name suggestion index has no brand ${number} ${name}.`);
    for (const phrase of others.split('|')) brand.phrases.add(fold(phrase));
  }
  return Array.from(brands, ([number, { name, phrases }]) => {
    const first = fold(name);
    const others = [...phrases].filter((phrase) => phrase !== first).sort();
    return `${number}\t${[name.replaceAll('|', ' '), ...others].join('|')}`;
  }).sort();
}

function phrasesOf({ displayName, matchNames = [], tags }: Item): string[] {
  const names = Object.entries(tags).flatMap(([key, value]) => (NAME.test(key) ? value.split(';') : []));
  return [displayName.replace(/\(.*\)/, ''), ...matchNames, ...names]
    .map(fold)
    .filter(
      (phrase) =>
        phrase.length >= PHRASE_MIN && phrase.length <= PHRASE_MAX && phrase.split(' ').length <= WORDS_MAX,
    );
}
