import type { Socket } from 'node:net';
import pg from 'pg';
import { clientGoneMs, transactionSettings, type SessionOptions } from '../client-options.ts';
import { andThen, type MaybePromise } from '../../memory/maybe-promise.ts';
import { ConnectionError, endsConnection } from '../connection-error.ts';
import type { SentQuery } from '../statement.ts';

/** A connection is replaced after this time, because the server memory that it uses only grows. */
const LIFE_MS = 45 * 60_000;
const BEAT_MS = 2_000;
/** A transaction that waits longer for something outside was forgotten, unless it has no time limit. */
const QUIET_MAX_MS = 10 * 60_000;
/** Margin by which we treat a transaction as lost earlier than the server does. */
const SURE_MARGIN_MS = 2_000;

/** One connection. Statements are sent without waiting for the answers to those before them (pipelining). */
export class PostgresConnection {
  readonly client: pg.Client;
  /** URL of its server. */
  readonly server: string;
  /** Follows `begin` in each transaction. */
  readonly transactionSettings: string;
  /** False when another server has taken over, so that this one's answers are outdated. */
  readonly #isConfirmed: () => MaybePromise<boolean>;
  readonly #readOnly: boolean;
  readonly #isPooled: boolean;
  readonly #openedAt = performance.now();
  unanswered = 0;
  /** Number of checks since the server last sent anything while it owes an answer. */
  silentLooks = 0;
  /** Statement time limit of the current transaction, where it differs from the pool's; 0 means none. */
  limitMs: number | undefined;
  inTransaction = false;
  readonly #clientGoneMs: number;
  readonly #quietMaxMs: number;
  #usedAt = 0;
  /** Send time of the last answered statement. The server has heard from us since then. */
  #heardSince = { steady: 0, clock: 0 };
  #bytesRead = 0;
  #corked = false;
  #stale = false;

  constructor(
    client: pg.Client,
    server: string,
    options: SessionOptions & { isConfirmed?: () => MaybePromise<boolean> },
  ) {
    const { readOnly = false, statementTimeoutMs, isPooled = false, isConfirmed = () => true } = options;
    this.#isConfirmed = isConfirmed;
    this.client = client;
    this.server = server;
    this.#readOnly = readOnly;
    this.#isPooled = isPooled;
    this.transactionSettings = transactionSettings(options);
    this.#clientGoneMs = clientGoneMs(statementTimeoutMs);
    this.#quietMaxMs = statementTimeoutMs > 0 ? QUIET_MAX_MS : Infinity;
  }

  get shouldReplace(): boolean {
    return this.#stale || performance.now() - this.#openedAt > LIFE_MS;
  }

  get backend(): number {
    return (this.client as pg.Client & { processID?: number }).processID ?? 0;
  }

  /** Sends a query. All queries of one event loop turn are written together. */
  send(query: SentQuery): void {
    // A prepared statement belongs to a session.
    if (this.#isPooled) delete query.name;
    const { callback } = query;
    const sentAt = moment();
    if (!(query instanceof Beat)) this.#usedAt = sentAt.steady;
    const pass: SentQuery['callback'] = (error, result) => {
      this.unanswered--;
      this.silentLooks = 0;
      if (!error) this.#heardSince = sentAt;
      callback(error && this.#noteError(error), result);
    };
    query.callback = (error, result) => {
      const isFromServer = !error || error instanceof pg.DatabaseError;
      void andThen(isFromServer ? this.#isConfirmed() : true, (isConfirmed) => {
        if (isConfirmed) pass(error, result);
        else pass(this.#refuseOutdated(), []);
      });
    };
    this.unanswered++;
    if (query.limitMs !== undefined) this.limitMs = query.limitMs;
    const { stream } = this.client.connection;
    if (!this.#corked) {
      this.#corked = true;
      stream.cork();
      process.nextTick(() => {
        this.#corked = false;
        stream.uncork();
      });
    }
    this.client.query(query);
  }

  /**
   * True when the server has sent something since the last check. Silence counts only while a statement is
   * unanswered and the stream is not paused.
   */
  look(): boolean {
    const stream = this.client.connection.stream as Socket;
    const received = stream.bytesRead !== this.#bytesRead;
    this.#bytesRead = stream.bytesRead;
    if (received || this.unanswered === 0 || stream.isPaused()) this.silentLooks = 0;
    else this.silentLooks++;
    return received;
  }

  /** Sends a heartbeat, so that the server does not end a transaction that waits for something outside. */
  beat(): void {
    if (!this.inTransaction || this.unanswered > 0) return;
    const { steady: now } = moment();
    if (now - this.#heardSince.steady < BEAT_MS || now - this.#usedAt > this.#quietMaxMs) return;
    const beat = new Beat('select') as Beat & SentQuery;
    beat.callback = () => undefined;
    this.send(beat);
  }

  /**
   * True when the server cannot have ended the transaction yet. Uses two clocks, because one stops while the
   * machine sleeps, and the other can be set back.
   */
  get isSurelyAlive(): boolean {
    const { steady, clock } = moment();
    const sinceMs = Math.max(steady - this.#heardSince.steady, clock - this.#heardSince.clock);
    return sinceMs < this.#clientGoneMs - SURE_MARGIN_MS;
  }

  /** Closes the connection. All statements without an answer fail with the reason. */
  cutOff(reason: ConnectionError): void {
    this.client.connection.stream.destroy(reason);
  }

  #refuseOutdated(): ConnectionError {
    const reason = new ConnectionError('CONNECTION_CLOSED');
    this.cutOff(reason);
    return reason;
  }

  /** Marks the connection for replacement: an outdated prepared statement fails on it forever. */
  #noteError(error: Error): Error {
    if (!(error instanceof pg.DatabaseError)) return error;
    if (isOutdated(error) || endsConnection(error)) this.#stale = true;
    if (error.code !== READ_ONLY || this.#readOnly) return error;
    // The database may have moved, and only a new connection finds it.
    this.#stale = true;
    return new ConnectionError('READ_ONLY', error);
  }
}

class Beat extends pg.Query {}

function moment(): { steady: number; clock: number } {
  return { steady: performance.now(), clock: Date.now() };
}

const READ_ONLY = '25006';

function isOutdated(error: Error): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** True when the statement was refused before it ran because of stale prepared statements; it can be resent. */
export function neverRan(error: Error): boolean {
  return isOutdated(error) || (error instanceof pg.DatabaseError && error.code === '26000');
}
