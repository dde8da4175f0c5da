import pg from 'pg';
import { clientOptions, sessionSettings } from '../client-options.ts';
import { columnTypes } from '../column-types.ts';
import { ConnectionError, connectionError } from '../connection-error.ts';
import type { SentQuery } from '../statement.ts';
import { Connection, neverRan } from './connection.ts';
import { Silence } from './silence.ts';

export interface ConnectionOptions {
  max: number;
  /** How long a statement may run before PostgreSQL ends it; 0: for ever. */
  statementTimeoutMs: number;
  readOnly?: boolean;
  /** How long a statement waits for what somebody else has locked; absent: for as long as it may run. */
  lockTimeoutMs?: number;
}

/** How many statements are sent ahead on a connection that others use too. */
const AHEAD_MAX = 50;

/** What a pool has open at a moment, and who waits for one of its connections. */
export interface PoolUse {
  inUse: number;
  idle: number;
  waiting: number;
}

interface Waiting {
  /** Whether nobody else may use the connection meanwhile. */
  alone: boolean;
  /** How often was looked since it waits. */
  looks: number;
  take: (connection: Connection) => void;
  fail: (error: Error) => void;
}

/** The connections of a pool, at most so many. A transaction has one for itself; single statements share them. */
export class Connections {
  readonly #url: string;
  readonly #options: ConnectionOptions;
  readonly #open = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #shared = new Set<Connection>();
  readonly #waiting: Waiting[] = [];
  readonly #closing = new Map<pg.Client, Promise<void>>();
  readonly #silence: Silence;
  readonly #opening = new Set<pg.Client>();
  #ended: PromiseWithResolvers<undefined> | undefined;

  constructor(url: string, options: ConnectionOptions) {
    this.#url = url;
    this.#options = options;
    this.#silence = new Silence(url, options.statementTimeoutMs, {
      open: this.#open,
      waiting: this.#waiting,
      isOpening: () => this.#opening.size > 0,
    });
  }

  /** Sends a single statement on whatever connection can take it. */
  send(query: SentQuery): void {
    const take = (connection: Connection) => {
      this.#shared.add(connection);
      const { callback } = query;
      query.callback = (error, result) => {
        if (connection.unanswered === 0) this.giveBack(connection);
        if (error && query.again !== undefined && neverRan(error)) this.send(query.again());
        else callback(error, result);
      };
      connection.send(query);
    };
    const fail = (error: Error) => {
      query.callback(error, []);
    };
    const busy = this.#idle.length === 0 && !this.#hasRoom ? this.#leastBusy() : undefined;
    // Whoever waits for a connection of its own comes first.
    if (busy !== undefined && this.#waiting.length === 0) take(busy);
    else this.#wait({ alone: false, looks: 0, take, fail });
  }

  /** Lends a connection as soon as one is free. */
  borrow(): Promise<Connection> {
    return new Promise((take, fail) => {
      this.#wait({ alone: true, looks: 0, take, fail });
    });
  }

  /** Whether a connection is open, as far as we know. */
  has(connection: Connection): boolean {
    return this.#open.has(connection);
  }

  /** Takes a connection back; one that was lost has left by itself. */
  giveBack(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    this.#shared.delete(connection);
    connection.limitMs = undefined;
    connection.inTransaction = false;
    if (connection.isSpent || (this.#ended !== undefined && this.#waiting.length === 0)) {
      this.discard(connection);
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(connection);
    else {
      next.take(connection);
      while (!next.alone && this.#waiting[0]?.alone === false && connection.unanswered < AHEAD_MAX)
        this.#waiting.shift()?.take(connection);
    }
  }

  /** Closes a connection whose state nobody knows. */
  discard(connection: Connection): void {
    const { client } = connection;
    this.#closing.set(
      client,
      client.end().finally(() => this.#closing.delete(client)),
    );
    this.#forget(connection);
  }

  /** Whether there is a way to the server, whatever it says. */
  get isReached(): boolean {
    return this.#open.size > 0 || this.#silence.isReached;
  }

  /** Waits for what was asked for, at most so long, and closes everything. */
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

  #leastBusy(): Connection | undefined {
    let found: Connection | undefined;
    for (const connection of this.#shared)
      if (!connection.isSpent && connection.unanswered < (found?.unanswered ?? AHEAD_MAX)) found = connection;
    return found;
  }

  #wait(waiting: Waiting): void {
    if (this.#ended !== undefined || this.#silence.isCertain) {
      waiting.fail(
        this.#ended === undefined ? this.#silence.reason() : new ConnectionError('CONNECTION_ENDED'),
      );
      return;
    }
    const connection = this.#idle.pop();
    if (connection !== undefined) waiting.take(connection);
    else {
      this.#waiting.push(waiting);
      this.#serve();
    }
  }

  #connect(): void {
    const { statementTimeoutMs, readOnly = false, lockTimeoutMs } = this.#options;
    this.#silence.watch();
    const client = new pg.Client({
      ...clientOptions(this.#url, { name: 'waypost' }),
      types: columnTypes,
      pipeline: true,
    });
    this.#opening.add(client);
    let connection: Connection | undefined;
    client.on('error', () => {
      if (connection !== undefined) this.#forget(connection);
    });
    client.connect((error?: Error) => {
      this.#opening.delete(client);
      if (error) {
        this.#waiting.shift()?.fail(connectionError(error));
        this.#serve();
      } else {
        client.query(sessionSettings(statementTimeoutMs, readOnly, lockTimeoutMs), (refused?: Error) => {
          if (refused) client.connection.stream.destroy(refused);
        });
        connection = new Connection(client, { readOnly, statementTimeoutMs });
        this.#open.add(connection);
        this.giveBack(connection);
      }
    });
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#shared.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#serve();
  }

  /** Opens a connection if somebody waits and there is room for it. */
  #serve(): void {
    if (this.#waiting.length > this.#opening.size && this.#hasRoom) this.#connect();
    else if (this.#open.size + this.#opening.size === 0) this.#ended?.resolve(undefined);
  }
}
