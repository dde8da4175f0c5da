import { DAY_MS } from '../../core/time.ts';

const EXAMPLES_MAX = 5;
const EXAMPLE_LENGTH_MAX = 60;

/** Counts values that an import truncated or ignored, with the first objects that had them as examples. */
export class ImportNotes {
  readonly #now: Date;
  readonly cut = { count: 0, examples: [] as string[] };
  readonly dates = { count: 0, examples: [] as string[] };

  constructor(now: Date) {
    this.#now = now;
  }

  noteCut(reference: string, keys: readonly string[]): void {
    this.cut.count += keys.length;
    if (this.cut.examples.length < EXAMPLES_MAX)
      this.cut.examples.push(`${printable(reference)} (${printable(keys[0] ?? '')})`);
  }

  /** Returns the date if it is possible: since 1970 and not in the future. Others are counted. */
  usableDate(reference: string, date: Date | null): Date | null {
    if (date === null) return null;
    const time = date.getTime();
    if (time >= 0 && time <= this.#now.getTime() + DAY_MS) return date;
    this.dates.count++;
    if (this.dates.examples.length < EXAMPLES_MAX) this.dates.examples.push(printable(reference));
    return null;
  }
}

/** Makes text from an untrusted file safe to print in a terminal. */
function printable(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, EXAMPLE_LENGTH_MAX);
}
