/** Columns of Foursquare Open Source Places that are read. */
export const REQUIRED_COLUMNS = ['fsq_place_id', 'name', 'latitude', 'longitude'] as const;
export const COLUMNS = [
  ...REQUIRED_COLUMNS,
  ...'address locality postcode country date_refreshed date_closed tel website email'.split(' '),
  ...'fsq_category_labels unresolved_flags'.split(' '),
];

export interface FoursquareRow {
  fsq_place_id?: string | null;
  name?: string | null;
  latitude?: number | null;
  longitude?: number | null;
  address?: string | null;
  locality?: string | null;
  postcode?: string | null;
  country?: string | null;
  /** Dates are texts or dates, depending on the release. */
  date_refreshed?: string | Date | null;
  date_closed?: string | Date | null;
  tel?: string | null;
  website?: string | null;
  email?: string | null;
  /** Paths such as `Dining and Drinking > Restaurant > Italian Restaurant`. */
  fsq_category_labels?: (string | null)[] | null;
  /** Reports of users that nobody has decided: closed, duplicate, delete, privatevenue, inappropriate, doesnt_exist. */
  unresolved_flags?: (string | null)[] | null;
}
