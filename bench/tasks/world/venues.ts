import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const FRESH_DAYS = 170;

export interface Venue {
  id: string;
  name: string;
  city: string;
  area: string | null;
  address: string | null;
  phone: string | null;
  rating: string | null;
  review_count: number;
  hours: {
    text: string;
    source: string;
    observed_at: string;
    compiled: { week: [number, number][][] };
  } | null;
  booking_url: string | null;
  sections: { name: string; items: { name: string; price: string }[] }[] | null;
}

export interface VenueWish {
  slug: string;
  method?: 'request' | 'venue_system' | 'phone' | 'not_through';
  vertical?: string;
  /** With a menu, with a telephone number, known to be closed for good. */
  menu?: boolean;
  phone?: boolean;
  /** Nobody knows its hours, so that it is asked at any time of the day. */
  hoursUnknown?: boolean;
  closed?: boolean;
  /** Open on that day at that time, as far as anybody knows. */
  at?: { date: string; time: string };
  /** Verified to be shut on that day. */
  shutOn?: string;
}

/** A venue of the demonstration that nobody else in its destination has the name of; every run gets another one. */
export async function venue({ sql }: World, run: number, wish: VenueWish): Promise<Venue> {
  const rows = await sql<Venue[]>`
    select p.id, p.name, p.city, p.area, p.address, p.phone, p.rating, p.review_count, p.hours, p.booking_url,
      m.sections
    from place p join destination d on d.id = p.destination_id left join menu m on m.place_id = p.id
    where d.slug = ${wish.slug} and p.name ~ '^[A-Za-z]+( [A-Za-z]+)+$'
      and (p.closed_at is not null) = ${wish.closed ?? false}
      and (${wish.method ?? null}::text is null or p.booking_method = ${wish.method ?? null})
      and (${wish.vertical ?? null}::text is null or p.vertical = ${wish.vertical ?? null})
      and (${wish.menu ?? false} = false or m.place_id is not null)
      and (${wish.phone ?? false} = false or p.phone is not null)
      and (${wish.hoursUnknown ?? false} = false or p.hours is null)
      and not exists (
        select 1 from place o where o.destination_id = p.destination_id and o.id <> p.id and o.name ilike p.name || '%')
    order by p.id`;
  const fitting = rows.filter(
    ({ hours }) =>
      (wish.at === undefined || isOpen(hours, wish.at)) &&
      (wish.shutOn === undefined ||
        (isFresh(hours) && hours?.compiled.week[weekday(wish.shutOn)]?.length === 0)),
  );
  const found = fitting[run % Math.max(1, fitting.length)];
  if (found === undefined) throw new Error(`The demonstration has no such venue: ${JSON.stringify(wish)}`);
  return found;
}

/** Whether hours are surely young enough to count as verified, whatever their source. */
function isFresh(hours: Venue['hours']): boolean {
  return hours !== null && Date.now() - Date.parse(hours.observed_at) < FRESH_DAYS * DAY_MS;
}

function isOpen(hours: Venue['hours'], at: { date: string; time: string }): boolean {
  const minutes = Number(at.time.slice(0, 2)) * 60 + Number(at.time.slice(3));
  const day = hours?.compiled.week[weekday(at.date)] ?? [];
  return day.some(([from, to]) => from <= minutes && minutes + 60 <= to);
}

/** Monday is 0. */
function weekday(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** The date of the next such day (Monday is 0), two days from now at the earliest. */
export function next(day: number): string {
  for (let ahead = 2; ; ahead++) {
    const date = new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
    if (weekday(date) === day) return date;
  }
}
