import pg from 'pg';
import { connectionError } from './connection-error.ts';
import { plainValue, type SqlPart, SqlText, withTypes } from './parameters.ts';

/** A query for the client; the package's types leave out what a custom class needs. */
export type SentQuery = pg.Query & {
  name?: string;
  callback: (error: Error | null | undefined, result: pg.QueryResult | pg.QueryResult[]) => void;
  /** Returns the same query without its prepared statement, for a retry. Absent on the retry itself. */
  again?: () => SentQuery;
  limitMs?: number;
};

export type Send = (query: SentQuery) => void;

export type Rows<Given extends readonly unknown[]> = Given & { readonly count: number };

interface Source {
  strings: readonly string[];
  parameters: readonly unknown[];
  /** Sent unchanged over the simple protocol, which accepts several statements at once. */
  plain: boolean;
  prepare: boolean;
}

/** A statement. It is sent when awaited, or by execute; inside another statement it is a fragment of that. */
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

  // then() returns a plain promise.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  writeTo(text: SqlText): void {
    text.addAll(this.#source.strings, this.#source.parameters);
  }

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

/** Stack lines before the caller's: the title, noteOrigin, the constructor and the handle. */
const ORIGIN_FRAMES = 4;

const origins = new WeakMap<readonly string[], string>();

/** Records the location of a template on first use, because an answer arrives without the caller's stack. */
function noteOrigin(strings: readonly string[]): void {
  if (!origins.has(strings)) origins.set(strings, new Error().stack ?? '');
}

function withOrigin(error: Error, strings: readonly string[]): Error {
  const frames = origins.get(strings)?.split('\n').slice(ORIGIN_FRAMES) ?? [];
  error.stack = [error.stack, ...frames].join('\n');
  return error;
}

const names = new Map<string, string>();

/** Returns a unique name per text, so that a statement is parsed once on each connection. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `s${names.size}`));
  return name;
}
