import { DAY_MS } from '../core/time.ts';

const SATURDAY = 6;
const SUNDAY = 0;

/** Expected time of the review: one working day later. It is a target that the console tracks, not a promise. */
export function expectedBy(submittedAt: Date): Date {
  const due = new Date(submittedAt.getTime() + DAY_MS);
  while (due.getUTCDay() === SATURDAY || due.getUTCDay() === SUNDAY) due.setTime(due.getTime() + DAY_MS);
  return due;
}
