import { hoursOfWeek } from './day-hours.ts';
import type { TableField } from './fields.ts';

const CLOSED_FOR_GOOD = /^(yes|true|1|ja|oui|si|sì|sí|closed|permanently[ _]closed|closed[ _]permanently)$/i;
/** A number or a yes as the status of a row says nothing about the place. */
const STATUS_CLOSED = /^(closed|permanently[ _]closed|closed[ _]permanently)$/i;
const DATE = /^\d{4}-\d{2}-\d{2}/;
/** Fields that are read otherwise. */
const NOT_TAGS = new Set<TableField>([
  ...(['lat', 'lng', 'position', 'id', 'updated', 'closed', 'status', 'special_hours'] as const),
  ...(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const),
]);

/** Converts the fields of a table to map tags. */
export function tagsOfFields(fields: ReadonlyMap<TableField, string>): Map<string, string> {
  const tags = new Map<string, string>();
  for (const [field, value] of fields) if (!NOT_TAGS.has(field)) tags.set(field, value);
  const hours = hoursOfWeek(fields);
  if (hours !== null && !tags.has('opening_hours')) tags.set('opening_hours', hours);
  const updated = fields.get('updated');
  if (updated !== undefined) tags.set('timestamp', updated);
  return tags;
}

/** Returns the words with which a row states that the place has closed for good, or null. */
export function closedInFields(fields: ReadonlyMap<TableField, string>): string | null {
  const closed = fields.get('closed') ?? '';
  const day = Date.parse(DATE.exec(closed)?.[0] ?? '');
  if (CLOSED_FOR_GOOD.test(closed) || day <= Date.now()) return `closed=${closed}`;
  const status = fields.get('status') ?? '';
  return STATUS_CLOSED.test(status) ? `status=${status}` : null;
}
