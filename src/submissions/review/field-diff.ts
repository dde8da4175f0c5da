import type { BusinessContent, PromoContent } from '../submission.ts';
import type { Place } from '../../directory/place/place.ts';

export interface FieldDiff {
  field: string;
  /** Value in the live listing; null if it has none. */
  live: string | null;
  submitted: string | null;
  change: 'same' | 'added' | 'changed' | 'kept';
}

/** The fields of a live place that are compared, as text. */
export type ComparedPlace = Pick<Place, Exclude<keyof BusinessContent & keyof Place, 'hours'> | 'about'> & {
  hours_text: string | null;
};

/** Compares each field: the live value, the submitted one, and the effect of an approval. */
export function fieldDiff(live: ComparedPlace | null, content: BusinessContent): FieldDiff[] {
  const { description, hours, languages } = content;
  const pairs: [field: string, live: string | null, submitted: string | null][] = [
    ['name', live?.name ?? null, content.name],
    ['vertical', live?.vertical ?? null, content.vertical],
    ['country', live?.country ?? null, content.country],
    ['city', live?.city ?? null, content.city],
    ['address', live?.address ?? null, content.address],
    ['position', live === null ? null : point(live.lat, live.lng), point(content.lat, content.lng)],
    ['phone', live?.phone ?? null, content.phone],
    ['email', live?.email ?? null, content.email],
    ['website', live?.website ?? null, content.website],
    ['description', live?.about ?? null, description],
    ['languages', listed(live?.languages ?? []), listed(languages)],
    ['price_range', live?.price_range ?? null, content.price_range],
    ['hours', live?.hours_text ?? null, hours === null ? null : hoursText(hours)],
  ];
  return pairs.map(([field, was, will]) => ({
    field,
    live: was,
    submitted: will,
    change: change(was, will),
  }));
}

export function promoDiff(live: PromoContent | null, content: PromoContent): FieldDiff[] {
  const fields = ['title', 'kind', 'detail', 'terms', 'starts_at', 'ends_at', 'discount_pct'] as const;
  return fields.map((field) => {
    const was = live?.[field]?.toString() ?? null;
    const will = content[field]?.toString() ?? null;
    return { field, live: was, submitted: will, change: change(was, will) };
  });
}

/** Human-readable hours, from either submitted form. */
export function hoursText(hours: NonNullable<BusinessContent['hours']>): string {
  if (typeof hours === 'string') return hours;
  return Object.entries(hours)
    .map(([days, value]) => `${days} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');
}

function change(live: string | null, submitted: string | null): FieldDiff['change'] {
  if (live === submitted) return 'same';
  if (submitted === null) return 'kept';
  return live === null ? 'added' : 'changed';
}

function point(lat: number | null, lng: number | null): string | null {
  return lat === null || lng === null ? null : `${lat}, ${lng}`;
}

function listed(items: readonly string[]): string | null {
  return items.length === 0 ? null : items.join(', ');
}
