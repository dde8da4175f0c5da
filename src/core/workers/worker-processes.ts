import cluster, { type Worker } from 'node:cluster';
import type { Readable } from 'node:stream';
import type { Log } from '../log.ts';
import { Counterpart } from './counterpart.ts';
import { WorkerEndedError } from './worker-ended-error.ts';

const RESTART_MS = 500;
/** A process that has not ended so long after its own limit is killed. */
const KILL_MARGIN_MS = 5_000;

interface WorkerOptions {
  count: number;
  /** Settings that differ from those of this process. */
  env: Record<string, string>;
  log: Log;
  /** Takes whole lines of the log: several processes that write into one pipe would cut them. */
  write: (lines: string) => void;
  /** Tells and answers a process that has begun. */
  greet: (worker: Counterpart) => void;
}

/** Processes that run the same program as this one and share its port. One that ends is started anew. */
export class WorkerProcesses {
  readonly #options: WorkerOptions;
  readonly #running = new Map<Worker, Counterpart>();
  readonly #failed = Promise.withResolvers<never>();
  #listening = 0;
  readonly #allListen = Promise.withResolvers<undefined>();
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    // Nobody may be waiting yet.
    this.#failed.promise.catch(() => undefined);
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ serialization: 'advanced', silent: true });
  }

  /** Resolves when all of them listen. */
  async start(): Promise<void> {
    for (let started = 0; started < this.#options.count; started++) this.#fork();
    await Promise.race([this.#allListen.promise, this.#failed.promise]);
  }

  /** Rejects when they cannot go on. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** Ends all of it for a reason. */
  fail(reason: Error): void {
    this.#failed.reject(reason);
  }

  get counterparts(): readonly Counterpart[] {
    return [...this.#running.values()];
  }

  tellAll(about: string, what?: unknown): void {
    for (const worker of this.#running.values()) worker.tell(about, what);
  }

  /** Has them finish what they do, and waits until all have ended. */
  async stop(limitMs: number): Promise<void> {
    this.#stopping = true;
    const ended = [...this.#running.keys()].map(
      // Not only its end: its last lines have come too.
      (worker) => new Promise((resolve) => worker.process.once('close', resolve)),
    );
    this.tellAll('stop');
    const kill = setTimeout(() => {
      for (const { process } of this.#running.keys()) process.kill('SIGKILL');
    }, limitMs + KILL_MARGIN_MS).unref();
    await Promise.all(ended);
    clearTimeout(kill);
  }

  #fork(): void {
    const { env, log, greet } = this.#options;
    const worker = cluster.fork(env);
    const counterpart = new Counterpart((message) => {
      // One that has just ended hears nothing, and its end is heard of below.
      if (worker.isConnected()) worker.send(message, () => undefined);
    });
    this.#running.set(worker, counterpart);
    worker.on('message', (message: unknown) => void counterpart.receive(message));
    worker.on('error', (error) => {
      log.warn({ err: error, pid: worker.process.pid }, 'a serving process could not be reached');
    });
    worker.once('listening', () => {
      this.#listening++;
      if (this.#listening === this.#options.count) this.#allListen.resolve(undefined);
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      this.#running.delete(worker);
      counterpart.gone();
      this.#replace({ pid: worker.process.pid, code, signal });
    });
    this.#passOn(worker.process.stdout);
    this.#passOn(worker.process.stderr);
    greet(counterpart);
  }

  #replace(ended: { pid: number | undefined; code: number | null; signal: string | null }): void {
    if (this.#stopping) return;
    // What fails at the start would fail again, and whoever starts the service wants to know.
    if (this.#listening < this.#options.count) {
      this.fail(
        new WorkerEndedError(
          `A serving process ended at the start, with ${ended.signal ?? `code ${ended.code}`}.`,
        ),
      );
      return;
    }
    this.#options.log.error(ended, 'a serving process ended and is started anew');
    setTimeout(() => {
      if (!this.#stopping) this.#fork();
    }, RESTART_MS).unref();
  }

  #passOn(stream: Readable | null): void {
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
