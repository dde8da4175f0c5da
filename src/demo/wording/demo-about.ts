import type { SeededRandom } from '../demo-random.ts';
import labelEntries from './words/labels.json' with { type: 'json' };

/** Labels of categories whose name alone does not describe the place. */
const LABELS: Readonly<Record<string, string>> = labelEntries.places;

/** Labels of restaurant categories that are not called `… restaurant`. */
const RESTAURANT_LABELS: Readonly<Record<string, string>> = labelEntries.restaurants;

const labels = new Map<string, string>();

/** Returns a description of a place that fits into a sentence: `Indonesian seafood restaurant`. */
export function demoLabel(category: string, cuisine: string | undefined): string {
  return labels.getOrInsertComputed(`${category}/${cuisine ?? ''}`, () => makeLabel(category, cuisine));
}

function makeLabel(category: string, cuisine: string | undefined): string {
  if (cuisine === undefined) return LABELS[category] ?? category.replaceAll('_', ' ');
  const kitchen = cuisine === 'international' ? cuisine : cuisine.split('_').map(capital).join(' ');
  const kind = RESTAURANT_LABELS[category] ?? `${category.replaceAll('_', ' ')} restaurant`;
  return `${kitchen} ${kind}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const PRICES = ['', 'inexpensive', 'mid-priced', 'upscale', 'luxurious'];

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
