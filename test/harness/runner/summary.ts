import type { FileResult } from './run-files.ts';

const COUNTS = ['tests', 'passed', 'failed', 'cancelled', 'skipped', 'todo'];

/** What is read last: what failed, the counts of all files, and the command that runs those again which failed. */
export function summaryOf(results: readonly FileResult[]): string {
  const failed = results.filter(({ ok }) => !ok);
  const failures = failed.map(({ file, printed }) => {
    const lines = printed.split('\n').filter((line) => !line.includes('✔'));
    return `✖ ${file}\n${lines.join('\n')}`;
  });
  const counts = COUNTS.map((of) => {
    const sum = results.reduce((all, result) => all + (result.counts[of] ?? 0), 0);
    return `${sum} ${of}`;
  });
  const again = failed.length > 0 ? [`npm test -- ${failed.map(({ file }) => file).join(' ')}`] : [];
  return [...failures, `${results.length} files: ${counts.join(', ')}`, ...again].join('\n');
}
