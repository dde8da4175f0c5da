import { z } from 'zod';
import { defineOperation } from '../../core/operation.ts';
import { knownOpenPlace } from '../../directory/place/known-place.ts';
import { menuSections, menuSectionsSchema } from '../../directory/place/menu-sections.ts';
import { onePlaceTool } from '../../search/partner-arguments.ts';
import { utc } from '../../directory/place/place-answer.ts';
import { menuLines } from '../../directory/told/menu-text.ts';
import { toldLines } from '../../core/text/told-line.ts';

const output = z.object({
  place_id: z.string(),
  available: z.boolean().describe('false: the venue gave no menu.'),
  source: z.string().nullable().describe('owner: the venue wrote it here itself.'),
  url: z.string().nullable().describe('Where it was read, when that was on a page.'),
  read_at: z.string().nullable(),
  currency: z.string().nullable().describe('ISO 4217 code.'),
  sections: menuSectionsSchema({ notes: z.string().nullable() }),
});

export const getMenu = defineOperation({
  name: 'get_menu',
  title: 'Get a menu',
  strangersText: true,
  description:
    "The venue's own published menu or offerings, grouped by its sections in its order, prices as it set them.",
  ...onePlaceTool,
  output,
  example: {
    input: { place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza' },
    output: {
      place_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
      available: true,
      source: 'owner',
      url: null,
      read_at: '2026-10-01T04:00:00.000Z',
      currency: 'IDR',
      sections: [
        {
          name: 'From the grill',
          items: [{ name: 'Ikan bakar', description: 'With three sambals', price: '85.000', notes: null }],
        },
      ],
    },
  },
  async run(ctx, { place_id }) {
    const { menu } = await knownOpenPlace(ctx, place_id);
    if (menu === null)
      return {
        place_id,
        available: false,
        source: null,
        url: null,
        read_at: null,
        currency: null,
        sections: [],
      };
    const sections = menuSections(menu.sections, ({ notes }) => ({ notes: notes ?? null }));
    const { currency, updated_at } = menu;
    return {
      place_id,
      available: true,
      source: 'owner',
      url: null,
      read_at: utc(updated_at),
      currency,
      sections,
    };
  },
  summarize({ place_id, ...menu }) {
    return menu.available
      ? toldLines(place_id, ...menuLines(menu))
      : `No menu of ${place_id} is held. Its own pages may have one: see place_details.`;
  },
});
