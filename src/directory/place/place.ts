import type { Db } from '../../core/postgres/db.ts';
import { bookingMethodSql } from '../booking-route/table-kinds.ts';
import type { Facts } from './facts.ts';
import type { PlaceWithClaims } from '../provenance/apply-field-claims.ts';
import type { RemovalColumns } from '../removal.ts';

/** An approved photo by a traveller, as stored in the place's row. */
export interface MemberPhoto {
  photo_id: string;
  /** The photographer's preferred name. */
  by: string | null;
  caption: string;
}

/** All stored data of a place. */
export interface Place extends RemovalColumns, Omit<PlaceWithClaims, 'booking_platform'> {
  destination_id: string;
  cuisine: string[];
  country: string;
  area: string | null;
  rating: number | null;
  review_count: number;
  /** Names by language tag; `x-other1` and so on have no language. */
  names: Record<string, string>;
  /** Further kinds, besides its vertical and category. */
  categories: string[];
  /** Areas that contain it, the smallest first. */
  areas: string[];
  facts: Facts;
  /** Facts, cuisine and position that come from another source than the record's, by field. */
  filled_by: Record<string, { ref: string; at: string }>;
  observed_at: Date | null;
  price_line: { text: string; read_at: string; source_url: string } | null;
  /** Time during which requests for one evening are batched before the next message to the venue. */
  batch_minutes: number;
  closed_at: Date | null;
  evidence: {
    kind: 'website_dead' | 'published_report' | 'venue_said';
    source_url: string | null;
    note: string;
    observed_at: string;
  }[];
  accolades: { title: string; year: number | null; source_name: string; source_url: string }[];
  menu: { currency: string; sections: MenuSection[]; updated_at: string } | null;
  position_known: boolean;
  /** File name of the venue's own picture. */
  listing_photo: string | null;
  /** At most 8, newest first; maintained by the database as photos are approved and withdrawn. */
  member_photos: MemberPhoto[];
  /** Agent of the latest approved submission. */
  submitted_by: { agent_name: string; operator_name: string; submission_id: string } | null;
  /** Approved promotions, running or not. */
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

/** SQL for the promotions of a place, for a table named p. */
export const PROMOTIONS_SQL = `
  coalesce((select jsonb_agg(jsonb_build_object('promo_id', o.id, 'title', r.content->>'title', 'kind', r.content->>'kind',
      'detail', r.content->>'detail', 'terms', r.content->>'terms', 'discount_pct', r.content->'discount_pct',
      'starts_at', r.content->>'starts_at', 'ends_at', r.content->>'ends_at') order by o.created_at)
    from submission b join submission o on o.business_id = b.id and o.live_revision is not null
    join submission_revision r on r.submission_id = o.id and r.revision = o.live_revision
    where b.place_id = p.id and b.live_revision is not null), '[]')`;

/** The columns of a Place, for a table named p. */
const PLACE_SQL = `
  p.id, p.destination_id, p.name, p.name_generated, p.vertical, p.category, p.cuisine, p.country, p.city, p.area, p.address, p.lat, p.lng,
  p.names, p.latin_name, p.areas, p.facts, p.filled_by, p.observed_at, p.phone, p.email, p.website, p.languages, p.price_range,
  p.price_line, p.about, p.badge, p.rating::float8 as rating,
  p.review_count, p.hours, ${bookingMethodSql('p.')} as booking_method, p.categories, p.booking_url, p.chosen_by_venue, p.batch_minutes,
  p.closed_at, p.removed_at, p.removal_reason,
  p.verified_at, p.source, p.source_ref, p.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('kind', e.kind, 'source_url', e.source_url, 'note', e.note,
    'observed_at', e.observed_at) order by e.observed_at desc) from closure_evidence e where e.place_id = p.id), '[]') as evidence,
  coalesce((select jsonb_agg(jsonb_build_object('title', a.title, 'year', a.year, 'source_name', a.source_name,
    'source_url', a.source_url) order by a.year desc nulls last, a.title) from accolade a where a.place_id = p.id), '[]') as accolades,
  (select jsonb_build_object('currency', m.currency, 'sections', m.sections, 'updated_at', m.updated_at)
    from menu m where m.place_id = p.id) as menu,
  p.lat is not null as position_known, p.field_claims, p.listing_photo, p.member_photos,
  (select jsonb_build_object('agent_name', s.agent_name, 'operator_name', s.operator_name, 'submission_id', s.id)
    from submission s where s.place_id = p.id and s.live_revision is not null
    order by s.reviewed_at desc nulls last, s.id desc limit 1) as submitted_by,
  ${PROMOTIONS_SQL} as promotions`;

export async function findPlace(db: Db, id: string): Promise<Place | undefined> {
  const [place] = await db.unsafe<Place[]>(`select ${PLACE_SQL} from place p where p.id = $1`, [id], {
    prepare: true,
  });
  return place;
}

/** Promotions that are running at a time. */
export function runningPromotions({ promotions }: Pick<Place, 'promotions'>, now: Date): Promotion[] {
  return promotions.filter(
    ({ starts_at, ends_at }) =>
      (starts_at === null || new Date(starts_at) <= now) && (ends_at === null || new Date(ends_at) > now),
  );
}
