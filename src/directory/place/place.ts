import type { Db } from '../../core/postgres/db.ts';
import type { BookingMethod } from '../booking-route/booking-method.ts';
import { bookingMethodSql } from '../booking-route/table-kinds.ts';
import type { StoredHours } from '../hours/stored-hours.ts';
import type { Facts } from './facts.ts';
import type { RemovalColumns } from '../removal/removal.ts';
import type { Words } from '../word/word.ts';
import type { MemberPhoto } from './place-photos.ts';

/** What a place is and where: the columns that all who read places have in common. */
export interface PlaceBasics {
  id: string;
  destination_id: string;
  name: string;
  vertical: string;
  category: string;
  cuisine: string[];
  country: string;
  city: string | null;
  area: string | null;
  address: string | null;
  /** Null, as lng then is: its position is not known. */
  lat: number | null;
  lng: number | null;
  price_range: string | null;
  rating: number | null;
  review_count: number;
  booking_method: BookingMethod;
}

/** Everything that the record holds about a place. */
export interface Place extends PlaceBasics, RemovalColumns {
  /** By language tag; `x-other1` and so on are names without a language. */
  names: Record<string, string>;
  /** The name in Latin letters, where it is written in others. */
  latin_name: string | null;
  /** Everything else that the place is, besides its vertical and category. */
  categories: string[];
  /** The areas that it lies in, the smallest first. */
  areas: string[];
  facts: Facts;
  /** Facts, the kitchen and the position that another source than that of the record told, by field. */
  filled: Record<string, { ref: string; at: string }>;
  /** The source's own date. */
  observed_at: Date | null;
  phone: string | null;
  email: string | null;
  website: string | null;
  languages: string[];
  price_line: { text: string; read_at: string; source_url: string } | null;
  about: string | null;
  badge: 'mapped' | 'claimed';
  hours: StoredHours | null;
  booking_url: string | null;
  chosen_by_venue: boolean;
  /** How long requests for one evening are gathered before the venue is written to again. */
  gather_minutes: number;
  closed_at: Date | null;
  verified_at: Date | null;
  source: string;
  source_ref: string;
  updated_at: Date;
  evidence: {
    kind: 'website_dead' | 'published_report' | 'venue_said';
    source_url: string | null;
    note: string;
    observed_at: string;
  }[];
  accolades: { title: string; year: number | null; source_name: string; source_url: string }[];
  menu: { currency: string; sections: MenuSection[]; updated_at: string } | null;
  /** Whether lat and lng are there. */
  position_known: boolean;
  /** What everybody says of each field. */
  words: Words;
  /** The file of the venue's own picture. */
  listing_photo: string | null;
  /** At most 8, the newest first; kept by the database as photos are approved and taken back. */
  member_photos: MemberPhoto[];
  /** Who submitted it last, where a reviewer let it pass. */
  submitted_by: { agent_name: string; operator_name: string; submission_id: string } | null;
  /** Approved promotions, whenever they run. */
  promotions: Promotion[];
}

export interface Promotion {
  promo_id: string;
  title: string;
  kind: string;
  detail: string | null;
  terms: string | null;
  discount_pct: number | null;
  /** RFC 3339 in UTC. */
  starts_at: string | null;
  ends_at: string | null;
}

export interface MenuSection {
  name: string;
  items: { name: string; description?: string | null; price?: string | null; notes?: string | null }[];
}

/** The columns of a Place, for a table named p. */
const PLACE_SQL = `
  p.id, p.destination_id, p.name, p.vertical, p.category, p.cuisine, p.country, p.city, p.area, p.address, p.lat, p.lng,
  p.names, p.latin_name, p.areas, p.facts, p.filled, p.observed_at, p.phone, p.email, p.website, p.languages, p.price_range,
  p.price_line, p.about, p.badge, p.rating::float8 as rating,
  p.review_count, p.hours, ${bookingMethodSql('p.')} as booking_method, p.categories, p.booking_url, p.chosen_by_venue, p.gather_minutes,
  p.closed_at, p.removed_at, p.removal_reason,
  p.verified_at, p.source, p.source_ref, p.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('kind', e.kind, 'source_url', e.source_url, 'note', e.note,
    'observed_at', e.observed_at) order by e.observed_at desc) from closure_evidence e where e.place_id = p.id), '[]') as evidence,
  coalesce((select jsonb_agg(jsonb_build_object('title', a.title, 'year', a.year, 'source_name', a.source_name,
    'source_url', a.source_url) order by a.year desc nulls last, a.title) from accolade a where a.place_id = p.id), '[]') as accolades,
  (select jsonb_build_object('currency', m.currency, 'sections', m.sections, 'updated_at', m.updated_at)
    from menu m where m.place_id = p.id) as menu,
  p.lat is not null as position_known, p.words, p.listing_photo, p.member_photos,
  (select jsonb_build_object('agent_name', s.agent_name, 'operator_name', s.operator_name, 'submission_id', s.id)
    from submission s where s.place_id = p.id and s.live_revision is not null
    order by s.reviewed_at desc nulls last, s.id desc limit 1) as submitted_by,
  coalesce((select jsonb_agg(jsonb_build_object('promo_id', o.id, 'title', r.content->>'title', 'kind', r.content->>'kind',
      'detail', r.content->>'detail', 'terms', r.content->>'terms', 'discount_pct', r.content->'discount_pct',
      'starts_at', r.content->>'starts_at', 'ends_at', r.content->>'ends_at') order by o.created_at)
    from submission b join submission o on o.business_id = b.id and o.live_revision is not null
    join submission_revision r on r.submission_id = o.id and r.revision = o.live_revision
    where b.place_id = p.id and b.live_revision is not null), '[]') as promotions`;

export async function findPlace(db: Db, id: string): Promise<Place | undefined> {
  const [place] = await db.unsafe<Place[]>(`select ${PLACE_SQL} from place p where p.id = $1`, [id], {
    prepare: true,
  });
  return place;
}

/** The promotions that run at a moment: they begin and end by themselves. */
export function runningPromotions({ promotions }: Pick<Place, 'promotions'>, now: Date): Promotion[] {
  return promotions.filter(
    ({ starts_at, ends_at }) =>
      (starts_at === null || new Date(starts_at) <= now) && (ends_at === null || new Date(ends_at) > now),
  );
}
