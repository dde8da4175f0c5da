import type { SeededRandom } from '../demo-random.ts';
import { speechNamed, type Form, type Speech, type Word } from './demo-words.ts';

export interface DemoName {
  latin: string;
  /** The name in the local script, with its language tag. */
  local: { language: string; text: string } | undefined;
}

type Slot = keyof Drawn;
interface Drawn {
  n: Word | undefined;
  m: Word | undefined;
  o: Word | undefined;
  a: Word | undefined;
  g: Word | undefined;
  f: Word | undefined;
  h: Word | undefined;
  no: Word | undefined;
  num: Word | undefined;
  area: Word | undefined;
  street: Word | undefined;
}

/** Draws the words of one name or address. A slot that occurs twice, or in both scripts, is the same word. */
class Drawing {
  readonly #random: SeededRandom;
  #speech!: Speech;
  #adjectives!: readonly Word[];
  #drawn!: Drawn;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  begin(speech: Speech, adjectives: readonly Word[], area: string, street?: string): void {
    this.#speech = speech;
    this.#adjectives = adjectives;
    const none = undefined;
    this.#drawn = {
      n: none,
      m: none,
      o: none,
      a: none,
      g: none,
      f: none,
      h: none,
      no: none,
      num: none,
      area: said(area),
      street: street === undefined ? none : said(street),
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

  #word(slot: Slot): Word {
    return (this.#drawn[slot] ??= this.#draw(slot));
  }

  #draw(slot: Slot): Word {
    const { n, o, g, f } = this.#speech.words;
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
        return said(String(this.#random.between(1, 180)));
      case 'num':
        return said(String(this.#random.between(1, 9)));
      default:
        throw new Error(`No word list fills the slot {${slot}}.`);
    }
  }

  #other(list: readonly Word[], first: Word): Word {
    const at = this.#random.below(list.length);
    const word = list[at] ?? first;
    return word === first ? (list[(at + 1) % list.length] ?? first) : word;
  }
}

const said = (latin: string): Word => ({ latin, local: undefined });

const BRANCH_SHARE = 0.1;

/** What people call places there: the grammars of the language regions, filled by chance. */
export class DemoNames {
  readonly #random: SeededRandom;
  readonly #drawing: Drawing;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#drawing = new Drawing(random);
  }

  name(
    speechName: string,
    kind: { vertical: string; category: string; localWords: boolean },
    area: string,
  ): DemoName {
    const speech = speechNamed(speechName);
    const form = this.#random.pick(this.#forms(speech, kind));
    // The adjective is in the language of the form: The Golden Senja, but Senja Emas.
    this.#drawing.begin(speech, form.adjectives, area);
    // A second house of the same name says where it is.
    const branch = this.#random.chance(BRANCH_SHARE) && !form.latin.includes('area') ? ` ${area}` : '';
    const latin = this.#drawing.text(form.latin, 'latin') + branch;
    if (form.local === undefined || speech.language === undefined) return { latin, local: undefined };
    const text = this.#drawing.text(form.local, 'local') + branch;
    return { latin, local: { language: speech.language, text } };
  }

  address(speechName: string, area: string): string {
    const speech = speechNamed(speechName);
    const { adjectives } = speech.address;
    this.#drawing.begin(speech, adjectives, area);
    const street = this.#drawing.text(this.#random.pick(speech.streets).latin, 'latin');
    this.#drawing.begin(speech, adjectives, area, street);
    return this.#drawing.text(speech.address.latin, 'latin');
  }

  // English words for the finer kind around local nouns are what many a sign says where the region has none.
  #forms(speech: Speech, kind: { vertical: string; category: string; localWords: boolean }): readonly Form[] {
    const own = speech.forms.get(kind.category);
    if (own !== undefined) return own;
    const english = speechNamed('en').forms;
    const ownVertical = speech.forms.get(kind.vertical);
    if (ownVertical !== undefined && kind.localWords && this.#random.chance(0.7)) return ownVertical;
    const forms = english.get(kind.category) ?? ownVertical ?? english.get(kind.vertical);
    if (forms === undefined) throw new Error(`No name grammar knows ${kind.vertical}/${kind.category}.`);
    return forms;
  }
}

// NFD turns most accents into marks of their own; these letters have no such form.
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

/** What stands for a character in a slug; a hyphen for all that is neither letter nor digit. */
const slugParts = new Map<string, string>();

function slugPart(character: string): string {
  const small = character.toLowerCase();
  const plain = PLAIN[small] ?? small.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const part = /^[a-z0-9]*$/.test(plain) ? plain : '-';
  slugParts.set(character, part);
  return part;
}

/** The part of a name that fits a domain or a path: plain small letters, digits and single hyphens. */
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
