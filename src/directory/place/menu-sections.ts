import { z } from 'zod';
import { countThatFits } from '../../core/page-limit.ts';
import type { MenuSection } from './place.ts';

/** Schema of a menu: the venue's own sections in its own order. Surfaces may add members to an item. */
export function menuSectionsSchema<Own extends z.ZodRawShape>(own: Own) {
  const item = z.object({
    name: z.string(),
    description: z.string().nullable(),
    price: z.string().nullable().describe('Exactly as the venue wrote it.'),
    ...own,
  });
  return z
    .array(z.object({ name: z.string(), items: z.array(item) }))
    .describe("The venue's own sections in the venue's own order.");
}

export function menuSections<Own extends object>(
  sections: readonly MenuSection[],
  own: (item: MenuSection['items'][number]) => Own,
) {
  return sections.map(({ name, items }) => ({
    name,
    items: items.map((item) => ({
      name: item.name,
      description: item.description ?? null,
      price: item.price ?? null,
      ...own(item),
    })),
  }));
}

/**
 * Maximum size of a menu in one answer. Almost every menu is smaller; the largest that a venue can write has 800 kB.
 */
const MENU_BYTES = 24_000;

/** Position of a dish: the index of its section, and its index there. */
export interface MenuSpot {
  section: number;
  item: number;
}

/**
 * Returns the part of a menu that fits, from a dish on. `next` is the first dish that does not fit, and `left` the
 * number of those.
 */
export function fitMenu<Section extends { items: readonly object[] }>(
  sections: readonly Section[],
  from: MenuSpot = { section: 0, item: 0 },
): { sections: Section[]; next: MenuSpot | null; left: number } {
  const dishes = sections
    .flatMap(({ items }, section) => items.map((dish, item) => ({ dish, section, item })))
    .filter(({ section, item }) => section > from.section || (section === from.section && item >= from.item));
  const texts = dishes.map(({ dish }) => JSON.stringify(dish));
  const count = countThatFits(texts, MENU_BYTES);
  const fitting = Map.groupBy(dishes.slice(0, count), ({ section }) => section);
  const { section, item } = dishes[count] ?? {};
  return {
    sections: [...fitting].flatMap(([index, sectionDishes]) => {
      const whole = sections[index];
      return whole === undefined ? [] : [{ ...whole, items: sectionDishes.map(({ dish }) => dish) }];
    }),
    next: section === undefined || item === undefined ? null : { section, item },
    left: dishes.length - count,
  };
}
