/** Kinds of places where guests sit at tables: a vertical or a category. An operator may add more (TABLE_KINDS). */
export const TABLE_KINDS: readonly string[] = [
  'restaurant',
  'cafe',
  'bar',
  'pub',
  'nightclub',
  'food_hall',
  'food_court',
  'beach_club',
  'wine_bar',
  'tea_house',
];

export interface PlaceKind {
  readonly vertical: string;
  readonly category: string;
  /** Everything else that the place is. */
  readonly categories: readonly string[];
}

/** Whether a place is of a kind with tables. `added` are the operator's kinds. */
export function hasTables(
  { vertical, category, categories }: PlaceKind,
  added: readonly string[] = [],
): boolean {
  return [vertical, category, ...categories].some(
    (kind) => TABLE_KINDS.includes(kind) || added.includes(kind),
  );
}

const KINDS_SQL = `array[${TABLE_KINDS.map((kind) => `'${kind}'`).join(', ')}]`;

/**
 * The booking method that answers show, for a table by its prefix (such as `p.`). A place without tables takes table requests
 * only where its venue chose so; otherwise it is booked on its own page or by phone.
 */
export function bookingMethodSql(prefix = ''): string {
  const column = (name: string) => `${prefix}${name}`;
  return `case
    when ${column('booking_method')} <> 'request' or ${column('chosen_by_venue')}
      or array[${column('vertical')}, ${column('category')}] && ${KINDS_SQL} or ${column('categories')} && ${KINDS_SQL}
      then ${column('booking_method')}
    when ${column('booking_url')} is null then 'phone' else 'venue_system' end`;
}
