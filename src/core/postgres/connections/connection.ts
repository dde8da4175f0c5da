import type { Socket } from 'node:net';
import pg from 'pg';
import { clientGoneMs } from '../client-options.ts';
import { ConnectionError, isLast } from '../connection-error.ts';
import type { SentQuery } from '../statement.ts';

/** After so long a connection is replaced: what it keeps of the server's memory only grows. */
const LIFE_MS = 45 * 60_000;
/** A transaction that waits for something outside says something to the server so often. */
const BEAT_MS = 2_000;
/** For longer than this no transaction waits for something outside, unless it may run for ever: it was forgotten. */
const QUIET_MAX_MS = 10 * 60_000;
/** By so much sooner than the server we take a transaction for lost. */
const SURE_MARGIN_MS = 2_000;

/** One connection. Statements are sent without waiting for the answers to those before them. */
export class Connection {
  readonly client: pg.Client;
  readonly #readOnly: boolean;
  readonly #openedAt = performance.now();
  /** Statements that are not answered yet. */
  unanswered = 0;
  /** How often was looked since the server said anything, while it owes an answer. */
  silentLooks = 0;
  /** How long a statement of the present transaction may run, where that is not what the pool says; 0: for ever. */
  limitMs: number | undefined;
  /** Whether it is lent to a transaction. */
  inTransaction = false;
  readonly #clientGoneMs: number;
  readonly #quietMaxMs: number;
  /** When the last statement was sent that was no beat. */
  #usedAt = 0;
  /** When the last statement was sent to which there was an answer. The server has heard of us since. */
  #heardSince = { steady: 0, clock: 0 };
  #bytesRead = 0;
  #corked = false;
  #stale = false;

  constructor(client: pg.Client, options: { readOnly: boolean; statementTimeoutMs: number }) {
    const { readOnly, statementTimeoutMs } = options;
    this.client = client;
    this.#readOnly = readOnly;
    this.#clientGoneMs = clientGoneMs(statementTimeoutMs);
    this.#quietMaxMs = statementTimeoutMs > 0 ? QUIET_MAX_MS : Infinity;
  }

  /** Whether another one should take its place. */
  get isSpent(): boolean {
    return this.#stale || performance.now() - this.#openedAt > LIFE_MS;
  }

  /** The server's process behind it. */
  get backend(): number {
    return (this.client as pg.Client & { processID?: number }).processID ?? 0;
  }

  /** What is sent in one turn goes out in one piece. */
  send(query: SentQuery): void {
    const { callback } = query;
    const sent = moment();
    if (!(query instanceof Beat)) this.#usedAt = sent.steady;
    query.callback = (error, result) => {
      this.unanswered--;
      this.silentLooks = 0;
      if (!error) this.#heardSince = sent;
      callback(error && this.#noted(error), result);
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

  /** Whether the server has said something since the last look. While we do not read it owes us nothing. */
  look(): boolean {
    const stream = this.client.connection.stream as Socket;
    const heard = stream.bytesRead !== this.#bytesRead;
    this.#bytesRead = stream.bytesRead;
    if (heard || this.unanswered === 0 || stream.isPaused()) this.silentLooks = 0;
    else this.silentLooks++;
    return heard;
  }

  /**
   * Keeps a transaction that waits for something outside from being taken for that of a client that is gone. A node that
   * stands still, or has lost its way to the server, does not beat.
   */
  beat(): void {
    if (!this.inTransaction || this.unanswered > 0) return;
    const { steady: now } = moment();
    if (now - this.#heardSince.steady < BEAT_MS || now - this.#usedAt > this.#quietMaxMs) return;
    const beat = new Beat('select') as Beat & SentQuery;
    beat.callback = () => undefined;
    this.send(beat);
  }

  /**
   * Whether the server cannot have taken us for gone: it counts from what it heard last, which we sent then or later. By
   * two clocks, because one stands still while the machine sleeps and the other can be set back.
   */
  get isSurelyKnown(): boolean {
    const { steady, clock } = moment();
    const sinceMs = Math.max(steady - this.#heardSince.steady, clock - this.#heardSince.clock);
    return sinceMs < this.#clientGoneMs - SURE_MARGIN_MS;
  }

  /** Gives up on it: whoever waits for an answer hears why. */
  cutOff(reason: ConnectionError): void {
    this.client.connection.stream.destroy(reason);
  }

  /** A parsed statement whose table has changed since fails for as long as the connection lasts, and one may be its last. */
  #noted(error: Error): Error {
    if (!(error instanceof pg.DatabaseError)) return error;
    if (isOutdated(error) || isLast(error)) this.#stale = true;
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

/** The table has changed since the connection parsed the statement. */
function isOutdated(error: Error): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';
}

/** Refused before it was run, for what the connection knows of statements: parsed anew it may be sent once more. */
export function neverRan(error: Error): boolean {
  return isOutdated(error) || (error instanceof pg.DatabaseError && error.code === '26000');
}
