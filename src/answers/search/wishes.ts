import { wishesMet, type Facts, type Wish } from '../../directory/place/facts.ts';

/** A fact and its wording in a sentence. */
export interface FactWords {
  field: string;
  value: string;
  text: string;
}

type FactTexts<Member extends keyof Facts> = Readonly<Record<NonNullable<Facts[Member]> & string, string>>;

const WHEELCHAIR: FactTexts<'wheelchair'> = {
  yes: 'wheelchair access',
  designated: 'wheelchair access',
  limited: 'limited wheelchair access',
  no: 'no wheelchair access',
};
const INTERNET: FactTexts<'internet_access'> = {
  free: 'free internet access',
  paid: 'internet access for a fee',
  yes: 'internet access',
  no: 'no internet access',
};
const OUTSIDE: FactTexts<'outdoor_seating'> = { yes: 'outdoor seating', no: 'no outdoor seating' };
const DOGS: FactTexts<'dogs'> = {
  yes: 'dogs welcome',
  leashed: 'dogs on a leash',
  outside: 'dogs outside only',
  no: 'no dogs',
};
const DELIVERY: FactTexts<'delivery'> = { yes: 'delivery', only: 'delivery only', no: 'no delivery' };
const SMOKING: FactTexts<'smoking'> = {
  no: 'no smoking',
  outside: 'smoking outside only',
  yes: 'smoking allowed',
  separated: 'smoking in an area of its own',
  isolated: 'smoking in a room of its own',
  dedicated: 'smoking allowed',
};
const FEE: FactTexts<'fee'> = { no: 'free entry', yes: 'entry for a fee' };

/** Returns the fact that answers a wish; undefined when unknown, which is neither yes nor no. */
export function factForWish(wish: Wish, facts: Facts): FactWords | undefined {
  switch (wish) {
    case 'wheelchair':
      return factWords('wheelchair', facts.wheelchair, WHEELCHAIR);
    case 'wifi':
      return factWords('internet_access', facts.internet_access, INTERNET);
    case 'outdoor_seating':
      return factWords('outdoor_seating', facts.outdoor_seating, OUTSIDE);
    case 'dogs':
      return factWords('dogs', facts.dogs, DOGS);
    case 'delivery':
      return factWords('delivery', facts.delivery, DELIVERY);
    case 'no_smoking':
      return factWords('smoking', facts.smoking, SMOKING);
    case 'free':
      return factWords('fee', facts.fee, FEE);
    case 'cards':
      // The list of payment methods may be incomplete, so absence is not a no.
      return isMet(wish, facts)
        ? { field: 'facts.payment', value: (facts.payment ?? []).join(','), text: 'cards taken' }
        : undefined;
    default:
      return undefined;
  }
}

function factWords(
  member: string,
  value: string | undefined,
  words: Readonly<Record<string, string>>,
): FactWords | undefined {
  const text = words[value ?? ''];
  return value === undefined || text === undefined ? undefined : { field: `facts.${member}`, value, text };
}

/** Returns the facts about the requested diets. */
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

/** Values that deny a wish, by field. */
const DENIALS: Readonly<Record<string, readonly string[]>> = {
  'facts.wheelchair': ['no'],
  'facts.internet_access': ['no'],
  'facts.outdoor_seating': ['no'],
  'facts.dogs': ['no'],
  'facts.delivery': ['no'],
  'facts.smoking': ['yes', 'dedicated'],
  'facts.fee': ['yes'],
};

/** True when the facts deny a wish. */
export function isDenied(wish: Wish, facts: Facts): boolean {
  const { field = '', value = '' } = factForWish(wish, facts) ?? {};
  return DENIALS[field]?.includes(value) === true;
}
