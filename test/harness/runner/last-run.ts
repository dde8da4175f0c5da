import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileResult } from './run-files.ts';

const FILE = join(import.meta.dirname, '../../../node_modules/.cache/waypost-tests.json');

/** The runner's memory of earlier runs: the files that failed in the last one, and the time of each file. */
interface Remembered {
  failed: string[];
  ms: Record<string, number>;
}

export function lastRun(): Remembered {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Remembered;
  } catch {
    return { failed: [], ms: {} };
  }
}

export function remember(results: readonly FileResult[]): void {
  const ms = { ...lastRun().ms, ...Object.fromEntries(results.map((result) => [result.file, result.ms])) };
  const failed = results.filter(({ ok }) => !ok).map(({ file }) => file);
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ failed, ms } satisfies Remembered));
}
