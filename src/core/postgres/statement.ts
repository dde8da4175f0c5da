import pg from 'pg';
import { connectionError } from './connection-error.ts';
import { plainValue, type SqlPart, SqlText, withTypes } from './parameters.ts';

/** A query as the client takes it; the types of the package leave out what a class of one's own needs. */
export type SentQuery = pg.Query & {
  name?: string;
  callback: (error: Error | null | undefined, result: pg.QueryResult | pg.QueryResult[]) => void;
  /** The same, to be parsed anew. Absent where it was parsed anew already. */
  again?: () => SentQuery;
  /** From this one on the statements of the transaction may run for so long; 0: for ever. */
  limitMs?: number;
};

/** Gives a query to a connection: to that of a transaction, or to one that the pool has free. */
export type Send = (query: SentQuery) => void;

/** The rows of an answer, and how many rows a statement gave or changed. */
export type Rows<Given extends readonly unknown[]> = Given & { readonly count: number };

interface Source {
  strings: readonly string[];
  parameters: readonly unknown[];
  /** Sent as it stands, over the simple protocol, which takes several statements at once. */
  plain: boolean;
  prepare: boolean;
}

/**
 * A statement. It is sent when somebody waits for it, or by execute; inside of another statement it is a part of that.
 */
export class Statement<Given extends readonly unknown[]> extends Promise<Rows<Given>> implements SqlPart {
  readonly #source: Source;
  readonly #send: Send;
  readonly #resolve: (rows: Rows<Given>) => void;
  readonly #reject: (error: Error) => void;
  #sent = false;

  constructor(source: Source, send: Send) {
    let resolve!: (rows: Rows<Given>) => void;
    let reject!: (error: Error) => void;
    super((resolved, rejected) => {
      resolve = resolved;
      reject = rejected;
    });
    this.#resolve = resolve;
    this.#reject = reject;
    this.#source = source;
    this.#send = send;
    if (!source.plain) noteOrigin(source.strings);
  }

  // What then() gives is a promise like any other.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  writeTo(text: SqlText): void {
    text.addAll(this.#source.strings, this.#source.parameters);
  }

  /** Sends it now, before anybody waits for it. */
  execute(): this {
    if (this.#sent) return this;
    this.#sent = true;
    try {
      this.#send(this.#query());
    } catch (thrown) {
      this.#reject(thrown as Error);
    }
    return this;
  }

  override then<A = Rows<Given>, B = never>(
    fulfilled?: ((rows: Rows<Given>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    void this.execute();
    return super.then(fulfilled, rejected);
  }

  #query({ strings, parameters, plain, prepare } = this.#source): SentQuery {
    const { text, values } = plain
      ? { text: withTypes(strings[0] ?? '', parameters), values: parameters.map(plainValue) }
      : new SqlText().addAll(strings, parameters);
    const query = new pg.Query(text, values) as SentQuery;
    if (prepare) {
      query.name = nameOf(text);
      query.again = () => this.#query({ ...this.#source, prepare: false });
    }
    query.callback = (error, result) => {
      if (error) this.#reject(withOrigin(connectionError(error), strings));
      else this.#resolve(rowsOf<Given>(Array.isArray(result) ? result.at(-1) : result));
    };
    return query;
  }
}

function rowsOf<Given extends readonly unknown[]>(result: pg.QueryResult | undefined): Rows<Given> {
  const rows: unknown[] = result?.rows ?? [];
  return Object.defineProperty(rows, 'count', { value: result?.rowCount ?? 0 }) as unknown as Rows<Given>;
}

/** The lines of a trace before that of the caller: its title, noteOrigin, the constructor and the handle. */
const ORIGIN_FRAMES = 4;

const origins = new WeakMap<readonly string[], string>();

/** Notes where a template stands when it is used for the first time: an answer comes without a trace of who asked. */
function noteOrigin(strings: readonly string[]): void {
  if (!origins.has(strings)) origins.set(strings, new Error().stack ?? '');
}

function withOrigin(error: Error, strings: readonly string[]): Error {
  const frames = origins.get(strings)?.split('\n').slice(ORIGIN_FRAMES) ?? [];
  error.stack = [error.stack, ...frames].join('\n');
  return error;
}

const names = new Map<string, string>();

/** A statement is parsed once on each connection, under a name that no other text has. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `s${names.size}`));
  return name;
}
