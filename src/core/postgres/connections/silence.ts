import { ConnectionError, connectionError } from '../connection-error.ts';
import type { PostgresConnection } from './connection.ts';
import pg from 'pg';
import { clientOptions, type SessionOptions } from '../client-options.ts';
import { confirmWhenIdle, hasSeveralServers, primaryOf, useServers } from '../servers.ts';

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

/** Detects a stopped, frozen or unreachable server. Slow statements are no failure, so it is probed first. */
export class SilenceDetector {
  /** True while the server is known not to answer: requests fail at once until a probe succeeds. */
  isCertain = false;
  isReached = false;
  readonly #url: string;
  /** Statement time limit of the pool; 0 means none. */
  readonly #limitMs: number;
  readonly #isPooled: boolean;
  readonly #watched: Watched;
  #looking: NodeJS.Timeout | undefined;
  #leaveServers: (() => void) | undefined;
  #closed = false;
  /** Number of checks since the probe was sent without data on any connection. */
  #probedLooks: number | undefined;
  #restLooks = 0;

  constructor(url: string, { statementTimeoutMs, isPooled = false }: SessionOptions, watched: Watched) {
    this.#url = url;
    this.#limitMs = statementTimeoutMs;
    this.#isPooled = isPooled;
    this.#watched = watched;
  }

  watch(): void {
    this.#leaveServers ??= useServers(this.#url);
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#looking);
    this.#leaveServers?.();
    this.#leaveServers = undefined;
  }

  #look(): void {
    const { open, waiting } = this.#watched;
    let received = false;
    if (hasSeveralServers(this.#url)) confirmWhenIdle(this.#url);
    const primary = primaryOf(this.#url);
    for (const connection of open) {
      if (connection.server !== primary) connection.cutOff(new ConnectionError('CONNECTION_CLOSED'));
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

  async #probe(): Promise<void> {
    this.#probedLooks = 0;
    const suspects = [...this.#watched.open].filter(({ silentLooks }) => silentLooks >= SUSPECT_LOOKS);
    // Behind a pooler the process that serves a connection is not known.
    const backends = this.#isPooled ? [] : suspects.map(({ backend }) => backend);
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

const ASKED_MS = 10_000;
/** The same where another server may have taken over. */
const ASKED_OF_SEVERAL_MS = 3_000;

// The state of a backend with an unanswered statement is `active`. Any other state means that it has not read
// the statement, because its process was stopped.
const STUCK_SQL = `
  select pid from pg_stat_activity where pid = any($1) and usename = current_user
    and state <> 'active' and state_change < now() - interval '1 second'`;

/** Probes the server over a separate connection. Returns the backends that hang; undefined without any answer. */
async function probeServer(
  url: string,
  backends: readonly number[],
  reached: () => void,
): Promise<number[] | undefined> {
  const limitMs = hasSeveralServers(url) ? ASKED_OF_SEVERAL_MS : ASKED_MS;
  const client = new pg.Client({
    ...clientOptions(url, { name: 'waypost pulse' }),
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => undefined);
  client.connection.on('connect', reached);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(STUCK_SQL, [backends]);
    return rows.map(({ pid }) => pid);
  } catch (thrown) {
    const { code } = connectionError(thrown as Error) as { code?: string };
    return code === 'CONNECT_TIMEOUT' ? undefined : [];
  } finally {
    client.connection.stream.destroy();
  }
}
