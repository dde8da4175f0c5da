import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Section {
  machine: string;
  lines: string[];
  /** The numbers from which the charts are drawn. */
  figures: Record<string, unknown>;
}

// BENCH_RESULTS names another folder, for a trial that is not to stand in the record.
const FOLDER = process.env['BENCH_RESULTS'] ?? import.meta.dirname;
const JSON_FILE = join(FOLDER, 'results.json');
// The load before the run: results from a busy machine mean little.
const LOAD_BEFORE = (loadavg()[0] ?? 0).toFixed(1);
const INTRO =
  '# Benchmarks\n\nWritten by the programs in this folder. Each section compares side by side in one run; only the ratios mean something, because machines differ and this one is shared.\n';

/** The last results of every benchmark, by the title of its section. */
export function readSections(): Record<string, Section> {
  try {
    return JSON.parse(readFileSync(JSON_FILE, 'utf8')) as Record<string, Section>;
  } catch (thrown) {
    // The first benchmark makes the file.
    if ((thrown as { code?: string }).code === 'ENOENT') return {};
    throw thrown;
  }
}

/** Replaces one section and writes both files from all of them: results.md for people, results.json for the charts. */
export function writeResults(title: string, lines: readonly string[], figures: object = {}): void {
  const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB; load average before the run ${LOAD_BEFORE}.`;
  const all = { ...readSections(), [title]: { machine, lines: [...lines], figures } };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(JSON_FILE, `${JSON.stringify(sorted, null, 2)}\n`);
  const sections = Object.entries(sorted).map(
    ([name, section]) => `## ${name}\n\n${section.machine}\n\n${section.lines.join('\n')}\n`,
  );
  writeFileSync(join(FOLDER, 'results.md'), [INTRO, ...sections].join('\n'));
}
