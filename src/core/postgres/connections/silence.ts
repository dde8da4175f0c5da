import { ConnectionError } from '../connection-error.ts';
import type { PostgresConnection } from './connection.ts';
import { probeServer } from './pulse.ts';

// Time is counted in checks, not by the clock: a blocked event loop has not read what was sent meanwhile.
const LOOK_MS = 250;
/** Silence after which the server is probed, and the minimum interval between probes. */
const SUSPECT_LOOKS = 1_500 / LOOK_MS;
/** Maximum time that a page request waits for a server that does not answer. */
const CERTAIN_LOOKS = 3_500 / LOOK_MS;
/** Work without a time limit, such as an import, tolerates a server that is blocked for a while. */
const PATIENT_LOOKS = 600_000 / LOOK_MS;
/** PostgreSQL cancels a statement itself; we give up this much later, only if it does not. */
const MARGIN_MS = 1_000;

interface Watched {
  open: ReadonlySet<PostgresConnection>;
  waiting: { looks: number; fail: (error: Error) => void }[];
  isOpening: () => boolean;
}

/**
 * Detects a server that cannot report its own failure: it was stopped, its machine is frozen, or its network is gone.
 * A slow statement is not a failure, so the server is probed over another connection first.
 */
export class SilenceDetector {
  /** True while the server is known not to answer: requests fail at once until a probe succeeds. */
  isCertain = false;
  /** True when the last probe reached the server, although nothing answered. */
  isReached = false;
  readonly #url: string;
  readonly #limitMs: number;
  readonly #watched: Watched;
  #looking: NodeJS.Timeout | undefined;
  #closed = false;
  /** Number of checks since the probe was sent without data on any connection. */
  #probedLooks: number | undefined;
  #restLooks = 0;

  /** `limitMs` is the statement time limit of the pool; 0 means none. */
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
    let received = false;
    for (const connection of open) {
      received = connection.look() || received;
      connection.beat();
    }
    for (const one of waiting) one.looks++;
    this.#failOverdue();
    if (this.#probedLooks === undefined) {
      if (this.#restLooks > 0) this.#restLooks--;
      else if (this.#isSuspicious()) void this.#probe();
    } else {
      this.#probedLooks = received ? 0 : this.#probedLooks + 1;
      this.#judge(this.#probedLooks);
    }
  }

  #isSuspicious(): boolean {
    const { open, waiting, isOpening } = this.#watched;
    if (isOpening() && (waiting[0]?.looks ?? 0) >= SUSPECT_LOOKS) return true;
    return [...open].some(({ silentLooks }) => silentLooks >= SUSPECT_LOOKS);
  }

  /** Probes until something answers, even with a refusal. */
  async #probe(): Promise<void> {
    this.#probedLooks = 0;
    const suspects = [...this.#watched.open].filter(({ silentLooks }) => silentLooks >= SUSPECT_LOOKS);
    const backends = suspects.map(({ backend }) => backend);
    let stuck: number[] | undefined;
    while (stuck === undefined && !this.#closed) {
      this.isReached = false;
      stuck = await probeServer(this.#url, backends, () => (this.isReached = true));
    }
    for (const connection of suspects)
      if (connection.silentLooks >= SUSPECT_LOOKS && stuck?.includes(connection.backend))
        connection.cutOff(new ConnectionError('SERVER_SILENT'));
    this.#probedLooks = undefined;
    this.#restLooks = SUSPECT_LOOKS;
    this.isCertain = false;
  }

  #judge(probedLooks: number): void {
    const { open, waiting } = this.#watched;
    for (const connection of open)
      if (connection.unanswered > 0 && probedLooks >= patience(connection.limitMs ?? this.#limitMs))
        connection.cutOff(new ConnectionError('SERVER_SILENT'));
    if (probedLooks < patience(this.#limitMs)) return;
    this.isCertain = true;
    for (const { fail } of waiting.splice(0)) fail(this.reason());
  }

  /** Returns the error for requests while the server does not answer. */
  reason(): ConnectionError {
    return new ConnectionError(this.isReached ? 'SERVER_SILENT' : 'CONNECT_TIMEOUT');
  }

  #failOverdue(): void {
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
