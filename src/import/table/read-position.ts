import type { Point } from '../../core/geo.ts';
import type { TableField } from './fields.ts';

const NUMBER = /^([+-]?\d{1,3}(?:[.,]\d+)?)\s*°?\s*([NSEWO])?$/i;
const PAIR =
  /^[[(]?\s*([+-]?\d{1,3}(?:\.\d+)?°?\s*[NS]?)\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?°?\s*[EW]?)\s*[\])]?$/i;

/** Reads degrees with a decimal point or comma, and with the letter of a direction. */
function degreesOf(text: string | undefined): number | null {
  const [, digits, direction = ''] = NUMBER.exec(text?.trim() ?? '') ?? [];
  if (digits === undefined) return null;
  const degrees = Number(digits.replace(',', '.'));
  return /[SW]/i.test(direction) ? -degrees : degrees;
}

/** Returns the position of a row, or null when it has none on this planet. */
export function positionIn(fields: ReadonlyMap<TableField, string>): Point | null {
  const pair = PAIR.exec(fields.get('position')?.trim() ?? '');
  const lat = degreesOf(fields.get('lat') ?? pair?.[1]);
  const lng = degreesOf(fields.get('lng') ?? pair?.[2]);
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return null;
  // Exports write zeros for a position that is not known.
  return lat === 0 && lng === 0 ? null : { lat, lng };
}
