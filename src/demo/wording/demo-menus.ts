import kitchenEntries from './words/kitchens.json' with { type: 'json' };
import type { SeededRandom } from '../demo-random.ts';
import type { CountryWords } from './demo-words.ts';

interface DemoMenuSection {
  name: string;
  items: { name: string; description: string | null; price: string }[];
}

interface DemoMenu {
  currency: string;
  sections: DemoMenuSection[];
}

interface Dish {
  name: string;
  description: string | null;
  /** Price in US dollars in a plain American diner. */
  worth: number;
}

type Kitchen = readonly { name: string; dishes: readonly Dish[] }[];

function readKitchen(sections: Readonly<Record<string, string>>): Kitchen {
  return Object.entries(sections).map(([name, dishes]) => ({
    name,
    dishes: dishes.split('|').map((dish) => {
      const [title = '', description = '', worth = '1'] = dish.split('~');
      return { name: title, description: description === '' ? null : description, worth: Number(worth) };
    }),
  }));
}

const kitchens = new Map<string, Kitchen>(
  Object.entries(kitchenEntries).map(([name, sections]) => [name, readKitchen(sections)]),
);

/** Price factor by the length of the price range. */
const PRICE_FACTORS = [1, 0.75, 1, 1.6, 2.6];

/** Formats a price as menus do: `#.###` groups thousands, `#,##` has cents, `#k` counts thousands, `#` omits cents. */
export function writePrice(amount: number, form: string): string {
  const mask = /#(?:[.,]#{2,3}|k)?(?!#)/.exec(form)?.[0] ?? '#';
  const separator = mask.charAt(1);
  let digits: string;
  if (mask.length === 4) digits = amount.toFixed(2).replace('.', separator);
  else if (mask.length === 5) digits = String(Math.round(amount)).replace(/\B(?=(?:\d{3})+$)/g, separator);
  else if (separator === 'k') digits = `${Math.round(amount / 1000)}k`;
  else digits = String(Math.max(1, Math.round(amount)));
  return form.replace(mask, digits);
}

export function demoMenu(
  random: SeededRandom,
  kitchenName: string,
  country: CountryWords,
  priceRange: string | null,
): DemoMenu | null {
  const kitchen = kitchens.get(kitchenName);
  if (kitchen === undefined) return null;
  const level = (PRICE_FACTORS[priceRange?.length ?? 2] ?? 1) * (0.85 + random.unit() * 0.3) * country.dollar;
  const form = random.pick(country.priceForms);
  const sections = kitchen.map(({ name, dishes }) => {
    // A run from a random start keeps the order of the dishes and never repeats one.
    const length = Math.min(dishes.length, random.between(3, 6));
    const start = random.below(dishes.length - length + 1);
    const items = dishes.slice(start, start + length).map((dish) => {
      const amount = Math.max(1, Math.round((dish.worth * level) / country.step)) * country.step;
      return { name: dish.name, description: dish.description, price: writePrice(amount, form) };
    });
    return { name, items };
  });
  return { currency: country.currency, sections };
}
