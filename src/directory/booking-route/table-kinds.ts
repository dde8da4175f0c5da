/** Kinds of places with tables: verticals or categories. An operator may add more (TABLE_KINDS). */
export const TABLE_KINDS: readonly string[] =
  'restaurant cafe bar pub nightclub food_hall food_court beach_club wine_bar tea_house'.split(' ');

export interface PlaceKind {
  readonly vertical: string;
  readonly category: string;
  readonly categories: readonly string[];
}

/** True when a place is of a kind with tables. `added` are the operator's kinds. */
export function hasTables(
  { vertical, category, categories }: PlaceKind,
  added: readonly string[] = [],
): boolean {
  return [vertical, category, ...categories].some(
    (kind) => TABLE_KINDS.includes(kind) || added.includes(kind),
  );
}

const KINDS_SQL = `array[${TABLE_KINDS.map((kind) => `'${kind}'`).join(', ')}]`;

/** SQL for the booking method: a place without tables takes requests only where its venue chose so. */
export function bookingMethodSql(prefix = ''): string {
  const column = (name: string) => `${prefix}${name}`;
  return `case
    when ${column('booking_method')} <> 'request' or ${column('chosen_by_venue')}
      or array[${column('vertical')}, ${column('category')}] && ${KINDS_SQL} or ${column('categories')} && ${KINDS_SQL}
      then ${column('booking_method')}
    when ${column('booking_url')} is null then 'phone' else 'venue_system' end`;
}
