import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { ensureChromium } from './harness/browser/chromium.ts';
import { chooseFiles } from './harness/runner/choose-files.ts';
import { cpuTimeMs } from './harness/runner/cpu-time.ts';
import { lastRun, remember } from './harness/runner/last-run.ts';
import { fastFolder } from './harness/runner/fast-folder.ts';
import { runFiles, type FileResult } from './harness/runner/run-files.ts';
import { failuresOf, summaryOf, time } from './harness/runner/summary.ts';
import { createTemplate, prepareTestServer } from './harness/service/database.ts';

// Brings up what the tests need (a real PostgreSQL with a migrated template, a real Chromium), runs them, and
// takes it down again.
//   npm test                    everything that can be shown in a few minutes
//   npm run test:long           the rest: many kills, long random sequences, every page in every look
//   npm test -- bookings/model  the files whose path contains this
//   npm test -- --failed        the files that failed in the run before
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean', default: false },
    failed: { type: 'boolean', default: false },
    'update-snapshots': { type: 'boolean', default: false },
  },
});

/** Each process loads the whole service. What one has compiled, the next one finds. */
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/waypost-compiled');
/** Two for each core, because a test often waits for PostgreSQL, Chromium or a second node. */
const PROCESSES_PER_CORE = 2;
/** Upper bound for a test process, its browser and its share of PostgreSQL. */
const PROCESS_BYTES = 1.5e9;
/** Up to this many files every test is printed. */
const FEW_FILES = 5;

const tier = values.long ? 'long' : 'quick';
const note = (message: string) => process.stdout.write(`${message}\n`);
const parts = values.failed ? lastRun().failed : positionals;
const { files, alone, last } = await chooseFiles(tier, parts);
if (files.length === 0 || (values.failed && parts.length === 0)) {
  note(
    values.failed
      ? 'No file failed in the run before.'
      : `No test file has ${parts.join(' or ')} in its path.`,
  );
  process.exit(values.failed ? 0 : 1);
}
const processes = Math.max(
  1,
  Math.min(PROCESSES_PER_CORE * availableParallelism(), Math.floor(totalmem() / PROCESS_BYTES), files.length),
);

const startedAt = performance.now();
// An install takes half a minute. Meanwhile the database is made, and what all test processes load is compiled.
const chromium = ensureChromium(note);
chromium.catch(() => undefined);
const compiled = compileOnce();
const tmp = fastFolder();
const folder = await mkdtemp(join(tmp, 'waypost-test-'));
const openServer = () => openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const first = await openServer();
await prepareTestServer(first.url).finally(() => first.release());
const server = await openServer();
const results: FileResult[] = [];
try {
  process.env['TEST_FOLDER'] = folder;
  await createTemplate(server.url);
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILED,
    TEST_TIER: tier,
    TEST_POSTGRES_URL: server.url,
    TEST_CHROMIUM: (await chromium) ?? '',
    TMPDIR: tmp,
    UPDATE_SNAPSHOTS: values['update-snapshots'] ? '1' : '',
  };
  await compiled;
  const ended = new AbortController();
  // Ending the run early ends the test processes; the server is stopped below in any case.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      ended.abort();
    });
  await runFiles(files, {
    processes,
    alone: (file) => alone.has(file),
    last: (file) => last.has(file),
    env,
    signal: ended.signal,
    finished: (result) => {
      results.push(result);
      const { file, ok, counts, ms, cpuMs, printed } = result;
      const progress = `${results.length} of ${files.length} files, ${time(performance.now() - startedAt)}`;
      const tests = `${counts['passed'] ?? 0} of ${counts['tests'] ?? 0} tests`;
      const took = `${(ms / 1000).toFixed(1)} s, ${(cpuMs / 1000).toFixed(1)} s of CPU`;
      note(`${ok ? '✔' : '✖'} ${file} (${tests}, ${took})  ${progress}`);
      if (files.length <= FEW_FILES) note(printed);
      else if (!ok) note(failuresOf(result));
    },
  });
} finally {
  await server.release();
  await rm(folder, { recursive: true, force: true });
}
remember(results);
const ms = performance.now() - startedAt;
note(summaryOf({ results, files: files.length, ms, cpuMs: cpuTimeMs() }));
process.exitCode = results.length === files.length && results.every(({ ok }) => ok) ? 0 : 1;

/** On a fresh checkout; later runs find what earlier ones compiled. */
async function compileOnce(): Promise<void> {
  if (existsSync(COMPILED) || files.length <= FEW_FILES) return;
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED };
  const program = join(import.meta.dirname, 'harness/runner/compile-once.ts');
  await once(spawn(process.execPath, [program], { env, stdio: 'inherit' }), 'close');
}
