import { z } from 'zod';
import { closedSet } from '../core/input/closed-set.ts';
import type { PlaceSearch } from './search-places.ts';

const openSet = closedSet('OpenFilter', { likely: 'Certain ones first.' });

/** Arguments of a search for open places. */
export const openArguments = {
  open_now: z.boolean().optional().describe('Only those known to be open.'),
  open: openSet.schema.optional().describe('Also by old hours.'),
};

/** Returns the filter for open places. `open_now` is stricter and takes precedence. */
export function openFilterOf(
  { open_now, open }: { open_now?: boolean | undefined; open?: 'likely' | undefined },
  now: Date,
): Pick<PlaceSearch, 'openAt' | 'openLikely'> {
  if (open_now === true) return { openAt: now };
  return open === undefined ? {} : { openAt: now, openLikely: true };
}
