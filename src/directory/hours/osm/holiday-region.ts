import { featuresContaining } from '@rapideditor/country-coder';
import type { HoursPlace } from './osm-hours-library.ts';

/** Countries of which the coder knows parts that have holidays of their own. */
const DIVIDED = new Set(['GB', 'ES', 'US', 'AU', 'FR']);
/** Islands with a reserved code instead of that of their region. */
const RESERVED: Readonly<Record<string, string>> = { IC: 'ES-CN' };

/** The parts of a country, in ISO 3166-2, where a map or the position tells them. Some holidays hold there only. */
export function holidayRegions({ lat, lng, country, regions = [] }: HoursPlace): readonly string[] {
  const code = country.toUpperCase();
  const own = regions.filter((region) => region.startsWith(`${code}-`));
  if (own.length > 0 || !DIVIDED.has(code)) return own;
  for (const { properties } of featuresContaining([lng, lat])) {
    const reserved = RESERVED[properties.iso1A2 ?? ''];
    const known = reserved ?? properties.aliases?.find((alias) => alias.startsWith(`${code}-`));
    if (known !== undefined) return [known];
  }
  return [];
}
