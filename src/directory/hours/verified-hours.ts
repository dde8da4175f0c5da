const DAY_MS = 86_400_000;
/** What a venue's website said is believed for half a year. */
export const WEBSITE_MAX_AGE_DAYS = 180;
export const MAP_MAX_AGE_DAYS = 730;

/** Who says so. Hours that an agent submitted stay `agent` until a reviewer has checked them. */
export type HoursSource = 'owner' | 'reviewer' | 'venue_website' | 'map' | 'agent';

export interface HoursEvidence {
  readonly source: HoursSource;
  /** When the source said so; for a map, when its community last touched or checked the object. */
  readonly observed_at: Date | null;
  /** Whether the text could be read without a guess. */
  readonly parsed: boolean;
}

/** Only verified hours may make a place open or closed now. */
export function isVerifiedHours(
  { source, observed_at, parsed }: HoursEvidence,
  now: Date,
  mapMaxAgeDays = MAP_MAX_AGE_DAYS,
): boolean {
  const ageDays = observed_at === null ? Infinity : (now.getTime() - observed_at.getTime()) / DAY_MS;
  switch (source) {
    case 'owner':
    case 'reviewer':
      return true;
    case 'venue_website':
      return ageDays <= WEBSITE_MAX_AGE_DAYS;
    case 'map':
      return parsed && ageDays <= mapMaxAgeDays;
    case 'agent':
      return false;
  }
}
