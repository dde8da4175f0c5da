import { logRequests, type RequestLine } from '../../core/log.ts';
import type { Deps } from '../../core/context.ts';

declare module '../../core/context.ts' {
  interface Deps {
    requestNotes: RequestNotes;
  }
}

const NOTES_AT_ONCE = 64;
const WAIT_MS = 100;

/** Logs and measures every request. Many are written together, because each alone costs five times as much. */
export class RequestNotes {
  readonly #deps: Pick<Deps, 'log' | 'metrics'>;
  #waiting: RequestLine[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Pick<Deps, 'log' | 'metrics'>) {
    this.#deps = deps;
    // Metrics are collected rarely, and must then be complete.
    deps.metrics.flushRequests = () => this.flush();
  }

  note(line: RequestLine): void {
    this.#waiting.push(line);
    if (this.#waiting.length >= NOTES_AT_ONCE) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    for (const { route, method, status, ms } of lines)
      this.#deps.metrics.requests.observe({ route, method, status }, ms / 1000);
    logRequests(this.#deps.log, lines);
  }
}
