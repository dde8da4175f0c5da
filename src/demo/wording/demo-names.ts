import type { SeededRandom } from '../demo-random.ts';
import { languageNamed, type Form, type DemoLanguage, type DemoWord } from './demo-words.ts';

interface DemoName {
  latin: string;
  /** Name in the local script, with its language tag. */
  local: { language: string; text: string } | undefined;
}

/** Returns a function that fills in a form. A slot that occurs twice, or in both scripts, gets the same word. */
function wordFiller(
  random: SeededRandom,
  { words: lists }: DemoLanguage,
  adjectives: readonly DemoWord[],
  fixed: Readonly<Record<string, string>>,
): (parts: readonly string[], script: 'latin' | 'local') => string {
  const words = new Map(Object.entries(fixed).map(([slot, latin]) => [slot, latinWord(latin)]));
  const wordFor = (slot: string): DemoWord => words.getOrInsertComputed(slot, draw);
  const other = (list: readonly DemoWord[], first: DemoWord): DemoWord => {
    const at = random.below(list.length);
    return (list[at] === first ? list[(at + 1) % list.length] : list[at]) ?? first;
  };
  function draw(slot: string): DemoWord {
    if (slot === 'm') return other(lists.n, wordFor('n'));
    if (slot === 'h') return other(lists.f, wordFor('f'));
    if (slot === 'a') return random.pick(adjectives);
    if (slot === 'no') return latinWord(String(random.between(1, 180)));
    if (slot === 'num') return latinWord(String(random.between(1, 9)));
    if (!(slot in lists)) throw new Error(`No word list fills the slot {${slot}}.`);
    return random.pick(lists[slot as keyof typeof lists]);
  }
  return (parts, script) => {
    let text = parts[0] ?? '';
    for (let i = 1; i < parts.length; i += 2) {
      const word = wordFor(parts[i] ?? '');
      text += (script === 'local' ? (word.local ?? word.latin) : word.latin) + (parts[i + 1] ?? '');
    }
    return text;
  };
}

const latinWord = (latin: string): DemoWord => ({ latin, local: undefined });

const BRANCH_SHARE = 0.1;

interface NamedKind {
  vertical: string;
  category: string;
  localWords: boolean;
}

export function demoName(
  random: SeededRandom,
  languageName: string,
  kind: NamedKind,
  area: string,
): DemoName {
  const language = languageNamed(languageName);
  const form = random.pick(formsOf(random, language, kind));
  // The adjective is in the language of the form: The Golden Senja, but Senja Emas.
  const fill = wordFiller(random, language, form.adjectives, { area });
  // A second venue of the same name adds its area.
  const branch = random.chance(BRANCH_SHARE) && !form.latin.includes('area') ? ` ${area}` : '';
  const latin = fill(form.latin, 'latin') + branch;
  if (form.local === undefined || language.language === undefined) return { latin, local: undefined };
  return { latin, local: { language: language.language, text: fill(form.local, 'local') + branch } };
}

export function demoAddress(random: SeededRandom, languageName: string, area: string): string {
  const language = languageNamed(languageName);
  const { adjectives, latin } = language.address;
  const street = wordFiller(random, language, adjectives, { area })(
    random.pick(language.streets).latin,
    'latin',
  );
  return wordFiller(random, language, adjectives, { area, street })(latin, 'latin');
}

// Where the local language has no form for a category, many signs combine an English one with local nouns.
function formsOf(random: SeededRandom, language: DemoLanguage, kind: NamedKind): readonly Form[] {
  const categoryForms = language.forms.get(kind.category);
  if (categoryForms !== undefined) return categoryForms;
  const english = languageNamed('en').forms;
  const ownVertical = language.forms.get(kind.vertical);
  if (ownVertical !== undefined && kind.localWords && random.chance(0.7)) return ownVertical;
  const forms = english.get(kind.category) ?? ownVertical ?? english.get(kind.vertical);
  if (forms === undefined) throw new Error(`No name grammar knows ${kind.vertical}/${kind.category}.`);
  return forms;
}

// NFD splits most accents into combining marks; these letters have no decomposition.
const PLAIN = new Map(
  "æ ae|œ oe|ø o|ß ss|đ d|ð d|þ th|ł l|ı i|' |’ "
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Cache of each character's replacement in a slug: a hyphen for everything that is neither letter nor digit. */
const slugParts = new Map<string, string>();

function slugPart(character: string): string {
  const small = character.toLowerCase();
  const plain = PLAIN.get(small) ?? small.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const part = /^[a-z0-9]*$/.test(plain) ? plain : '-';
  slugParts.set(character, part);
  return part;
}

/** Returns a slug for domains and paths: lower-case letters, digits and single hyphens. */
export function slugOf(name: string): string {
  let slug = '';
  let gap = false;
  for (const character of name) {
    const part = slugParts.get(character) ?? slugPart(character);
    if (part === '-') gap = slug !== '';
    else if (part !== '') {
      slug += gap ? `-${part}` : part;
      gap = false;
    }
  }
  return slug;
}
