import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { join } from 'node:path';

export interface FileResult {
  file: string;
  ok: boolean;
  counts: Record<string, number>;
  /** Output for people: its tests, and their failures. */
  printed: string;
  ms: number;
  /** CPU time of its process and of the programs that it started, without PostgreSQL. */
  cpuMs: number;
  /** Memory of its process after it ended. */
  memoryBytes: number;
}

/** A message from a test process while a file runs. Each message shows that the file makes progress. */
export type FromProcess = { begun: string } | { ended: string } | { result: FileResult };

interface RunOptions {
  processes: number;
  /** Whether a file kills processes or fills the machine. One such file runs at a time. */
  alone: (file: string) => boolean;
  /** Whether a file measures, and waits until all others are over. */
  last: (file: string) => boolean;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  finished: (result: FileResult) => void;
}

const TEST_PROCESS = join(import.meta.dirname, 'test-process.ts');
/**
 * Room for the objects of many tests before they are collected, which took 16 % of the time; and no threads that help
 * with it, because the other processes use the other cores.
 */
const GARBAGE = ['--min-semi-space-size=64', '--max-semi-space-size=128', '--single-threaded-gc'];
/** `stripTypeScriptTypes` is experimental. */
const QUIET = '--disable-warning=ExperimentalWarning';
/** A file in which no test began or ended for so long hangs. On the slowest machine one test takes a few minutes. */
const HANGS_AFTER_MS = 20 * 60_000;

/** Runs the files in the order given, in a few processes that take the next one whenever they are done. */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<void> {
  const waiting = files.filter((file) => !options.last(file));
  // The runner of tests never forgets a test. A process that holds so much is replaced, which takes two seconds.
  const memoryMaxBytes = Math.max(800_000_000, totalmem() / 4 / options.processes);
  const heapMb = Math.floor((0.6 * memoryMaxBytes) / 1e6);
  let aloneRuns = false;
  const take = () => {
    const at = waiting.findIndex((file) => !aloneRuns || !options.alone(file));
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const work = async () => {
    let child: ChildProcess | undefined;
    for (let file = take(); file !== undefined && !options.signal.aborted; file = take()) {
      const alone = options.alone(file);
      if (alone) aloneRuns = true;
      child ??= fork(TEST_PROCESS, {
        execArgv: [...GARBAGE, `--initial-heap-size=${heapMb}`, QUIET],
        env: options.env,
        signal: options.signal,
        killSignal: 'SIGTERM',
      });
      const result = await runIn(child, file);
      if (alone) aloneRuns = false;
      options.finished(result);
      if (result.memoryBytes > memoryMaxBytes) await end(child);
      if (!child.connected) child = undefined;
    }
    if (child !== undefined) await end(child);
  };
  // A process that finds only files which must wait for another ends, and that other one takes them.
  await Promise.all(Array.from({ length: Math.min(options.processes, files.length) }, work));
  waiting.push(...files.filter(options.last));
  await work();
}

/** A process closes what its files have shared before it ends. */
async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

/** A process that dies takes its file with it, and no other: the next file gets a new one. */
function runIn(child: ChildProcess, file: string): Promise<FileResult> {
  const startedAt = performance.now();
  const running = new Set<string>();
  return new Promise((resolve) => {
    const done = (result: FileResult) => {
      clearTimeout(patience);
      child.off('message', heard).off('exit', died).off('error', ignore);
      resolve(result);
    };
    const heard = (message: FromProcess) => {
      patience.refresh();
      if ('begun' in message) running.add(message.begun);
      else if ('ended' in message) running.delete(message.ended);
      else done(message.result);
    };
    const died = (code: number | null, signal: string | null) => {
      const during = running.size > 0 ? `, during: ${[...running].join('; ')}` : '';
      const how = hangs ? 'made no progress for 20 minutes' : `ended with ${signal ?? code ?? 'nothing'}`;
      done({
        file,
        ok: false,
        counts: { tests: 1, failed: 1 },
        printed: `✖ ${file}: its process ${how}${during}\n`,
        ms: performance.now() - startedAt,
        cpuMs: 0,
        memoryBytes: 0,
      });
    };
    let hangs = false;
    const ignore = () => undefined;
    const patience = setTimeout(() => {
      hangs = true;
      child.kill('SIGKILL');
    }, HANGS_AFTER_MS);
    child.on('message', heard).on('exit', died).on('error', ignore);
    child.send(file);
  });
}
