import { copyField } from '../../core/postgres/copy-into.ts';
import type { DemoPlace, DemoPlaceHours } from '../demo-places.ts';

/** Tables filled for a place, each with its columns in the order of the lines below. */
export const DEMO_TABLES = {
  place:
    'place (id, destination_id, name, names, vertical, category, cuisine, country, city, area, address, lat, lng, ' +
    'phone, email, website, languages, price_range, about, badge, rating, review_count, prominence, hours, booking_method, ' +
    'booking_url, booking_platform, chosen_by_venue, closed_at, verified_at, observed_at, source, source_ref, ' +
    'created_at, updated_at)',
  closure: 'closure_evidence (place_id, kind, source_url, note, observed_at)',
  menu: 'menu (place_id, currency, sections, updated_at)',
  accolade: 'accolade (place_id, title, year, source_name, source_url)',
} as const;

// Lists contain only generated plain words, which need no quoting.
const list = (items: readonly string[]): string => (items.length === 0 ? '{}' : `{${items.join(',')}}`);

// The JSON of a week contains no character that COPY or JSON would escape.
function hoursField(hours: DemoPlaceHours | null): string {
  if (hours === null) return '\\N';
  const { week, source, observed_at } = hours;
  return `{${week.json},"source":"${source}","observed_at":"${observed_at}"}`;
}

function namesField(names: DemoPlace['names']): string {
  for (const _ in names) return copyField(JSON.stringify(names));
  return '{}';
}

/** Returns a line for COPY. Fields without `copyField()` are generated and need no escaping. */
export function placeLine(p: DemoPlace): string {
  return (
    `${p.id}\t${p.destination_id}\t${copyField(p.name)}\t${namesField(p.names)}\t${p.vertical}\t${p.category}\t` +
    `${list(p.cuisine)}\t${p.country}\t${copyField(p.city)}\t${copyField(p.area)}\t${copyField(p.address)}\t${p.lat}\t${p.lng}\t` +
    `${p.phone ?? '\\N'}\t${p.email ?? '\\N'}\t${p.website ?? '\\N'}\t${list(p.languages)}\t${p.price_range ?? '\\N'}\t` +
    `${copyField(p.about)}\t${p.badge}\t${p.rating ?? '\\N'}\t${p.review_count}\t${p.prominence}\t${hoursField(p.hours)}\t${p.booking_method}\t` +
    `${p.booking_url ?? '\\N'}\t${p.booking_platform ?? '\\N'}\t${p.chosen_by_venue ? 't' : 'f'}\t${p.closed_at ?? '\\N'}\t` +
    `${p.verified_at ?? '\\N'}\t${p.verified_at ?? p.updated_at}\tdemo\t${p.source_ref}\t${p.created_at}\t${p.updated_at}\n`
  );
}

export function closureLines({ id, closures }: DemoPlace): string {
  let lines = '';
  for (const { kind, source_url, note, observed_at } of closures) {
    lines += `${id}\t${kind}\t${copyField(source_url)}\t${copyField(note)}\t${observed_at}\n`;
  }
  return lines;
}

export function menuLine({ id, menu, updated_at }: DemoPlace): string {
  return menu === null
    ? ''
    : `${id}\t${menu.currency}\t${copyField(JSON.stringify(menu.sections))}\t${updated_at}\n`;
}

export function accoladeLines({ id, accolades }: DemoPlace): string {
  let lines = '';
  for (const { title, year, source_name, source_url } of accolades) {
    lines += `${id}\t${copyField(title)}\t${year}\t${copyField(source_name)}\t${copyField(source_url)}\n`;
  }
  return lines;
}
