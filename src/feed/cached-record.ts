/** A record as JSON text, without the three members that depend on the current time. */
export interface CachedRecord {
  id: string;
  version: string;
  members: string;
  hours: string | null;
  week: number | null;
  /** Time until which the hours count as verified, in milliseconds. */
  until: number;
}
