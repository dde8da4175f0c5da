import { ownValue } from '../../core/input/own-value.ts';
import { wishesMet, type Facts, type Wish } from '../../directory/place/facts.ts';
import type { PlainKey } from '../language/answer-language.ts';
import wishFacts from './wish-facts.json' with { type: 'json' };

/** A fact and the message that states it in a sentence. */
export interface StatedFact {
  field: string;
  value: string;
  message: PlainKey;
  /** Diet that the message names. */
  diet?: string;
}

/** The fact that answers a wish, the messages for its values, and those that deny the wish. */
interface WishFact {
  fact: keyof Facts;
  messages: Readonly<Record<string, PlainKey>>;
  denied_by: readonly string[];
}

const WISH_FACTS = wishFacts as Readonly<Partial<Record<Wish, WishFact>>>;

/** Returns the fact that answers a wish; undefined when unknown, which is neither yes nor no. */
export function factForWish(wish: Wish, facts: Facts): StatedFact | undefined {
  // The list of payment methods may be incomplete, so absence is not a no.
  if (wish === 'cards' && isMet(wish, facts))
    return { field: 'facts.payment', value: (facts.payment ?? []).join(','), message: 'fact.payment.cards' };
  const known = WISH_FACTS[wish];
  if (known === undefined) return undefined;
  const value = String(facts[known.fact]);
  const message = ownValue(known.messages, value);
  return message === undefined ? undefined : { field: `facts.${known.fact}`, value, message };
}

export function dietFacts(diets: readonly string[], { diets: offered = [] }: Facts): StatedFact[] {
  return diets
    .filter((diet) => offered.includes(diet))
    .map((value) => ({ field: 'facts.diets', value, message: 'diet.food', diet: value }));
}

export function isMet(wish: Wish, facts: Facts): boolean {
  return wishesMet(facts).includes(wish);
}

export function isDenied(wish: Wish, facts: Facts): boolean {
  const { value = '' } = factForWish(wish, facts) ?? {};
  return WISH_FACTS[wish]?.denied_by.includes(value) === true;
}
