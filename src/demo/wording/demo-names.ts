import type { SeededRandom } from '../demo-random.ts';
import { languageNamed, type Form, type DemoLanguage, type DemoWord } from './demo-words.ts';

export interface DemoName {
  latin: string;
  /** Name in the local script, with its language tag. */
  local: { language: string; text: string } | undefined;
}

type Slot = keyof SlotWords;
interface SlotWords {
  n: DemoWord | undefined;
  m: DemoWord | undefined;
  o: DemoWord | undefined;
  a: DemoWord | undefined;
  g: DemoWord | undefined;
  f: DemoWord | undefined;
  h: DemoWord | undefined;
  no: DemoWord | undefined;
  num: DemoWord | undefined;
  area: DemoWord | undefined;
  street: DemoWord | undefined;
}

/** Draws the words of one name or address. A slot that occurs twice, or in both scripts, gets the same word. */
class WordDrawer {
  readonly #random: SeededRandom;
  #language!: DemoLanguage;
  #adjectives!: readonly DemoWord[];
  #slotWords!: SlotWords;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  begin(language: DemoLanguage, adjectives: readonly DemoWord[], area: string, street?: string): void {
    this.#language = language;
    this.#adjectives = adjectives;
    const none = undefined;
    this.#slotWords = {
      n: none,
      m: none,
      o: none,
      a: none,
      g: none,
      f: none,
      h: none,
      no: none,
      num: none,
      area: latinWord(area),
      street: street === undefined ? none : latinWord(street),
    };
  }

  text(parts: readonly string[], script: 'latin' | 'local'): string {
    let text = parts[0] ?? '';
    for (let i = 1; i < parts.length; i += 2) {
      const word = this.#word(parts[i] as Slot);
      text += (script === 'local' ? (word.local ?? word.latin) : word.latin) + (parts[i + 1] ?? '');
    }
    return text;
  }

  #word(slot: Slot): DemoWord {
    return (this.#slotWords[slot] ??= this.#draw(slot));
  }

  #draw(slot: Slot): DemoWord {
    const { n, o, g, f } = this.#language.words;
    switch (slot) {
      case 'n':
        return this.#random.pick(n);
      case 'm':
        return this.#other(n, this.#word('n'));
      case 'o':
        return this.#random.pick(o);
      case 'a':
        return this.#random.pick(this.#adjectives);
      case 'g':
        return this.#random.pick(g);
      case 'f':
        return this.#random.pick(f);
      case 'h':
        return this.#other(f, this.#word('f'));
      case 'no':
        return latinWord(String(this.#random.between(1, 180)));
      case 'num':
        return latinWord(String(this.#random.between(1, 9)));
      default:
        throw new Error(`No word list fills the slot {${slot}}.`);
    }
  }

  #other(list: readonly DemoWord[], first: DemoWord): DemoWord {
    const at = this.#random.below(list.length);
    const word = list[at] ?? first;
    return word === first ? (list[(at + 1) % list.length] ?? first) : word;
  }
}

const latinWord = (latin: string): DemoWord => ({ latin, local: undefined });

const BRANCH_SHARE = 0.1;

/** Generates names of places from the grammars of the language regions. */
export class DemoNames {
  readonly #random: SeededRandom;
  readonly #drawer: WordDrawer;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#drawer = new WordDrawer(random);
  }

  name(
    languageName: string,
    kind: { vertical: string; category: string; localWords: boolean },
    area: string,
  ): DemoName {
    const language = languageNamed(languageName);
    const form = this.#random.pick(this.#forms(language, kind));
    // The adjective is in the language of the form: The Golden Senja, but Senja Emas.
    this.#drawer.begin(language, form.adjectives, area);
    // A second venue of the same name adds its area.
    const branch = this.#random.chance(BRANCH_SHARE) && !form.latin.includes('area') ? ` ${area}` : '';
    const latin = this.#drawer.text(form.latin, 'latin') + branch;
    if (form.local === undefined || language.language === undefined) return { latin, local: undefined };
    const text = this.#drawer.text(form.local, 'local') + branch;
    return { latin, local: { language: language.language, text } };
  }

  address(languageName: string, area: string): string {
    const language = languageNamed(languageName);
    const { adjectives } = language.address;
    this.#drawer.begin(language, adjectives, area);
    const street = this.#drawer.text(this.#random.pick(language.streets).latin, 'latin');
    this.#drawer.begin(language, adjectives, area, street);
    return this.#drawer.text(language.address.latin, 'latin');
  }

  // Where the local language has no form for a category, many signs combine an English one with local nouns.
  #forms(
    language: DemoLanguage,
    kind: { vertical: string; category: string; localWords: boolean },
  ): readonly Form[] {
    const categoryForms = language.forms.get(kind.category);
    if (categoryForms !== undefined) return categoryForms;
    const english = languageNamed('en').forms;
    const ownVertical = language.forms.get(kind.vertical);
    if (ownVertical !== undefined && kind.localWords && this.#random.chance(0.7)) return ownVertical;
    const forms = english.get(kind.category) ?? ownVertical ?? english.get(kind.vertical);
    if (forms === undefined) throw new Error(`No name grammar knows ${kind.vertical}/${kind.category}.`);
    return forms;
  }
}

// NFD splits most accents into combining marks; these letters have no decomposition.
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  "'": '',
  '’': '',
};

/** Cache of each character's replacement in a slug: a hyphen for everything that is neither letter nor digit. */
const slugParts = new Map<string, string>();

function slugPart(character: string): string {
  const small = character.toLowerCase();
  const plain = PLAIN[small] ?? small.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
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
