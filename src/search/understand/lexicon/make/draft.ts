import { fold } from '../../../../core/text/fold.ts';

const WORDS_MAX = 5;
const PHRASE_MAX = 40;
/** Minimum length in Latin letters. Shorter words mean something else in another language. */
const FOREIGN_MIN = 4;
const TOO_SHORT = new RegExp(`^[a-z0-9 ]{0,${FOREIGN_MIN - 1}}$`);
const NO_MEANING = ['s', 'q', '+'];
/** A word with more meanings than this is too ambiguous. */
const WEAK_MEANINGS_MAX = 2;

/** Returns the meaning of a dish without the kinds that it implies. */
function dishOf(meaning: string): string | undefined {
  return /^c[^>]+(?=>)/.exec(meaning)?.[0];
}

/** Collects the phrases of a vocabulary with their meanings and certainty. */
export class VocabularyDraft {
  readonly #sure = new Map<string, Set<string>>();
  /** Kinds that a dish implies, by phrase. */
  readonly #implied = new Map<string, Set<string>>();
  readonly #weak = new Map<string, Set<string>>();

  add(meaning: string, text: string, sure = true): void {
    const phrase = fold(text);
    if (phrase === '' || phrase.length > PHRASE_MAX || phrase.split(' ').length > WORDS_MAX) return;
    this.addAsIs(meaning, phrase, sure);
  }

  /** Adds a phrase of an unreviewed source. Skips short words and stop words. */
  addForeign(meaning: string, text: string, sure = true): void {
    const phrase = fold(text);
    if (TOO_SHORT.test(phrase) || NO_MEANING.some((one) => this.meaningsOf(phrase).has(one))) return;
    this.add(meaning, text, sure);
  }

  /** Adds a phrase that folding would remove, such as an emoji. */
  addAsIs(meaning: string, phrase: string, sure = true): void {
    const phrases = sure ? this.#sure : this.#weak;
    phrases.set(phrase, (phrases.get(phrase) ?? new Set()).add(meaning));
  }

  /** Adds a dish. A kind that it implies is not what the phrase means: udon is not any noodle. */
  addDish(dish: string, implied: readonly string[], phrases: readonly string[]): void {
    for (const phrase of phrases) {
      this.add(`c${[dish, ...implied].join('>')}`, phrase);
      this.#implied.set(fold(phrase), new Set([...implied, ...(this.#implied.get(fold(phrase)) ?? [])]));
    }
  }

  meaningsOf(phrase: string): ReadonlySet<string> {
    return this.#sure.get(phrase) ?? new Set();
  }

  /** Returns one line for each meaning, with its phrases. A weak meaning applies when the phrase has no other. */
  lines(): string[] {
    const byMeaning = new Map<string, string[]>();
    const note = (meaning: string, phrase: string) => {
      byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), phrase]);
    };
    for (const [phrase, meanings] of this.#sure) {
      const implied = this.#implied.get(phrase);
      const dishes = new Set(Array.from(meanings, dishOf));
      const isImplied = (meaning: string) => implied?.has(meaning.slice(1)) === true && /^[kc]/.test(meaning);
      for (const meaning of meanings) if (!isImplied(meaning) && !dishes.has(meaning)) note(meaning, phrase);
    }
    for (const [phrase, meanings] of this.#weak)
      if (!this.#sure.has(phrase) && meanings.size <= WEAK_MEANINGS_MAX)
        for (const meaning of meanings) note(`~${meaning}`, phrase);
    return Array.from(byMeaning, ([meaning, phrases]) => `${meaning}\t${phrases.sort().join('|')}`).sort();
  }
}
