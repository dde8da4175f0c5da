import pg from 'pg';
import { clientOptions, sessionSettings, type SessionOptions } from '../client-options.ts';
import { columnTypes } from '../column-types.ts';
import { ConnectionError, connectionError } from '../connection-error.ts';
import { confirmPrimary, hasSeveralServers, primaryOf } from '../servers.ts';
import type { SentQuery } from '../statement.ts';
import { PostgresConnection, neverRan } from './connection.ts';
import { SilenceDetector } from './silence.ts';

export interface ConnectionOptions extends SessionOptions {
  max: number;
}

/** Number of transactions that a pool runs at once. It keeps one connection for single statements. */
export function transactionsAtOnce(max: number): number {
  return Math.max(1, max - 1);
}

const AHEAD_MAX = 50;

export interface PoolUse {
  inUse: number;
  idle: number;
  waiting: number;
}

interface Waiting {
  alone: boolean;
  looks: number;
  take: (connection: PostgresConnection) => void;
  fail: (error: Error) => void;
}

/**
 * The connections of a pool, up to a maximum. A transaction has one for itself; single statements share the others, of
 * which at least one is left to them, so that the holder of a transaction never waits for its own statements.
 */
export class Connections {
  readonly #url: string;
  readonly #options: ConnectionOptions;
  readonly #open = new Set<PostgresConnection>();
  readonly #idle: PostgresConnection[] = [];
  readonly #shared = new Set<PostgresConnection>();
  readonly #lent = new Set<PostgresConnection>();
  readonly #waiting: Waiting[] = [];
  readonly #closing = new Map<pg.Client, Promise<void>>();
  readonly #silence: SilenceDetector;
  readonly #opening = new Set<pg.Client>();
  #ended: PromiseWithResolvers<undefined> | undefined;

  constructor(url: string, options: ConnectionOptions) {
    this.#url = url;
    this.#options = options;
    this.#silence = new SilenceDetector(url, options, {
      open: this.#open,
      waiting: this.#waiting,
      isOpening: () => this.#opening.size > 0,
    });
  }

  send(query: SentQuery): void {
    const take = (connection: PostgresConnection) => {
      this.#shared.add(connection);
      const { callback } = query;
      query.callback = (error, result) => {
        if (connection.unanswered === 0) this.giveBack(connection);
        if (error && query.again !== undefined && neverRan(error)) this.send(query.again());
        else callback(error, result);
      };
      connection.send(query);
    };
    const fail = (error: Error) => query.callback(error, []);
    const busy = this.#idle.length === 0 && !this.#hasRoom ? this.#leastBusy() : undefined;
    // Callers waiting for an exclusive connection go first.
    if (busy !== undefined && this.#nextAt() < 0) take(busy);
    else this.#wait({ alone: false, looks: 0, take, fail });
  }

  borrow(): Promise<PostgresConnection> {
    return new Promise((resolve, fail) => {
      const take = (connection: PostgresConnection) => {
        this.#lent.add(connection);
        resolve(connection);
      };
      this.#wait({ alone: true, looks: 0, take, fail });
    });
  }

  has(connection: PostgresConnection): boolean {
    return this.#open.has(connection);
  }

  giveBack(connection: PostgresConnection): void {
    if (!this.#open.has(connection)) return;
    this.#shared.delete(connection);
    this.#lent.delete(connection);
    connection.limitMs = undefined;
    connection.inTransaction = false;
    if (connection.shouldReplace || (this.#ended !== undefined && this.#nextAt() < 0)) {
      this.discard(connection);
      return;
    }
    this.#idle.push(connection);
    this.#lend();
  }

  /** Gives the idle connections to those who wait. Waiting statements follow each other on one connection. */
  #lend(): void {
    for (;;) {
      const at = this.#nextAt();
      const connection = this.#idle.at(-1);
      if (at < 0 || connection === undefined) return;
      this.#idle.pop();
      const [first] = this.#waiting.splice(at, 1);
      first?.take(connection);
      while (first?.alone === false && connection.unanswered < AHEAD_MAX) {
        const nextAt = this.#nextAt();
        if (this.#waiting[nextAt]?.alone !== false) break;
        this.#waiting.splice(nextAt, 1)[0]?.take(connection);
      }
    }
  }

  /** Position of the first who could be given a connection, or -1. */
  #nextAt(): number {
    if (this.#lent.size < transactionsAtOnce(this.#options.max)) return this.#waiting.length > 0 ? 0 : -1;
    return this.#waiting.findIndex(({ alone }) => !alone);
  }

  discard(connection: PostgresConnection): void {
    const { client } = connection;
    this.#closing.set(
      client,
      client.end().finally(() => this.#closing.delete(client)),
    );
    this.#forget(connection);
  }

  get isReached(): boolean {
    return this.#open.size > 0 || this.#silence.isReached;
  }

  async end(timeoutMs?: number): Promise<void> {
    const ended = (this.#ended ??= Promise.withResolvers<undefined>());
    for (const connection of [...this.#idle]) this.discard(connection);
    const cutOff = () => {
      for (const { fail } of this.#waiting.splice(0)) fail(new ConnectionError('CONNECTION_ENDED'));
      const open = [...this.#open].map(({ client }) => client);
      for (const client of [...open, ...this.#opening, ...this.#closing.keys()])
        client.connection.stream.destroy();
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(cutOff, timeoutMs);
    this.#serve();
    await ended.promise;
    await Promise.all(this.#closing.values());
    this.#silence.close();
    clearTimeout(timer);
  }

  get use(): PoolUse {
    const idle = this.#idle.length;
    return { inUse: this.#open.size - idle, idle, waiting: this.#waiting.length };
  }

  get #hasRoom(): boolean {
    return this.#open.size + this.#opening.size < this.#options.max;
  }

  #leastBusy(): PostgresConnection | undefined {
    let leastBusy: PostgresConnection | undefined;
    for (const connection of this.#shared)
      if (!connection.shouldReplace && connection.unanswered < (leastBusy?.unanswered ?? AHEAD_MAX))
        leastBusy = connection;
    return leastBusy;
  }

  #wait(waiting: Waiting): void {
    if (this.#ended !== undefined || this.#silence.isCertain) {
      waiting.fail(
        this.#ended === undefined ? this.#silence.reason() : new ConnectionError('CONNECTION_ENDED'),
      );
      return;
    }
    this.#waiting.push(waiting);
    this.#lend();
    this.#serve();
  }

  #connect(): void {
    const { isPooled = false, statementTimeoutMs } = this.#options;
    this.#silence.watch();
    const options = clientOptions(this.#url, { name: 'waypost', statementTimeoutMs });
    const server = primaryOf(this.#url);
    const client = new pg.Client({ ...options, types: columnTypes, pipeline: true });
    this.#opening.add(client);
    let connection: PostgresConnection | undefined;
    client.on('error', () => {
      if (connection !== undefined) this.#forget(connection);
    });
    client.connect((error?: Error) => {
      this.#opening.delete(client);
      if (error) {
        this.#waiting.shift()?.fail(connectionError(error));
        this.#serve();
      } else {
        if (!isPooled)
          client.query(sessionSettings(this.#url, this.#options), (refused?: Error) => {
            if (refused) client.connection.stream.destroy(refused);
          });
        connection = new PostgresConnection(client, server, {
          ...this.#options,
          ...(hasSeveralServers(this.#url) && { isConfirmed: () => confirmPrimary(this.#url, server) }),
        });
        this.#open.add(connection);
        this.giveBack(connection);
      }
    });
  }

  #forget(connection: PostgresConnection): void {
    if (!this.#open.delete(connection)) return;
    this.#shared.delete(connection);
    this.#lent.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#serve();
  }

  #serve(): void {
    if (this.#nextAt() >= 0 && this.#waiting.length > this.#opening.size && this.#hasRoom) this.#connect();
    else if (this.#open.size + this.#opening.size === 0) this.#ended?.resolve(undefined);
  }
}
