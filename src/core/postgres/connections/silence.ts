import { ConnectionError } from '../connection-error.ts';
import type { Connection } from './connection.ts';
import { feelPulse } from './pulse.ts';

// Time is counted in looks, and not by the clock: an event loop that stood still has not heard what was said meanwhile.
const LOOK_MS = 250;
/** After so much silence the server is asked for a sign of life, and not more often. */
const SUSPECT_LOOKS = 1_500 / LOOK_MS;
/** Nobody who asks for a page waits longer than this for a server that gives none. */
const CERTAIN_LOOKS = 3_500 / LOOK_MS;
/** What may run for ever, such as an import, outlasts a server that stands still for a while. */
const PATIENT_LOOKS = 600_000 / LOOK_MS;
/** PostgreSQL ends a statement itself; it is given up by us only if that does not happen. */
const MARGIN_MS = 1_000;

interface Watched {
  open: ReadonlySet<Connection>;
  waiting: { looks: number; fail: (error: Error) => void }[];
  isOpening: () => boolean;
}

/**
 * Notices what a server that says nothing cannot tell: it was stopped, its machine stands still, or its network is gone. A
 * slow statement is no such thing, so that another connection is asked first.
 */
export class Silence {
  /** Whether nobody needs to ask: it is told when the server is back. */
  isCertain = false;
  /** Whether the last question found its way, although nobody answered. */
  isReached = false;
  readonly #url: string;
  readonly #limitMs: number;
  readonly #watched: Watched;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;
  /** How often was looked since the server was asked and nothing came over any connection. */
  #askedLooks: number | undefined;
  #restLooks = 0;

  /** A statement of the pool may run for so long; 0: for ever. */
  constructor(url: string, limitMs: number, watched: Watched) {
    this.#url = url;
    this.#limitMs = limitMs;
    this.#watched = watched;
  }

  watch(): void {
    this.#looking ??= setInterval(() => {
      this.#look();
    }, LOOK_MS).unref();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#looking);
  }

  #look(): void {
    const { open, waiting } = this.#watched;
    let heard = false;
    for (const connection of open) {
      heard = connection.look() || heard;
      connection.beat();
    }
    for (const one of waiting) one.looks++;
    this.#endWhatIsLate();
    if (this.#askedLooks === undefined) {
      if (this.#restLooks > 0) this.#restLooks--;
      else if (this.#isSuspicious()) void this.#ask();
    } else {
      this.#askedLooks = heard ? 0 : this.#askedLooks + 1;
      this.#judge(this.#askedLooks);
    }
  }

  #isSuspicious(): boolean {
    const { open, waiting, isOpening } = this.#watched;
    if (isOpening() && (waiting[0]?.looks ?? 0) >= SUSPECT_LOOKS) return true;
    return [...open].some(({ silentLooks }) => silentLooks >= SUSPECT_LOOKS);
  }

  /** Asks until somebody answers, be it with a refusal. */
  async #ask(): Promise<void> {
    this.#askedLooks = 0;
    const suspects = [...this.#watched.open].filter(({ silentLooks }) => silentLooks >= SUSPECT_LOOKS);
    const backends = suspects.map(({ backend }) => backend);
    let stuck: number[] | undefined;
    while (stuck === undefined && !this.#closed) {
      this.isReached = false;
      stuck = await feelPulse(this.#url, backends, () => (this.isReached = true));
    }
    for (const connection of suspects)
      if (connection.silentLooks >= SUSPECT_LOOKS && stuck?.includes(connection.backend))
        connection.cutOff(new ConnectionError('SERVER_SILENT'));
    this.#askedLooks = undefined;
    this.#restLooks = SUSPECT_LOOKS;
    this.isCertain = false;
  }

  #judge(askedLooks: number): void {
    const { open, waiting } = this.#watched;
    for (const connection of open)
      if (connection.unanswered > 0 && askedLooks >= patience(connection.limitMs ?? this.#limitMs))
        connection.cutOff(new ConnectionError('SERVER_SILENT'));
    if (askedLooks < patience(this.#limitMs)) return;
    this.isCertain = true;
    for (const { fail } of waiting.splice(0)) fail(this.reason());
  }

  /** What is told to whoever asks while there is no answer. */
  reason(): ConnectionError {
    return new ConnectionError(this.isReached ? 'SERVER_SILENT' : 'CONNECT_TIMEOUT');
  }

  #endWhatIsLate(): void {
    const { open, waiting } = this.#watched;
    for (const connection of open) {
      const limitMs = connection.limitMs ?? this.#limitMs;
      if (limitMs > 0 && connection.silentLooks * LOOK_MS > limitMs + MARGIN_MS)
        connection.cutOff(new ConnectionError('STATEMENT_TIMEOUT'));
    }
    if (this.#limitMs === 0) return;
    while (waiting[0] !== undefined && waiting[0].looks * LOOK_MS > this.#limitMs)
      waiting.shift()?.fail(new ConnectionError('POOL_BUSY'));
  }
}

function patience(limitMs: number): number {
  return limitMs === 0 ? PATIENT_LOOKS : CERTAIN_LOOKS;
}
