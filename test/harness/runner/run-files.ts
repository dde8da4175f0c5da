import { fork, type ChildProcess } from 'node:child_process';
import { totalmem } from 'node:os';
import { join } from 'node:path';

export interface FileResult {
  file: string;
  ok: boolean;
  counts: Record<string, number>;
  /** What a person reads: its tests, and what failed in it. */
  printed: string;
  ms: number;
  /** What its process holds in memory afterwards. */
  memoryBytes: number;
}

interface RunOptions {
  processes: number;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  finished: (result: FileResult) => void;
}

const TEST_PROCESS = join(import.meta.dirname, 'test-process.ts');
/** A file that takes longer hangs, or left something open that keeps its process from ending. */
const FILE_TIMEOUT_MS = 600_000;
/**
 * The runner of tests never forgets a test. A process that holds so much is replaced, which takes two seconds; four of them
 * together hold a quarter of the memory at most where there is plenty.
 */
const MEMORY_MAX_BYTES = Math.max(800_000_000, totalmem() / 16);

/** Runs the files in the order given, in a few processes that take the next one whenever they are done. */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<void> {
  const waiting = [...files];
  const work = async () => {
    let child: ChildProcess | undefined;
    for (let file = waiting.shift(); file !== undefined && !options.signal.aborted; file = waiting.shift()) {
      child ??= fork(TEST_PROCESS, { env: options.env, signal: options.signal, killSignal: 'SIGTERM' });
      const result = await runIn(child, file);
      if (result.memoryBytes > MEMORY_MAX_BYTES) child.disconnect();
      if (!child.connected) child = undefined;
      options.finished(result);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(options.processes, files.length) }, work));
}

/** A process that dies takes its file with it, and no other: the next file gets a new one. */
function runIn(child: ChildProcess, file: string): Promise<FileResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const done = (result: FileResult) => {
      clearTimeout(patience);
      child.off('message', done).off('exit', died).off('error', ignore);
      resolve(result);
    };
    const died = (code: number | null, signal: string | null) => {
      const printed = `✖ ${file}: its process ended with ${signal ?? code ?? 'nothing'} before its tests did\n`;
      done({
        file,
        ok: false,
        counts: { tests: 1, failed: 1 },
        printed,
        ms: performance.now() - startedAt,
        memoryBytes: 0,
      });
    };
    const ignore = () => undefined;
    const patience = setTimeout(() => child.kill('SIGKILL'), FILE_TIMEOUT_MS);
    child.on('message', done).on('exit', died).on('error', ignore);
    child.send(file);
  });
}
