import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes, type ResolveFnOutput } from 'node:module';
import { join, resolve } from 'node:path';
import { run, type EventData } from 'node:test';
import { spec } from 'node:test/reporters';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { cpuTimeMs } from './cpu-time.ts';
import { closeKept } from './kept.ts';
import type { FileResult, FromProcess } from './run-files.ts';

// A process that runs test files one after the other. The service and its libraries are loaded and compiled once.
const TESTS = pathToFileURL(join(import.meta.dirname, '../..', '/')).href;
const ENTRY_FILE = join(import.meta.dirname, 'entry.ts');
const ENTRY = pathToFileURL(ENTRY_FILE).href;
const KEPT = new URL('kept.ts', import.meta.url).href;
/** The counts of one file are left out: those of all files are printed at the end. */
const COUNTS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

/** Those events that are looked at here. */
type Events = AsyncIterable<
  | { type: 'test:summary'; data: EventData.TestSummary }
  | { type: 'test:diagnostic'; data: EventData.TestDiagnostic }
  | { type: 'test:dequeue'; data: EventData.TestDequeue }
  | { type: 'test:complete'; data: EventData.TestComplete }
  | { type: 'test:pass'; data: EventData.TestPass }
>;

// Modules of the tests themselves (the harness, a made-up town) are loaded anew for each file, as their state and hooks
// belong to one file. Only the modules of the service and those of shared things stay loaded.
let filesRun = 0;
/** Each file imports the same again, and finding a module reads the disk. */
const resolved = new Map<string, ResolveFnOutput>();
/** Modules that are loaded again and again, without their types. */
const sources = new Map<string, string>();
let entryUrl = '';
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = import.meta.url } = context;
    const [parent = ''] = parentURL.split('?');
    if (!parent.startsWith(TESTS)) return next(specifier, context);
    const key = `${specifier} ${parent} ${context.conditions.join()}`;
    const found = resolved.get(key) ?? { ...next(specifier, context), shortCircuit: true };
    resolved.set(key, found);
    if (found.url === KEPT) return found;
    if (found.url === ENTRY) return { ...found, url: entryUrl };
    if (!found.url.startsWith(TESTS) || parentURL === import.meta.url) return found;
    return { ...found, url: `${found.url}?file=${filesRun}` };
  },
  load(url, context, next) {
    const [file = '', query] = url.split('?');
    if (query === undefined || !file.endsWith('.ts')) return next(url, context);
    const source = sources.get(file) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(file), 'utf8'));
    sources.set(file, source);
    return { format: 'module', source, shortCircuit: true };
  },
});

process.on('message', (file: string) => {
  void runFile(file);
});
// A connection that a file forgot would keep the process, and with it the whole run, alive.
process.on('disconnect', () => void closeKept().finally(() => process.exit()));

/** The file is over when nothing is left that keeps the process alive, as if it were alone in it, or with its last hook. */
async function runFile(file: string): Promise<void> {
  filesRun += 1;
  entryUrl = `${ENTRY}?file=${filesRun}&run=${encodeURIComponent(resolve(file))}`;
  const startedAt = performance.now();
  const cpuBefore = cpuTimeMs();
  process.channel?.unref();
  const report = new spec();
  const printed = text(report);
  let summary: EventData.TestSummary | undefined;
  for await (const event of run({ files: [ENTRY_FILE], isolation: 'none' }) as Events) {
    if (event.type === 'test:dequeue') tell({ begun: event.data.name });
    if (event.type === 'test:complete') tell({ ended: event.data.name });
    if (event.type === 'test:summary') summary = event.data;
    else if (event.type !== 'test:diagnostic' || !COUNTS.test(event.data.message)) report.write(event);
  }
  report.end();
  process.channel?.ref();
  process.exitCode = 0;
  const thrown = await thrownBy(file);
  const result: FileResult = {
    file,
    ok: summary?.success === true && thrown === '',
    counts: { ...summary?.counts },
    printed: (await printed) + thrown,
    ms: performance.now() - startedAt,
    cpuMs: cpuTimeMs() - cpuBefore,
    memoryBytes: process.memoryUsage.rss(),
  };
  tell({ result });
}

function tell(message: FromProcess): void {
  process.send?.(message);
}

/** The runner keeps an error to itself that a file throws after its first test was declared; the loader remembers it. */
async function thrownBy(file: string): Promise<string> {
  try {
    await import(entryUrl);
    return '';
  } catch (error) {
    return `✖ ${file} could not be loaded: ${inspect(error)}\n`;
  }
}
