import type { Tags } from '../categories.ts';
import { DAY_MS } from '../../core/time.ts';

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?=$|[T ;.])/;

/** A mapper's date: year, month or day. A year stands for its first day, which never claims too much. */
function parseCheckDate(text: string | undefined): Date | null {
  const [, year, month = '01', day = '01'] = DATE.exec((text ?? '').trim()) ?? [];
  if (year === undefined) return null;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** When the hours, or else the object, were last checked, or else when it was last changed. */
export function readTouchedAt(tags: Tags, changedAt: Date | null): Date | null {
  for (const key of ['check_date:opening_hours', 'check_date']) {
    const checked = parseCheckDate(tags.get(key));
    if (checked === null) continue;
    // Nobody can have checked after the change that wrote the date down: a later one is a slip of the pen.
    if (changedAt !== null && checked.getTime() > changedAt.getTime() + DAY_MS) continue;
    return checked;
  }
  return changedAt;
}
