import { fold, latinForm } from '../../core/text/fold.ts';
import { categoryKey } from '../understand/category-key.ts';
import type { IndexStore } from '../store/index-store.ts';
import { destinationKey, term, textOf, WORLD } from '../store/keys.ts';
import type { OpenIndex } from '../store/open-index.ts';

/** An area as the record has it: places have the first name among theirs, people may use any of the others. */
export interface NamedArea {
  name: string;
  names: Record<string, string>;
}

export const ARTICLE = /^(?:the|le|la|les|el|los|las|els|il|lo|gli|die|der|das|al) (?=.{3})/;
/** What stands before or behind the name on a map and is seldom said. */
const BEFORE =
  /^(?:stadt|marktgemeinde|gemeinde|commune de|ville de|comune di|city of|town of|municipality of) /;
const BEHIND = / (?:city|ward|district|municipality|town|ku|shi)$/;
const BEHIND_UNSPACED = /(?<=^\p{Script=Han}{2,})[区市町村]$/u;
const DIVIDED = /\s*[/;]\s*| [-–—] /;
const IN_BRACKETS = /\s*[([（].*?[)\]）]\s*/g;

/** Every form in which somebody may write one of the names: folded, and without spaces, as whole names are. */
function formsOf({ name, names }: NamedArea): Set<string> {
  const forms = new Set<string>();
  for (const text of [name, ...Object.values(names)]) {
    const bare = text.replace(IN_BRACKETS, ' ');
    for (const written of [text, bare, ...(DIVIDED.test(bare) ? bare.split(DIVIDED) : [])]) {
      for (const form of [written, latinForm(written) ?? written]) {
        const folded = fold(form);
        const short = folded.replace(BEFORE, '').replace(BEHIND, '').replace(BEHIND_UNSPACED, '');
        for (const one of [folded, short, short.replace(ARTICLE, '')]) forms.add(one.replaceAll(' ', ''));
      }
    }
  }
  forms.delete('');
  return forms;
}

/** Notes what else areas are called. A name that an area no longer has stays, and leads to nothing. */
export function noteAreaNames({ areas }: IndexStore, named: Iterable<NamedArea>): void {
  for (const area of named) {
    const key = categoryKey(area.name);
    for (const form of formsOf(area)) {
      const at = term('a', form);
      const known = keysAt(areas.getBinary(at));
      if (!known.includes(key)) areas.putSync(at, Buffer.from([...known, key].join('\n')));
    }
  }
}

/**
 * The areas that a text names, in any language, as the keys under which places have them; none where no place of the
 * scope lies in such an area. The scope is the number of a destination, or the world.
 */
export function areasNamed({ store }: OpenIndex, text: string, scope: number = WORLD): string[] {
  const exists = (key: string) => store.lists.doesExist(destinationKey(scope) + areaTerm(key));
  const own = categoryKey(text);
  if (own === '') return [];
  if (exists(own)) return [own];
  return keysAt(store.areas.getBinary(term('a', fold(text).replaceAll(' ', '')))).filter(exists);
}

/** The term of an area by its key. */
export function areaTerm(key: string): string {
  return term('a', key);
}

/** The key of an area by its term. */
export function areaKey(areaTerm: string): string {
  return textOf(areaTerm);
}

function keysAt(bytes: Buffer | undefined): string[] {
  return bytes === undefined ? [] : bytes.toString('utf8', 0, bytes.length).split('\n');
}
