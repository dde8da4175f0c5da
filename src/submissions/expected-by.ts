import { DAY_MS } from '../core/time.ts';

const SATURDAY = 6;
const SUNDAY = 0;

/** When a review may be expected: one working day later. A target that the console holds us to, not a promise. */
export function expectedBy(submittedAt: Date): Date {
  const due = new Date(submittedAt.getTime() + DAY_MS);
  while (due.getUTCDay() === SATURDAY || due.getUTCDay() === SUNDAY) due.setTime(due.getTime() + DAY_MS);
  return due;
}
