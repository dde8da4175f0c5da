import type { FileResult } from './run-files.ts';

const COUNTS = ['tests', 'passed', 'failed', 'cancelled', 'skipped', 'todo'];
const SLOWEST = 10;

interface Run {
  results: readonly FileResult[];
  /** How many files there were to run. */
  files: number;
  ms: number;
  cpuMs: number;
}

/** The end of the output: the failures again, the slowest files, the times and the counts. */
export function summaryOf({ results, files, ms, cpuMs }: Run): string {
  const failed = results.filter(({ ok }) => !ok);
  const counts = COUNTS.map((of) => {
    const sum = results.reduce((all, result) => all + (result.counts[of] ?? 0), 0);
    return `${sum} ${of}`;
  });
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  return [
    ...failed.map(failuresOf),
    ...(results.length > 1 ? ['The slowest files:', ...slowest.map(timesOf), ''] : []),
    `${time(ms)}, ${time(cpuMs)} of CPU time`,
    `${results.length} of ${files} files: ${counts.join(', ')}`,
    ...(failed.length > 0 ? ['npm test -- --failed runs the failed files again.'] : []),
  ].join('\n');
}

/** The output of a failed file without its passed tests. */
export function failuresOf({ file, printed }: FileResult): string {
  const lines = printed.split('\n').filter((line) => !line.includes('✔'));
  return `✖ ${file}\n${lines.join('\n')}`;
}

function timesOf({ file, ms, cpuMs }: FileResult): string {
  return `  ${(ms / 1000).toFixed(1).padStart(6)} s, ${(cpuMs / 1000).toFixed(1).padStart(5)} s of CPU  ${file}`;
}

/** "3 min 10 s". */
export function time(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
