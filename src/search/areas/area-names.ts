import { fold, latinForm } from '../../core/text/fold.ts';
import { languageNames, type NamesByLanguage } from '../../directory/place/place-names.ts';
import { abbreviate, areaKeyOf } from './area-key.ts';
import type { IndexStore } from '../store/index-store.ts';
import { destinationKey, term, textOf, WORLD } from '../store/keys.ts';
import { keep, type OpenIndex } from '../store/open-index.ts';

/** An area record. Places list `name` among their areas; people may use any of `names`. */
export interface NamedArea {
  name: string;
  names: Record<string, string>;
}

export const ARTICLE = /^(?:the|le|la|les|el|los|las|els|il|lo|gli|die|der|das|al) (?=.{3})/;
/** Prefixes and suffixes of area names on maps that people usually omit. */
const BEFORE =
  /^(?:stadt|marktgemeinde|gemeinde|commune de|ville de|comune di|city of|town of|municipality of) /;
const BEHIND = / (?:city|ward|district|municipality|town|ku|shi)$/;
const BEHIND_UNSPACED = /(?<=^\p{Script=Han}{2,})[区市町村]$/u;
const DIVIDED = /\s*[/;]\s*| [-–—] /;
const IN_BRACKETS = /\s*[([（].*?[)\]）]\s*/g;

/** Returns all spellings of an area's names, folded and without spaces, like whole-name terms. */
function formsOf({ name, names }: NamedArea): Set<string> {
  const forms = new Set<string>();
  for (const text of [name, ...Object.values(names)]) {
    const bare = text.replace(IN_BRACKETS, ' ');
    for (const variant of [text, bare, ...(DIVIDED.test(bare) ? bare.split(DIVIDED) : [])]) {
      for (const form of [variant, latinForm(variant) ?? variant]) {
        const folded = fold(form);
        const short = folded.replace(BEFORE, '').replace(BEHIND, '').replace(BEHIND_UNSPACED, '');
        for (const one of [folded, short, short.replace(ARTICLE, '')])
          for (const spelling of [one, abbreviate(one)]) forms.add(spelling.replaceAll(' ', ''));
      }
    }
  }
  forms.delete('');
  return forms;
}

/** Adds alternative names of areas. Outdated names are kept and match nothing. */
export function addAreaNames({ areas }: IndexStore, named: Iterable<NamedArea>): void {
  for (const area of named) {
    const key = areaKeyOf(area.name);
    writeNames(areas, key, area);
    for (const form of formsOf(area)) {
      const at = term('a', form);
      const keys = keysAt(areas.getBinary(at));
      if (!keys.includes(key)) areas.putSync(at, Buffer.from([...keys, key].join('\n')));
    }
  }
}

function writeNames(areas: IndexStore['areas'], key: string, { name, names }: NamedArea): void {
  const old = readNames(areas.getBinary(term('n', key)));
  const merged = { name, names: { ...old?.names, ...languageNames(names) } };
  areas.putSync(term('n', key), Buffer.from(JSON.stringify(merged)));
}

/** Returns the name of an area and its names by language; undefined for an area without a record. */
export function namesOfArea({ areas }: IndexStore, key: string): AreaNames | undefined {
  return readNames(areas.getBinary(term('n', key)));
}

interface AreaNames {
  name: string;
  names: NamesByLanguage;
}

function readNames(bytes: Buffer | undefined): AreaNames | undefined {
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8', 0, bytes.length)) as AreaNames);
}

/**
 * Returns the keys of areas that a text names in any language, limited to areas with places in the scope. The scope is
 * a destination number or the world.
 */
export function areasNamed(index: OpenIndex, text: string, scope: number = WORLD): string[] {
  const { lists } = index.store;
  const keys = index.areaKeys.get(text) ?? keep(index.areaKeys, text, keysOfName(index, text));
  return keys.filter((key) => lists.doesExist(destinationKey(scope) + areaTerm(key)));
}

function keysOfName({ store }: OpenIndex, text: string): string[] {
  const own = areaKeyOf(text);
  if (own === '') return [];
  const keys = new Set([own]);
  for (const form of formsOf({ name: text, names: {} }))
    for (const key of keysAt(store.areas.getBinary(term('a', form)))) keys.add(key);
  return [...keys];
}

export function areaTerm(key: string): string {
  return term('a', key);
}

export function areaKey(areaTerm: string): string {
  return textOf(areaTerm);
}

function keysAt(bytes: Buffer | undefined): string[] {
  return bytes === undefined ? [] : bytes.toString('utf8', 0, bytes.length).split('\n');
}
