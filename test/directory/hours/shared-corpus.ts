import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { compileHours } from '../../../src/directory/hours/compile-hours.ts';
import { BERLIN } from './berlin.ts';

/** Real values lie beside the repository, because their licence differs; elsewhere the tests that need them skip. */
const FOLDER = join(import.meta.dirname, '../../../../shared/data/opening_hours');

export const REAL_VALUES = 'real_values_from_extracts.tsv';
export const INVALID_VALUES = 'invalid_opening_hours.tsv';

export function corpusOptions(name: string): { skip: string | false } {
  const file = join(FOLDER, name);
  return { skip: existsSync(file) ? false : `the shared data file ${name} is not here` };
}

/** The values of a file that has a count before each, without the count. */
export function readCorpus(name: string): string[] {
  const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => line.slice(line.indexOf('\t') + 1));
}

export interface CorpusResult {
  readonly values: number;
  readonly compiled: number;
}

/** Compiles every value once and prints what came out and how long it took. */
export function compileCorpus(context: TestContext, values: readonly string[]): CorpusResult {
  // The first values pay for loading the library and for warming it up.
  for (const value of values.slice(0, 300)) compileHours(value, BERLIN);
  const times: number[] = [];
  const counts = { compiled: 0, doubtful: 0, dated: 0, bytes: 0 };
  for (const value of values) {
    const start = performance.now();
    const compiled = compileHours(value, BERLIN);
    times.push(performance.now() - start);
    if (compiled === null) continue;
    counts.compiled++;
    counts.bytes += JSON.stringify(compiled).length;
    if (compiled.doubtful === true) counts.doubtful++;
    if (compiled.until !== undefined) counts.dated++;
  }
  times.sort((a, b) => a - b);
  const percentile = (share: number): string => (times[Math.ceil(share * times.length) - 1] ?? 0).toFixed(2);
  const share = (count: number): string => `${((count / values.length) * 100).toFixed(2)} %`;
  context.diagnostic(`${values.length} values, ${counts.compiled} compiled (${share(counts.compiled)})`);
  context.diagnostic(`${counts.doubtful} doubtful (${share(counts.doubtful)}), ${counts.dated} with dates`);
  context.diagnostic(`${Math.round(counts.bytes / counts.compiled)} bytes of JSON on average`);
  context.diagnostic(
    `ms each: p50 ${percentile(0.5)}, p95 ${percentile(0.95)}, p99 ${percentile(0.99)}, max ${percentile(1)}`,
  );
  return { values: values.length, compiled: counts.compiled };
}
