import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { ensureChromium } from './harness/browser/chromium.ts';
import { createTemplate, prepareTestServer } from './harness/service/database.ts';
import { runFiles, type FileResult } from './harness/runner/run-files.ts';
import { summaryOf } from './harness/runner/summary.ts';

// Each process loads the whole service; what one has compiled, the next one finds.
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/waypost-compiled');

/** Two for each core of a small machine, because a test often waits for PostgreSQL, Chromium or a second node. */
const FILES_AT_ONCE = 4;
/** What takes longest begins first, so that no process is busy long after the others. */
const LONGEST = [
  'test/protocol/malformed-input',
  'test/client/package',
  'test/journeys/booking-crashes',
  'test/bookings/model/',
  'test/licensing/property',
  'test/licensing/race',
  'test/journeys/kill-nine',
  'test/journeys/',
  'test/core/embedded-postgres',
  'test/surfaces/people/',
];

// Brings up what the tests need (a real PostgreSQL with a migrated template, a real Chromium), runs them, and
// takes it down again. Arguments name test files; --update-snapshots writes the committed descriptions anew.
const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));
const note = (message: string) => process.stdout.write(`${message}\n`);

const all = await findFiles(files.length > 0 ? files : ['test/**/*.test.ts']);
const chromium = ensureChromium(note);
const folder = await mkdtemp(join(tmpdir(), 'waypost-test-'));
const openServer = () => openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const first = await openServer();
await prepareTestServer(first.url).finally(() => first.release());
const server = await openServer();
try {
  process.env['TEST_FOLDER'] = folder;
  await createTemplate(server.url);
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILED,
    TEST_POSTGRES_URL: server.url,
    TEST_CHROMIUM: chromium ?? '',
    UPDATE_SNAPSHOTS: args.includes('--update-snapshots') ? '1' : '',
  };
  const results: FileResult[] = [];
  const ended = new AbortController();
  // Whoever ends the tests early ends their processes; the server is taken down below in any case.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      ended.abort();
    });
  await runFiles(longestFirst(all), {
    processes: FILES_AT_ONCE,
    env,
    signal: ended.signal,
    finished: (result) => {
      results.push(result);
      note(`${result.file} (${(result.ms / 1000).toFixed(1)} s)\n${result.printed}`);
    },
  });
  note(summaryOf(results));
  process.exitCode = results.length === all.length && results.every(({ ok }) => ok) ? 0 : 1;
} finally {
  await server.release();
  await rm(folder, { recursive: true, force: true });
}

async function findFiles(patterns: readonly string[]): Promise<string[]> {
  const found = await Promise.all(patterns.map((pattern) => Array.fromAsync(glob(pattern))));
  const missing = patterns.filter((_, at) => found[at]?.length === 0);
  if (missing.length > 0) {
    process.stderr.write(`There is no test file ${missing.join(', ')}.\n`);
    process.exit(1);
  }
  return [...new Set(found.flat())];
}

function longestFirst(all: readonly string[]): string[] {
  const rank = (file: string) => LONGEST.findIndex((start) => file.startsWith(start)) + 1 || Infinity;
  return all.toSorted().toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}
