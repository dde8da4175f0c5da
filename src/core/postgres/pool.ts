import pg from 'pg';
import { ConnectionError, isConnectionLost } from './connection-error.ts';
import type { PostgresConnection } from './connections/connection.ts';
import { Connections, type ConnectionOptions, type PoolUse } from './connections/connections.ts';
import { Assignments, JsonValue, SqlNames, type SqlParameter, type SqlPart } from './parameters.ts';
import { type Send, type SentQuery, Statement } from './statement.ts';

type Row = Record<string, unknown>;
type Columns = Readonly<Record<string, unknown>>;

/** A handle for statements: the pool outside a transaction, the transaction inside one. */
export interface Db {
  <Given extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...parameters: readonly SqlParameter[]
  ): Statement<Given>;
  /** Names of columns or tables, or the assignments of an UPDATE. */
  (names: string | readonly string[] | Columns): SqlPart;
  json(value: unknown): SqlPart;
  /** Runs a text that we wrote, with numbered values. Without values it may contain several statements. */
  unsafe<Given extends readonly object[] = Row[]>(
    text: string,
    values?: readonly SqlParameter[],
    options?: { prepare: boolean },
  ): Statement<Given>;
  send: Send;
  /** True when the transaction certainly still holds its locks. Always false outside a transaction. */
  holdsLocks: () => boolean;
}

export interface Reserved extends Db {
  release(): void;
}

type Work<Result> = (tx: Db) => Promise<Result> | Result;

export interface Pool extends Db {
  begin<Result>(work: Work<Result>): Promise<Result>;
  begin<Result>(mode: string, work: Work<Result>): Promise<Result>;
  reserve(): Promise<Reserved>;
  use(): PoolUse;
  end(options?: { timeout: number }): Promise<void>;
  isReached(): boolean;
}

/** Returns a handle whose statements are sent this way. */
export function dbOf(send: Send, holdsLocks = () => false): Db {
  const sql = (
    first: TemplateStringsArray | string | readonly string[] | Columns,
    ...parameters: unknown[]
  ) => {
    if (typeof first === 'string') return new SqlNames([first]);
    if (!Array.isArray(first)) return new Assignments(first as Columns);
    if (!('raw' in first)) return new SqlNames(first as string[]);
    return new Statement({ strings: first as string[], parameters, plain: false, prepare: true }, send);
  };
  const unsafe = (text: string, parameters: readonly unknown[] = [], { prepare } = { prepare: false }) =>
    new Statement({ strings: [text], parameters, plain: true, prepare }, send);
  const json = (value: unknown) => new JsonValue(value);
  return Object.assign(sql, { json, unsafe, send, holdsLocks }) as Db;
}

export function openPool(url: string, options: ConnectionOptions): Pool {
  const connections = new Connections(url, options);
  const pool = dbOf((query) => connections.send(query));
  return Object.assign(pool, {
    begin: async <Result>(...args: [Work<Result>] | [string, Work<Result>]): Promise<Result> => {
      const [mode, work] = args.length === 1 ? ['', args[0]] : args;
      return new Transaction(connections, await connections.borrow()).run(mode, work);
    },
    reserve: async (): Promise<Reserved> => {
      const connection = await connections.borrow();
      const release = () => connections.giveBack(connection);
      return Object.assign(
        dbOf((query) => connection.send(query)),
        { release },
      );
    },
    use: () => connections.use,
    end: (limit?: { timeout: number }) =>
      connections.end(limit === undefined ? undefined : limit.timeout * 1000),
    isReached: () => connections.isReached,
  });
}

/** True for errors caused by an earlier failure of the transaction (25P02, 26000). */
function isAftermath(thrown: unknown): boolean {
  return thrown instanceof pg.DatabaseError && (thrown.code === '25P02' || thrown.code === '26000');
}

class Transaction {
  readonly #connections: Connections;
  readonly #connection: PostgresConnection;
  #failure: Error | undefined;
  #over = false;

  constructor(connections: Connections, connection: PostgresConnection) {
    this.#connections = connections;
    this.#connection = connection;
  }

  async run<Result>(mode: string, work: Work<Result>): Promise<Result> {
    const own = dbOf((query) => this.#pass(query));
    const tx = dbOf(
      (query) => {
        if (this.#over) throw new Error('The transaction is over.');
        this.#pass(query);
      },
      () => this.#holdsLocks,
    );
    try {
      this.#connection.inTransaction = true;
      await own.unsafe(`begin ${mode}${this.#connection.transactionSettings}`);
      const result = await work(tx);
      // Anything sent from now on would run after the end, outside the transaction.
      this.#over = true;
      if (this.#failure === undefined) await this.#commit(own);
      // A failed statement has undone the others, even if its caller ignored the error or did not wait for it.
      if (this.#failure !== undefined) throw this.#failure;
      this.#connections.giveBack(this.#connection);
      return result;
    } catch (thrown) {
      this.#over = true;
      await this.#undo(own);
      // Errors after the first failure are only consequences of it, and would hide it.
      throw isAftermath(thrown) ? (this.#failure ?? thrown) : thrown;
    }
  }

  get #holdsLocks(): boolean {
    if (this.#over || this.#failure !== undefined) return false;
    return this.#connections.has(this.#connection) && this.#connection.isSurelyAlive;
  }

  /** If the connection is lost meanwhile, the outcome of the transaction is unknown. */
  async #commit(own: Db): Promise<void> {
    try {
      await own.unsafe('commit');
    } catch (thrown) {
      throw isConnectionLost(thrown)
        ? (this.#failure = new ConnectionError('COMMIT_UNKNOWN', thrown))
        : thrown;
    }
  }

  async #undo(own: Db): Promise<void> {
    try {
      await own.unsafe('rollback');
      this.#connections.giveBack(this.#connection);
    } catch {
      this.#connections.discard(this.#connection);
    }
  }

  #pass(query: SentQuery): void {
    const { callback } = query;
    query.callback = (error, result) => {
      if (error) this.#failure ??= error;
      callback(error, result);
    };
    this.#connection.send(query);
  }
}
