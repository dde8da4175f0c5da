import { readFileSync } from 'node:fs';
import { raw, type Html } from '../../../core/text/html.ts';

/** Icons of Lucide 1.62.0 (ISC), unchanged files in assets/icons: only those in use. */
const NAMES = [
  'badge-check',
  'calendar-days',
  'clock',
  'footprints',
  'globe',
  'locate-fixed',
  'map',
  'map-pin',
  'navigation',
  'phone',
  'search',
  'star',
  'users',
  'utensils',
] as const;

type IconName = (typeof NAMES)[number];

const icons = new Map(NAMES.map((name) => [name, readIcon(name)]));

/** Renders an icon beside a text, which says the same in words. */
export function icon(name: IconName): Html {
  return icons.get(name) ?? raw('');
}

function readIcon(name: IconName): Html {
  const file = readFileSync(new URL(`../assets/icons/${name}.svg`, import.meta.url), 'utf8');
  const shapes = file.slice(file.indexOf('>', file.indexOf('<svg')) + 1, file.lastIndexOf('</svg>'));
  return raw(
    `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes.replaceAll(/\s*\n\s*/g, '')}</svg>`,
  );
}
