import type { SeededRandom } from '../demo-random.ts';

/** Labels of categories whose name alone does not describe the place. */
const LABELS: Readonly<Record<string, string>> = {
  boat: 'boat company',
  books: 'bookshop',
  brunch: 'brunch café',
  dessert: 'dessert café',
  ice_cream: 'ice cream parlour',
  luggage_storage: 'luggage room',
  tourist_information: 'tourist office',
  clothing: 'clothing shop',
  climbing: 'climbing hall',
  coworking: 'coworking space',
  dental: 'dental clinic',
  deli: 'delicatessen',
  diving: 'diving school',
  event: 'event venue',
  gallery: 'art gallery',
  jewellery: 'jewellery shop',
  martial_arts: 'martial arts gym',
  massage: 'massage studio',
  other: 'local service',
  reflexology: 'foot massage studio',
  souvenir: 'souvenir shop',
  convenience: 'convenience store',
  tattoo: 'tattoo studio',
  tour: 'tour operator',
  transport: 'transfer service',
  wellness: 'wellness centre',
  yoga: 'yoga studio',
};

/** Labels of restaurant categories that are not called `… restaurant`. */
const RESTAURANT_LABELS: Readonly<Record<string, string>> = {
  restaurant: 'restaurant',
  bistro: 'bistro',
  diner: 'diner',
  grill: 'grill',
  steakhouse: 'steakhouse',
  taqueria: 'taqueria',
  tapas: 'tapas bar',
  buffet: 'buffet',
  noodles: 'noodle house',
  street_food: 'street food kitchen',
};

const labels = new Map<string, string>();

/** Returns a description of a place that fits into a sentence: `Indonesian seafood restaurant`. */
export function demoLabel(category: string, cuisine: string | undefined): string {
  const key = `${category}/${cuisine ?? ''}`;
  let label = labels.get(key);
  if (label === undefined) {
    label = makeLabel(category, cuisine);
    labels.set(key, label);
  }
  return label;
}

function makeLabel(category: string, cuisine: string | undefined): string {
  if (cuisine === undefined) return LABELS[category] ?? category.replaceAll('_', ' ');
  const kitchen = cuisine === 'international' ? cuisine : cuisine.split('_').map(capital).join(' ');
  const kind = RESTAURANT_LABELS[category] ?? `${category.replaceAll('_', ' ')} restaurant`;
  return `${kitchen} ${kind}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const PRICES = ['', 'inexpensive', 'mid-priced', 'upscale', 'luxurious'];

/** Returns one sentence that contains only facts stored about the place. */
export function demoAbout(
  random: SeededRandom,
  facts: {
    label: string;
    area: string | null;
    city: string;
    price_range: string | null;
    hoursText: string | null;
  },
): string {
  const where =
    facts.area === null || facts.area === facts.city ? facts.city : `${facts.area}, ${facts.city}`;
  const price = PRICES[facts.price_range?.length ?? 0] ?? '';
  switch (random.below(3)) {
    case 0:
      if (facts.hoursText === '24/7') return `${capital(facts.label)} in ${where}, open day and night.`;
      return `${capital(facts.label)} in ${where}.`;
    case 1:
      if (price !== '') return `${capital(price)} ${facts.label} in ${where}.`;
      return `${capital(facts.label)} in ${where}.`;
    default:
      return `A ${facts.label} in ${where}.`.replace(/^A (?=[AEIOaeio])/, 'An ');
  }
}
