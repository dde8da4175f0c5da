import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { AppError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { requireOpenPlace } from '../../directory/place/require-place.ts';
import {
  fitMenu,
  menuSections,
  menuSectionsSchema,
  type MenuSpot,
} from '../../directory/place/menu-sections.ts';
import { menuSourceSet } from '../../directory/sets/source-sets.ts';
import { onePlaceTool } from '../../search/partner-arguments.ts';
import { utc } from '../../directory/place/place-answer.ts';
import { menuLines } from '../../directory/tool-text/menu-text.ts';
import { joinLines } from '../../core/text/tool-text.ts';
import examples from './examples.json' with { type: 'json' };

const output = z.object({
  place_id: z.string(),
  available: z.boolean().describe('false: there is no menu.'),
  source: menuSourceSet.schema.nullable(),
  url: z.string().nullable().describe('The page it was read from, if any.'),
  read_at: z.string().nullable(),
  currency: z.string().nullable().describe('ISO 4217 code.'),
  sections: menuSectionsSchema({ notes: z.string().nullable() }),
  next_cursor: z.string().nullable().describe('Send it as cursor for the rest of a long menu.'),
});

const CURSOR = 'get_menu';

/** Position in a menu, with the menu's version: a menu that was rewritten since has other dishes there. */
interface MenuCursor extends MenuSpot {
  at: string;
}

export const getMenu = defineOperation({
  name: 'get_menu',
  title: 'Get a menu',
  containsUntrustedText: true,
  description:
    "The venue's own published menu or offerings, grouped by its sections in its order, prices as it set them.",
  ...onePlaceTool,
  input: onePlaceTool.input.extend({
    cursor: z.string().min(1).max(300).optional().describe('next_cursor of the previous page.'),
  }),
  output,
  example: examples.get_menu,
  async run(ctx, { place_id, cursor }) {
    const { menu } = await requireOpenPlace(ctx, place_id);
    if (menu === null)
      return {
        place_id,
        available: false,
        source: null,
        url: null,
        read_at: null,
        currency: null,
        sections: [],
        next_cursor: null,
      };
    const { currency, updated_at } = menu;
    const { session: secret } = ctx.deps.secrets;
    const list = `${CURSOR}/${place_id}`;
    const from = cursor === undefined ? undefined : (decodeCursor(secret, list, cursor) as MenuCursor);
    if (from !== undefined && from.at !== updated_at) throw changedMenu();
    const whole = menuSections(menu.sections, ({ notes }) => ({ notes: notes ?? null }));
    const { sections, next } = fitMenu(whole, from);
    return {
      place_id,
      available: true,
      source: 'owner' as const,
      url: null,
      read_at: utc(updated_at),
      currency,
      sections,
      next_cursor: next && encodeCursor(secret, list, { ...next, at: updated_at }),
    };
  },
  summarize({ place_id, next_cursor, ...menu }) {
    return menu.available
      ? joinLines(
          place_id,
          ...menuLines(menu),
          next_cursor !== null && `More dishes with cursor ${next_cursor}`,
        )
      : `There is no menu for ${place_id}. The venue's own pages may have one: see place_details.`;
  },
});

function changedMenu(): AppError {
  return new AppError('bad_cursor', 'The venue has changed its menu since this cursor was issued.', {
    hint: 'Start again without a cursor.',
  });
}
