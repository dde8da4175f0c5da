import { openAt, type OpenAt } from '../../src/directory/hours/open-at.ts';
import { isUnderstood } from '../../src/directory/hours/weekly-hours.ts';
import { isVerifiedHours } from '../../src/directory/hours/verified-hours.ts';
import { instantOfLocalMinute } from '../../src/directory/hours/zone-clock.ts';
import type { StoredHours } from '../../src/directory/hours/stored-hours.ts';
import { DAY_MINUTES, dayNumber } from '../../src/directory/hours/compile/compiled-hours.ts';
import type { TestService } from '../harness/service/service.ts';

/** A place as the database holds it: what answers are held against. */
export interface StoredPlace {
  id: string;
  name: string;
  vertical: string;
  category: string;
  categories: string[];
  cuisine: string[];
  area: string | null;
  lat: number;
  lng: number;
  rating: number | null;
  review_count: number;
  price_range: string | null;
  phone: string | null;
  phone_as_published: string | null;
  hours: StoredHours | null;
  slug: string;
  timezone: string;
}

/** Every place of the database that has not closed. */
export async function copyDirectory({ database }: TestService): Promise<Map<string, StoredPlace>> {
  const rows = await database.pool<StoredPlace[]>`
    select p.id, p.name, p.vertical, p.category, p.categories, p.cuisine, p.area, p.lat, p.lng, p.rating::float8 as rating,
           p.review_count, p.price_range, p.phone, p.facts->>'phone_as_published' as phone_as_published, p.hours, d.slug, d.timezone
    from place p join destination d on d.id = p.destination_id where p.closed_at is null`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a place is open, worked out from the record without the index. */
export function openIn({ hours, timezone }: StoredPlace, instant: Date): OpenAt {
  if (hours?.compiled == null) return { open: null, until: null };
  const observed_at = new Date(hours.observed_at);
  const parsed = isUnderstood(hours.compiled);
  if (!isVerifiedHours({ source: hours.source, observed_at, parsed }, instant))
    return { open: null, until: null };
  return openAt(hours.compiled, timezone, instant);
}

/** The same by hours that are too old to be verified; null for all others. */
export function usuallyIn(stored: StoredPlace, instant: Date): boolean | null {
  const { hours, timezone } = stored;
  if (hours?.compiled == null || hours.source === 'agent' || openIn(stored, instant).open !== null)
    return null;
  return openAt(hours.compiled, timezone, instant).open;
}

export function instantOf(timezone: string, local: string): Date {
  const [hours = 0, minutes = 0] = local.slice(11).split(':').map(Number);
  return instantOfLocalMinute(timezone, dayNumber(local.slice(0, 10)) * DAY_MINUTES + hours * 60 + minutes);
}
