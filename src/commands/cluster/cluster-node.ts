import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { exitOf, printLines, type Exit } from './child-output.ts';

const LOOK_AGAIN_MS = 250;
const ANSWER_MS = 5_000;
/** Pause before a node that ended is started again. */
const RESTART_MS = 1_000;

interface ClusterNodeOptions {
  name: string;
  port: number;
  env: NodeJS.ProcessEnv;
  /** Prints lines of its log. */
  print: (line: string) => void;
  /** Takes lines for people, such as the password of the first staff account. */
  announce: (line: string) => void;
}

/** One node of a cluster on this machine. A node that ends is started again, as a supervisor does. */
export class ClusterNode {
  readonly #options: ClusterNodeOptions;
  #child: ChildProcess | undefined;
  #ended: Promise<Exit> | undefined;
  #isStopping = false;

  constructor(options: ClusterNodeOptions) {
    this.#options = options;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Starts the node and waits until it is ready, or returns how it ended instead. */
  async start(): Promise<Exit | undefined> {
    if (this.#isStopping) return 'SIGTERM';
    let exit: Exit | undefined;
    const ended = this.#launch().then((how) => (exit = how));
    while (exit === undefined) {
      if (await this.#isReady()) return undefined;
      await Promise.race([ended, pause(LOOK_AGAIN_MS)]);
    }
    return exit;
  }

  /** Starts the node again whenever it ends, until it is stopped. */
  async supervise(): Promise<void> {
    for (;;) {
      const exit = await this.#ended;
      if (this.#isStopping) return;
      this.#say(
        `ended ${typeof exit === 'number' ? `with code ${exit}` : `by ${exit}`} and is started again`,
      );
      await pause(RESTART_MS);
      if ((await this.start()) === undefined) this.#say(`is ready again, process ${this.pid}`);
    }
  }

  /** Stops the node and waits for its end. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true;
    this.signal(signal);
    await this.#ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  #launch(): Promise<Exit> {
    const { env, print, announce, name } = this.#options;
    const child = spawn(process.execPath, [process.argv[1] ?? '', 'start'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    printLines(child.stdout, announce);
    printLines(child.stderr, (line) => print(`[${name}] ${line}`));
    return (this.#ended = exitOf(child));
  }

  async #isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(`${this.url}/readyz`, { signal }).catch(() => undefined);
    await response?.body?.cancel();
    return response?.status === 200;
  }

  #say(what: string): void {
    this.#options.print(`[${this.name}] ${what}`);
  }
}
