import { featuresContaining } from '@rapideditor/country-coder';
import type { HoursPlace } from './osm-hours-library.ts';

/** Countries for which country-coder knows regions with holidays of their own. */
const DIVIDED = new Set(['GB', 'ES', 'US', 'AU', 'FR']);
/** Islands with a reserved code instead of their region's. */
const RESERVED: Readonly<Record<string, string>> = { IC: 'ES-CN' };

/** Returns the regions of a place, in ISO 3166-2, from the map or the position. Some holidays apply only there. */
export function holidayRegions({ lat, lng, country, regions = [] }: HoursPlace): readonly string[] {
  const code = country.toUpperCase();
  const own = regions.filter((region) => region.startsWith(`${code}-`));
  if (own.length > 0 || !DIVIDED.has(code)) return own;
  for (const { properties } of featuresContaining([lng, lat])) {
    const reserved = RESERVED[properties.iso1A2 ?? ''];
    const region = reserved ?? properties.aliases?.find((alias) => alias.startsWith(`${code}-`));
    if (region !== undefined) return [region];
  }
  return [];
}
