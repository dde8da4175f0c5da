import { glob, readFile } from 'node:fs/promises';
import { lastRun } from './last-run.ts';

/** Slow files start first, so that no process runs long after the others. Times of an earlier run replace this list. */
const LONGEST = [
  'test/protocol/malformed-input',
  'test/bookings/model/',
  'test/licensing/',
  'test/journeys/',
  'test/surfaces/people/traveller/visitors',
];
/** Files that kill processes again and again, or fill a disk, by what they import. */
const KILLS = /killed-node\.ts|small-disk\.ts|own-postgres\.ts|chaos\/postgres-server\.ts/;
/** Files that measure CPU time. It grows with what runs beside them. */
const MEASURES = /bench\/search\/shapes\.ts/;
/** A browser often waits, so that these files take longer than others. */
const HAS_BROWSER = /\bopenBrowser\(|\bViewHost\b/;
const HAS_LONG_FORM = /harness\/tier\.ts|LOOKS\b/;

export interface Chosen {
  files: string[];
  /** Those that do not run beside another of them. */
  alone: Set<string>;
  /** Those that run after all others, one after the other. */
  last: Set<string>;
}

/**
 * The files of a tier, longest first. `npm test` runs all files but *.long.test.ts; the long tier runs these and the long form
 * of every file that has one.
 */
export async function chooseFiles(tier: 'quick' | 'long', parts: readonly string[]): Promise<Chosen> {
  const found = (await Array.fromAsync(glob('test/**/*.test.ts'))).toSorted();
  const texts = new Map(
    await Promise.all(found.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  );
  const isLong = (file: string) => file.endsWith('.long.test.ts');
  const files = found.filter((file) => {
    if (parts.length > 0 && !parts.some((part) => file.includes(part))) return false;
    // A file that is named is run.
    if (tier === 'quick') return parts.length > 0 || !isLong(file);
    return isLong(file) || HAS_LONG_FORM.test(texts.get(file) ?? '');
  });
  const those = (sort: RegExp) => new Set(files.filter((file) => sort.test(texts.get(file) ?? '')));
  return { files: longestFirst(files, texts), alone: those(KILLS), last: those(MEASURES) };
}

function longestFirst(files: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  const { ms } = lastRun();
  const guess = (file: string) => {
    if (LONGEST.some((start) => file.startsWith(start))) return 30_000;
    return HAS_BROWSER.test(texts.get(file) ?? '') ? 10_000 : 0;
  };
  const expected = (file: string) => ms[file] ?? guess(file);
  return files.toSorted((a, b) => expected(b) - expected(a));
}
