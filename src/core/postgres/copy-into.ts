import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { connectionError } from './connection-error.ts';
import type { Db } from './db.ts';
import type { SentQuery } from './statement.ts';

const SPECIAL = /[\\\t\n\r\0]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Encodes a value in COPY's text format. PostgreSQL text cannot contain NUL, so it is removed. */
export function copyField(value: string | number | boolean | null): string {
  if (value === null) return '\\N';
  const text = String(value);
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r\0]/g, (character) => ESCAPES[character] ?? '') : text;
}

export function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Writes JSON that jsonb accepts: without NUL and lone surrogates, which files of others may contain. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed().replaceAll('\0', '') : member,
  );
}

type Lines = readonly Buffer[] | AsyncIterable<Buffer>;

/** Copies lines into a table and returns the number of rows; rejects with PostgreSQL's error when it refuses them. */
export async function copyInto(tx: Db, target: string, chunks: Lines): Promise<number> {
  if (Array.isArray(chunks) && chunks.length === 0) return 0;
  return new Promise((resolve, reject) => {
    const query = new CopyIn(`copy ${target} from stdin`, chunks) as CopyIn & SentQuery;
    query.callback = (error, result) => {
      query.answered = true;
      if (error) reject(query.unread ?? connectionError(error));
      else resolve((Array.isArray(result) ? result.at(-1) : result)?.rowCount ?? 0);
    };
    tx.send(query);
  });
}

class CopyIn extends pg.Query {
  answered = false;
  unread: Error | undefined;
  readonly #chunks: Lines;

  constructor(text: string, chunks: Lines) {
    super(text);
    this.#chunks = chunks;
  }

  /** Called when PostgreSQL is ready for the lines. It may refuse them at any time, and then discards the rest. */
  handleCopyInResponse(connection: CopyConnection): void {
    void this.#write(connection);
  }

  async #write(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.#chunks) {
        if (this.answered) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await drained(connection.stream);
      }
      if (!this.answered) connection.endCopyFrom();
    } catch (thrown) {
      this.unread = thrown as Error;
      connection.sendCopyFail('the lines could not be read');
    }
  }
}

async function drained(stream: Duplex): Promise<void> {
  const either = new AbortController();
  const { signal } = either;
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).catch(
    () => undefined,
  );
  either.abort();
}

/** The client's API for COPY, which the package's types leave out. */
interface CopyConnection {
  stream: Duplex;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}
