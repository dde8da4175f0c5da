import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const ANSWER_MS = 3_000;
/** Minimum time between two attempts to connect. */
const AGAIN_MS = 500;
/** A standby that has not replayed more than this of what it has received may answer reads. */
const BEHIND_MAX_BYTES = 16 * 1024 * 1024;

/** State of one server, as it says itself. */
export interface ServerState {
  /** Timeline of a server that accepts writes, as eight hexadecimal digits; null for a standby. */
  timeline: string | null;
  /** True for a standby that is connected to its primary and has replayed nearly all that it has received. */
  follows: boolean;
}

/** Asks one server for its state, over a connection that stays open and keeps no process alive. */
export class ServerWatch {
  readonly #url: string;
  #client: pg.Client | undefined;
  #opening: Promise<void> | undefined;
  #asking: Promise<ServerState | undefined> | undefined;
  #triedAt = -Infinity;
  #closed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns undefined when the server does not answer. Waits this long at most for a connection to be opened. */
  async ask(connectMs: number): Promise<ServerState | undefined> {
    this.#closed = false;
    const client = await this.#connected(connectMs);
    if (client === undefined) return undefined;
    return (this.#asking ??= this.#stateOf(client).finally(() => (this.#asking = undefined)));
  }

  async #stateOf(client: pg.Client): Promise<ServerState | undefined> {
    try {
      const { rows } = await client.query<ServerState>(STATE_SQL);
      return rows[0];
    } catch {
      this.close();
      return undefined;
    }
  }

  close(): void {
    this.#closed = true;
    this.#client?.connection.stream.destroy();
    this.#client = undefined;
  }

  async #connected(connectMs: number): Promise<pg.Client | undefined> {
    if (this.#client !== undefined) return this.#client;
    if (this.#opening === undefined && performance.now() - this.#triedAt >= AGAIN_MS) {
      this.#triedAt = performance.now();
      this.#opening = this.#open().finally(() => (this.#opening = undefined));
    }
    if (this.#opening !== undefined)
      await Promise.race([this.#opening, pause(connectMs, undefined, { ref: false })]);
    return this.#client;
  }

  async #open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'waypost search',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client.on('error', () => undefined);
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined;
    });
    try {
      await client.connect();
    } catch {
      client.connection.stream.destroy();
      return;
    }
    const stream = client.connection.stream as Socket;
    stream.unref();
    if (this.#closed) stream.destroy();
    else this.#client = client;
  }
}

// The view has one row while the standby is connected to its primary; every role may count it.
const STATE_SQL = `
  select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
    exists (select from pg_stat_wal_receiver) and coalesce(
      pg_wal_lsn_diff(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) < ${BEHIND_MAX_BYTES}, false) as follows`;
