const EXAMPLES_MAX = 20;

/** Counts lines of a table that an import skipped, with the first ones and why. */
export class SkippedLines {
  count = 0;
  readonly examples: string[] = [];

  add(line: number, reason: string): void {
    this.count++;
    if (this.examples.length < EXAMPLES_MAX)
      this.examples.push(`line ${line}: ${reason.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 120)}`);
  }
}
