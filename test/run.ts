import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { ensureChromium } from './harness/chromium.ts';
import { TEMPLATE_DATABASE, createTemplate, prepareTestServer } from './harness/database.ts';

// Each test file is a process of its own that loads the whole service; what one has compiled, the next one finds.
const COMPILED = join(import.meta.dirname, '../node_modules/.cache/waypost-compiled');

/** One more than a small machine has cores, because a test often waits for PostgreSQL, Chromium or a second node. */
const FILES_AT_ONCE = 3;

// Brings up what the tests need (a real PostgreSQL with a migrated template, a real Chromium), runs them, and
// takes it down again. Arguments name test files; --update-snapshots writes the committed descriptions anew.
const args = process.argv.slice(2);
const files = args.filter((arg) => !arg.startsWith('--'));
const note = (message: string) => process.stdout.write(`${message}\n`);

const chromium = await ensureChromium(note);
const folder = await mkdtemp(join(tmpdir(), 'waypost-test-'));
const openServer = () => openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const first = await openServer();
await prepareTestServer(first.url).finally(() => first.release());
const server = await openServer();
try {
  await createTemplate(server.url);
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILED,
    TEST_POSTGRES_URL: server.url,
    TEST_TEMPLATE: TEMPLATE_DATABASE,
    TEST_CHROMIUM: chromium ?? '',
    UPDATE_SNAPSHOTS: args.includes('--update-snapshots') ? '1' : '',
  };
  const tests = files.length > 0 ? files : ['test/**/*.test.ts'];
  const flags = ['--test', `--test-concurrency=${FILES_AT_ONCE}`, '--test-timeout=300000'];
  const child = spawn(process.execPath, [...flags, ...tests], { env, stdio: 'inherit' });
  // Whoever ends the tests early ends the runner; the server is taken down below in any case.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>((resolve) =>
    child.on('exit', (code) => {
      resolve(code ?? 1);
    }),
  );
} finally {
  await server.release();
  await rm(folder, { recursive: true, force: true });
}
