import { z } from 'zod';
import { ADDRESS_MAX, cutAtWord, NAME_MAX } from '../../core/text/limits.ts';
import { visibleMembers } from '../../core/text/visible-text.ts';

const text = (max: number) => z.string().trim().min(1).max(max);
/** Truncates a longer name or address, as for maps. */
const cutText = (max: number) =>
  z
    .string()
    .overwrite((value) => cutAtWord(value.trim(), max))
    .min(1);
const webAddress = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/\S+$/i);

/** Row of a web-mapping provider. Unknown members are absent or null. */
const enrichmentRow = z.object({
  name: cutText(NAME_MAX),
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  rating: z.number().min(0).max(5).nullish(),
  review_count: z.int().min(0).max(2_000_000_000).nullish(),
  price_range: text(40).nullish(),
  price_line: z
    .object({
      text: text(200),
      read_at: z.iso.datetime({ offset: true }).or(z.iso.date()),
      source_url: webAddress,
    })
    .nullish(),
  website: webAddress.nullish(),
  booking_url: webAddress.nullish(),
  phone: text(40).nullish(),
  address: cutText(ADDRESS_MAX).nullish(),
  city: text(120).nullish(),
  category: text(120).nullish(),
});

export type EnrichmentRow = z.output<typeof enrichmentRow>;

/** Parses a row of a file: a plain object, or a GeoJSON feature with a point. */
export function parseEnrichmentRow(value: unknown): EnrichmentRow | null {
  const { success, data } = enrichmentRow.safeParse(visibleMembers(plainRow(value)));
  return success ? data : null;
}

function plainRow(value: unknown): unknown {
  const feature = (value ?? {}) as { type?: unknown; geometry?: unknown; properties?: unknown };
  if (feature.type !== 'Feature') return value;
  const { type, coordinates } = (feature.geometry ?? {}) as { type?: unknown; coordinates?: unknown };
  const [lng, lat] = type === 'Point' && Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
  return { ...(feature.properties ?? {}), lng, lat };
}
