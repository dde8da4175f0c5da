import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { compileHours } from '../../../src/directory/hours/compile/compile-hours.ts';
import { LONG } from '../../harness/tier.ts';
import { BERLIN } from './berlin.ts';
import { MADE_INVALID_VALUES, MADE_VALUES } from './made-values.ts';

/** Real values lie beside the repository, because their licence differs. */
const FOLDER = join(import.meta.dirname, '../../../../shared/data/opening_hours');

export interface Corpus {
  /** For the title of a test. */
  of: string;
  isReal: boolean;
  values: readonly string[];
}

/** The made-up values, which every machine has, and the real ones where they are. */
export const VALUES = corpora(MADE_VALUES, 'real_values_from_extracts.tsv');
export const INVALID_VALUES = corpora(MADE_INVALID_VALUES, 'invalid_opening_hours.tsv');

function corpora(made: readonly string[], name: string): Corpus[] {
  const file = join(FOLDER, name);
  const here: Corpus = { of: `${made.length} made-up values`, isReal: false, values: made };
  if (!existsSync(file)) return [here];
  // Each line has a count before the value.
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const values = lines.map((line) => line.slice(line.indexOf('\t') + 1));
  return [here, { of: `${values.length} real values`, isReal: true, values }];
}

const RETIMED_VALUES = 50;

export interface CorpusResult {
  readonly values: number;
  readonly compiled: number;
}

function timeOf(value: string): number {
  const start = performance.now();
  compileHours(value, BERLIN);
  return performance.now() - start;
}

/** A busy machine makes any value look slow once, so that the slowest are timed again and their best counts. */
function retimeSlowest(times: ReadonlyMap<string, number>): number {
  const slowest = [...times].sort((a, b) => b[1] - a[1]).slice(0, RETIMED_VALUES);
  return Math.max(...slowest.map(([value]) => Math.min(timeOf(value), timeOf(value), timeOf(value))));
}

/** Compiles every value and prints what came out and how long it took. */
export function compileCorpus(context: TestContext, values: readonly string[]): CorpusResult {
  // The first values pay for loading the library and for warming it up. Times are of interest in the long tier only.
  if (LONG) for (const value of values.slice(0, 300)) compileHours(value, BERLIN);
  const times = new Map<string, number>();
  const counts = { compiled: 0, doubtful: 0, dated: 0, bytes: 0 };
  for (const value of values) {
    const start = performance.now();
    const compiled = compileHours(value, BERLIN);
    times.set(value, performance.now() - start);
    if (compiled === null) continue;
    counts.compiled++;
    counts.bytes += JSON.stringify(compiled).length;
    if (compiled.doubtful === true) counts.doubtful++;
    if (compiled.until !== undefined) counts.dated++;
  }
  const sorted = [...times.values()].sort((a, b) => a - b);
  const percentile = (share: number): string =>
    (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(2);
  const share = (count: number): string => `${((count / values.length) * 100).toFixed(2)} %`;
  context.diagnostic(`${values.length} values, ${counts.compiled} compiled (${share(counts.compiled)})`);
  context.diagnostic(`${counts.doubtful} doubtful (${share(counts.doubtful)}), ${counts.dated} with dates`);
  context.diagnostic(`${Math.round(counts.bytes / counts.compiled)} bytes of JSON on average`);
  context.diagnostic(
    `ms each: p50 ${percentile(0.5)}, p95 ${percentile(0.95)}, p99 ${percentile(0.99)}, max ${percentile(1)}`,
  );
  if (!LONG) return { values: values.length, compiled: counts.compiled };
  const slowest = retimeSlowest(times).toFixed(2);
  context.diagnostic(`ms of the ${RETIMED_VALUES} slowest, best of three: max ${slowest}`);
  return { values: values.length, compiled: counts.compiled };
}
