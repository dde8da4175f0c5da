import type { Tags } from '../categories.ts';
import { DAY_MS } from '../../core/time.ts';

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?=$|[T ;.])/;

/** Parses a mapper's date: year, month or day. A year means its first day, so that the date is never too recent. */
function parseCheckDate(text: string | undefined): Date | null {
  const [, year, month = '01', day = '01'] = DATE.exec((text ?? '').trim()) ?? [];
  if (year === undefined) return null;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Returns when the hours, or else the object, were last checked, or else when it was last changed. */
export function readLastEdited(tags: Tags, changedAt: Date | null): Date | null {
  for (const key of ['check_date:opening_hours', 'check_date']) {
    const checked = parseCheckDate(tags.get(key));
    if (checked === null) continue;
    // A check cannot be later than the change that recorded it: a later date is a typo.
    if (changedAt !== null && checked.getTime() > changedAt.getTime() + DAY_MS) continue;
    return checked;
  }
  return changedAt;
}
