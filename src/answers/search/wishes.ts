import { ownValue } from '../../core/input/own-value.ts';
import { wishesMet, type Facts, type Wish } from '../../directory/place/facts.ts';
import wishFacts from './wish-facts.json' with { type: 'json' };

/** A fact and its wording in a sentence. */
export interface FactWords {
  field: string;
  value: string;
  text: string;
}

/** The fact that answers a wish, the wording of its values, and those that deny the wish. */
interface WishFact {
  fact: keyof Facts;
  texts: Readonly<Record<string, string>>;
  denied_by: readonly string[];
}

const WISH_FACTS = wishFacts as Readonly<Partial<Record<Wish, WishFact>>>;

/** Returns the fact that answers a wish; undefined when unknown, which is neither yes nor no. */
export function factForWish(wish: Wish, facts: Facts): FactWords | undefined {
  // The list of payment methods may be incomplete, so absence is not a no.
  if (wish === 'cards' && isMet(wish, facts))
    return { field: 'facts.payment', value: (facts.payment ?? []).join(','), text: 'cards taken' };
  const known = WISH_FACTS[wish];
  if (known === undefined) return undefined;
  const value = String(facts[known.fact]);
  const text = ownValue(known.texts, value);
  return text === undefined ? undefined : { field: `facts.${known.fact}`, value, text };
}

export function dietFacts(diets: readonly string[], { diets: offered = [] }: Facts): FactWords[] {
  return diets
    .filter((diet) => offered.includes(diet))
    .map((value) => ({
      field: 'facts.diets',
      value,
      text: `${value.replace('gluten_free', 'gluten-free')} food`,
    }));
}

export function isMet(wish: Wish, facts: Facts): boolean {
  return wishesMet(facts).includes(wish);
}

export function isDenied(wish: Wish, facts: Facts): boolean {
  const { value = '' } = factForWish(wish, facts) ?? {};
  return WISH_FACTS[wish]?.denied_by.includes(value) === true;
}
