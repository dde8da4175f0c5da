import { wishesMet, type Facts, type Wish } from '../../directory/place/facts.ts';

/** What travellers wish for that the facts of a place may answer, by our word for it in a question. */
export const ASKED_WISHES: Readonly<Partial<Record<string, Wish>>> = {
  outdoor: 'outdoor_seating',
  wifi: 'wifi',
  dogs: 'dogs',
  access: 'wheelchair',
  cards: 'cards',
  delivery: 'delivery',
  smoke_free: 'no_smoking',
  free_entry: 'free',
};

/** A fact in the words of a sentence. */
export interface FactWords {
  field: string;
  value: string;
  text: string;
}

type Said<Member extends keyof Facts> = Readonly<Record<NonNullable<Facts[Member]> & string, string>>;

const WHEELCHAIR: Said<'wheelchair'> = {
  yes: 'wheelchair access',
  designated: 'wheelchair access',
  limited: 'limited wheelchair access',
  no: 'no wheelchair access',
};
const INTERNET: Said<'internet_access'> = {
  free: 'free internet access',
  paid: 'internet access for a fee',
  yes: 'internet access',
  no: 'no internet access',
};
const OUTSIDE: Said<'outdoor_seating'> = { yes: 'outdoor seating', no: 'no outdoor seating' };
const DOGS: Said<'dogs'> = {
  yes: 'dogs welcome',
  leashed: 'dogs on a leash',
  outside: 'dogs outside only',
  no: 'no dogs',
};
const DELIVERY: Said<'delivery'> = { yes: 'delivery', only: 'delivery only', no: 'no delivery' };
const SMOKING: Said<'smoking'> = {
  no: 'no smoking',
  outside: 'smoking outside only',
  yes: 'smoking allowed',
  separated: 'smoking in an area of its own',
  isolated: 'smoking in a room of its own',
  dedicated: 'smoking allowed',
};
const FEE: Said<'fee'> = { no: 'free entry', yes: 'entry for a fee' };

/** What the facts say about a wish; undefined where they say nothing, which is neither yes nor no. */
export function saidOf(wish: Wish, facts: Facts): FactWords | undefined {
  switch (wish) {
    case 'wheelchair':
      return told('wheelchair', facts.wheelchair, WHEELCHAIR);
    case 'wifi':
      return told('internet_access', facts.internet_access, INTERNET);
    case 'outdoor_seating':
      return told('outdoor_seating', facts.outdoor_seating, OUTSIDE);
    case 'dogs':
      return told('dogs', facts.dogs, DOGS);
    case 'delivery':
      return told('delivery', facts.delivery, DELIVERY);
    case 'no_smoking':
      return told('smoking', facts.smoking, SMOKING);
    case 'free':
      return told('fee', facts.fee, FEE);
    case 'cards':
      // What is not on the list of ways to pay may still be one.
      return isMet(wish, facts)
        ? { field: 'facts.payment', value: (facts.payment ?? []).join(','), text: 'cards taken' }
        : undefined;
    default:
      return undefined;
  }
}

function told(
  member: string,
  value: string | undefined,
  words: Readonly<Record<string, string>>,
): FactWords | undefined {
  const text = words[value ?? ''];
  return value === undefined || text === undefined ? undefined : { field: `facts.${member}`, value, text };
}

/** What the facts say about diets that were asked for. */
export function dietsSaid(diets: readonly string[], { diets: known = [] }: Facts): FactWords[] {
  return diets
    .filter((diet) => known.includes(diet))
    .map((value) => ({
      field: 'facts.diets',
      value,
      text: `${value.replace('gluten_free', 'gluten-free')} food`,
    }));
}

export function isMet(wish: Wish, facts: Facts): boolean {
  return wishesMet(facts).includes(wish);
}

/** What says of a wish that it is not fulfilled, by the member of the facts. */
const DENIALS: Readonly<Record<string, readonly string[]>> = {
  'facts.wheelchair': ['no'],
  'facts.internet_access': ['no'],
  'facts.outdoor_seating': ['no'],
  'facts.dogs': ['no'],
  'facts.delivery': ['no'],
  'facts.smoking': ['yes', 'dedicated'],
  'facts.fee': ['yes'],
};

/** Whether the facts say that a wish is not fulfilled. */
export function isDenied(wish: Wish, facts: Facts): boolean {
  const { field = '', value = '' } = saidOf(wish, facts) ?? {};
  return DENIALS[field]?.includes(value) === true;
}
