import { z } from 'zod';
import type { MenuSection } from './place.ts';

/** A menu as it is told: the venue's own sections in its own order. Surfaces add a member of their own to an item. */
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
