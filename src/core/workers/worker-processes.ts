import cluster, { type Worker } from 'node:cluster';
import type { Readable } from 'node:stream';
import type { Log } from '../log.ts';
import { ProcessChannel } from './process-channel.ts';
import { WorkerEndedError } from './worker-ended-error.ts';

const RESTART_MS = 500;
/** A process that has not ended this long after its own time limit is killed. */
const KILL_MARGIN_MS = 5_000;

interface WorkerOptions {
  count: number;
  env: Record<string, string>;
  log: Log;
  /** Takes whole lines of the log: several processes writing to one pipe would split them. */
  write: (lines: string) => void;
  greet: (worker: ProcessChannel) => void;
}

/** Processes that run the same program as this one and share its port. One that ends is restarted. */
export class WorkerProcesses {
  readonly #options: WorkerOptions;
  readonly #running = new Map<Worker, ProcessChannel>();
  readonly #failed = Promise.withResolvers<never>();
  #listening = 0;
  readonly #allListen = Promise.withResolvers<undefined>();
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    // Prevents an unhandled rejection while nobody waits yet.
    this.#failed.promise.catch(() => undefined);
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ serialization: 'advanced', silent: true });
  }

  async start(): Promise<void> {
    for (let started = 0; started < this.#options.count; started++) this.#fork();
    await Promise.race([this.#allListen.promise, this.#failed.promise]);
  }

  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  fail(reason: Error): void {
    this.#failed.reject(reason);
  }

  get counterparts(): readonly ProcessChannel[] {
    return [...this.#running.values()];
  }

  broadcast(about: string, what?: unknown): void {
    for (const worker of this.#running.values()) worker.send(about, what);
  }

  async stop(limitMs: number): Promise<void> {
    this.#stopping = true;
    const ended = [...this.#running.keys()].map(
      // 'close' rather than 'exit', so that its last output has arrived too.
      (worker) => new Promise((resolve) => worker.process.once('close', resolve)),
    );
    this.broadcast('stop');
    const kill = setTimeout(() => {
      for (const { process } of this.#running.keys()) process.kill('SIGKILL');
    }, limitMs + KILL_MARGIN_MS).unref();
    await Promise.all(ended);
    clearTimeout(kill);
  }

  #fork(): void {
    const { env, log, greet } = this.#options;
    const worker = cluster.fork(env);
    const counterpart = new ProcessChannel((message) => {
      // A process that has just ended is skipped; its exit is handled below.
      if (worker.isConnected()) worker.send(message, () => undefined);
    });
    this.#running.set(worker, counterpart);
    worker.on('message', (message: unknown) => void counterpart.receive(message));
    worker.on('error', (error) =>
      log.warn({ err: error, pid: worker.process.pid }, 'a worker process could not be reached'),
    );
    worker.once('listening', () => {
      this.#listening++;
      if (this.#listening === this.#options.count) this.#allListen.resolve(undefined);
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      this.#running.delete(worker);
      counterpart.gone();
      this.#replace({ pid: worker.process.pid, code, signal });
    });
    this.#forwardOutput(worker.process.stdout);
    this.#forwardOutput(worker.process.stderr);
    greet(counterpart);
  }

  #replace(ended: { pid: number | undefined; code: number | null; signal: string | null }): void {
    if (this.#stopping) return;
    // A failure at the start would repeat, and the operator needs to see it.
    if (this.#listening < this.#options.count) {
      this.fail(
        new WorkerEndedError(
          `A worker process ended during its start, with ${ended.signal ?? `code ${ended.code}`}.`,
        ),
      );
      return;
    }
    this.#options.log.error(ended, 'a worker process ended and is being restarted');
    setTimeout(() => {
      if (!this.#stopping) this.#fork();
    }, RESTART_MS).unref();
  }

  #forwardOutput(stream: Readable | null): void {
    let rest = '';
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => {
      const end = chunk.lastIndexOf('\n') + 1;
      if (end > 0) this.#options.write(rest + chunk.slice(0, end));
      rest = (end > 0 ? '' : rest) + chunk.slice(end);
    });
    stream?.once('end', () => {
      if (rest !== '') this.#options.write(`${rest}\n`);
    });
  }
}
