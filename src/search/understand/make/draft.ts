import { fold } from '../../../core/text/fold.ts';

const WORDS_MAX = 4;
const PHRASE_MAX = 40;
/** In Latin letters. What is shorter is a word for something else somewhere. */
const FOREIGN_MIN = 4;
const TOO_SHORT = new RegExp(`^[a-z0-9 ]{0,${FOREIGN_MIN - 1}}$`);
const SAYS_NOTHING = ['s', 'q', '+'];
/** A word for more than so many things tells none of them. */
const WEAK_MEANINGS_MAX = 2;

/** The phrases of a vocabulary while it is put together: what each means, and how sure that is. */
export class VocabularyDraft {
  readonly #sure = new Map<string, Set<string>>();
  readonly #weak = new Map<string, Set<string>>();

  add(meaning: string, text: string, sure = true): void {
    const phrase = fold(text);
    if (phrase === '' || phrase.length > PHRASE_MAX || phrase.split(' ').length > WORDS_MAX) return;
    this.addAsIs(meaning, phrase, sure);
  }

  /** A phrase of a source that nobody here has looked through: small and short words are left as they are. */
  addForeign(meaning: string, text: string, sure = true): void {
    const phrase = fold(text);
    if (TOO_SHORT.test(phrase) || SAYS_NOTHING.some((one) => this.meaningsOf(phrase).has(one))) return;
    this.add(meaning, text, sure);
  }

  /** A phrase that folding would take away, such as a picture. */
  addAsIs(meaning: string, phrase: string, sure = true): void {
    const phrases = sure ? this.#sure : this.#weak;
    phrases.set(phrase, (phrases.get(phrase) ?? new Set()).add(meaning));
  }

  meaningsOf(phrase: string): ReadonlySet<string> {
    return this.#sure.get(phrase) ?? new Set();
  }

  /** One line for each meaning, with its phrases. A weak meaning counts where nothing else is meant by the phrase. */
  lines(): string[] {
    const byMeaning = new Map<string, string[]>();
    const note = (meaning: string, phrase: string) => {
      byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), phrase]);
    };
    for (const [phrase, meanings] of this.#sure) for (const meaning of meanings) note(meaning, phrase);
    for (const [phrase, meanings] of this.#weak)
      if (!this.#sure.has(phrase) && meanings.size <= WEAK_MEANINGS_MAX)
        for (const meaning of meanings) note(`~${meaning}`, phrase);
    return Array.from(byMeaning, ([meaning, phrases]) => `${meaning}\t${phrases.sort().join('|')}`).sort();
  }
}
