import rows from './category-table.json' with { type: 'json' };
import type { Vertical } from './verticals.ts';

/**
 * Maps tags to verticals and categories: vertical, tag key, values. `value>category` renames; `*` matches every value
 * that no other row lists, as a category of its own. Objects that match no row (offices, schools, parking, springs …)
 * are of no interest to travellers.
 */
export const CATEGORY_TABLE = rows as unknown as readonly (readonly [
  vertical: Vertical,
  key: string,
  values: string,
])[];
