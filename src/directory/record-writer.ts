import type { Db } from '../core/db.ts';
import { bookingRoute } from './booking-route/booking-route.ts';
import type { CompiledHours } from './hours/compiled-hours.ts';
import { isOpenAt } from './hours/open-at.ts';
import { isVerifiedHours, type HoursSource } from './hours/verified-hours.ts';
import { structuredWeek } from './hours/weekly-hours.ts';
import type { Place } from './place.ts';

/** What a record is made of. The hours stay text: most places keep hours that some other place has been seen with. */
export interface RecordRow extends Pick<
  Place,
  | 'id'
  | 'destination_id'
  | 'name'
  | 'phone'
  | 'email'
  | 'website'
  | 'address'
  | 'rating'
  | 'review_count'
  | 'area'
  | 'category'
  | 'cuisine'
  | 'about'
  | 'lat'
  | 'lng'
  | 'price_line'
  | 'badge'
  | 'booking_method'
  | 'booking_url'
  | 'chosen_by_venue'
  | 'updated_at'
> {
  hours_text: string | null;
  hours_source: HoursSource | null;
  hours_observed_at: string | null;
  compiled: string | null;
  closed: boolean;
}

/** The columns of a RecordRow, for a table named p. Building the JSON in PostgreSQL was measured: it takes longer. */
export const RECORD_SQL = `
  p.id, p.destination_id, p.name, p.phone, p.email, p.website, p.address, p.rating::float8 as rating, p.review_count,
  p.area, p.category, p.cuisine, p.about, p.lat, p.lng, p.price_line, p.badge, p.booking_method, p.booking_url,
  p.chosen_by_venue, p.updated_at, p.closed_at is not null as closed,
  p.hours ->> 'text' as hours_text, p.hours ->> 'source' as hours_source,
  p.hours ->> 'observed_at' as hours_observed_at, p.hours ->> 'compiled' as compiled`;

export async function findRecordRow(db: Db, id: string): Promise<RecordRow | undefined> {
  const [row] = await db.unsafe<RecordRow[]>(`select ${RECORD_SQL} from place p where p.id = $1`, [id], {
    prepare: true,
  });
  return row;
}

interface Moment {
  timezone: string;
  now: Date;
  prefix: string;
}

/** Writes the record of a place as JSON text. `closed` is what is told of a place that closed. */
export function writeRecord(row: RecordRow, moment: Moment, closed: object | null = null): string {
  const { hours, open } = hoursMembers(row, moment);
  return (
    `${knownMembers(row)},"hours":${hours},"open_now":${closed === null ? open : 'false'}` +
    `,"timezone":"${moment.timezone}",${bookingMembers(row, moment.prefix)},"photos":[]` +
    `,"closed":${JSON.stringify(closed)},"updated_at":"${row.updated_at.toISOString()}"}`
  );
}

/** What does not depend on the moment, as text without the closing brace. */
function knownMembers(row: RecordRow): string {
  const { name, phone, email, website, address, rating, review_count, area, category, cuisine, about } = row;
  const { lat, lng, price_line, badge } = row;
  const contact = { phone, email, website, address };
  const coordinates = { lat, lng };
  return JSON.stringify({
    place_id: row.id,
    name,
    contact,
    rating,
    review_count,
    area,
    category,
    cuisine,
    about,
    coordinates,
    price_line,
    badge,
  }).slice(0, -1);
}

function hoursMembers(row: RecordRow, { timezone, now }: Moment): { hours: string; open: string } {
  const { hours_source: source, hours_observed_at, hours_text, compiled } = row;
  if (source === null || hours_observed_at === null) return { hours: 'null', open: 'null' };
  const week = compiled === null ? undefined : readWeek(compiled);
  const observed_at = new Date(hours_observed_at);
  const parsed = week !== undefined && week.compiled.doubtful !== true;
  const verified = week !== undefined && isVerifiedHours({ source, observed_at, parsed }, now);
  return {
    hours:
      `{"structured":${week?.structured ?? 'null'},"text":${JSON.stringify(hours_text)},"verified":${String(verified)}` +
      `,"source":"${source}","observed_at":"${observed_at.toISOString()}"}`,
    open: verified ? String(isOpenAt(week.compiled, timezone, now)) : 'null',
  };
}

interface Week {
  compiled: CompiledHours;
  structured: string;
}

/** Many places keep the same hours: a city has some thousand weeks. */
const WEEKS_MAX = 10_000;
const weeks = new Map<string, Week>();

function readWeek(text: string): Week {
  const known = weeks.get(text);
  if (known !== undefined) return known;
  const compiled = JSON.parse(text) as CompiledHours;
  const week = { compiled, structured: JSON.stringify(structuredWeek(compiled)) };
  if (weeks.size >= WEEKS_MAX) weeks.clear();
  weeks.set(text, week);
  return week;
}

function bookingMembers(row: RecordRow, prefix: string): string {
  const { method, platform, url, chosen_by_venue } = bookingRoute({ ...row, phone: null }, {}, prefix);
  return `"booking":{"method":"${method}"},"booking_platform":${JSON.stringify(platform)},"booking_page":${JSON.stringify(chosen_by_venue ? url : null)}`;
}
