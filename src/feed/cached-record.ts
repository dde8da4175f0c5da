/** A record as stored in the cache: the parts of its text that do not depend on the time or the reader's languages. */
export interface CachedRecord {
  id: string;
  version: string;
  name: string;
  /** Names by language as JSON; null when there is only one name. */
  names: string | null;
  /** The stored fields as JSON members. */
  members: string;
  /** The stored fields of the hours as JSON members; null when there are none. */
  hours: string | null;
  /** Kind, area and contacts as one line of text. */
  line: string;
  week: number | null;
  /** Time until which the hours count as verified, in milliseconds. */
  until: number;
  /** Date of hours that are verified until a time, which they keep afterwards; null for all others. */
  hours_from: string | null;
}
