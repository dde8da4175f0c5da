import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { connectionError } from './connection-error.ts';
import type { Db } from './db.ts';
import type { SentQuery } from './statement.ts';

const SPECIAL = /[\\\t\n\r\0]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value as the text format of COPY wants it. PostgreSQL has no NUL in texts, so it is left out. */
export function copyField(value: string | number | boolean | null): string {
  if (value === null) return '\\N';
  const text = String(value);
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r\0]/g, (character) => ESCAPES[character] ?? '') : text;
}

/** A list of texts as an array literal, not yet escaped for COPY. */
export function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** JSON that jsonb takes: it knows neither NUL nor half of a surrogate pair, which files of others may hold. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed().replaceAll('\0', '') : member,
  );
}

/** Lines in memory, or such as are read while they are sent. */
type Lines = readonly Buffer[] | AsyncIterable<Buffer>;

/** Sends lines to a table and returns how many rows they were; rejects with what PostgreSQL said when it refuses them. */
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
  /** Why the lines could not be read to their end. */
  unread: Error | undefined;
  readonly #chunks: Lines;

  constructor(text: string, chunks: Lines) {
    super(text);
    this.#chunks = chunks;
  }

  /** PostgreSQL is ready for the lines. It may refuse them at any time, and reads the rest without heeding it. */
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

/** Until the stream takes more, or has been closed. */
async function drained(stream: Duplex): Promise<void> {
  const either = new AbortController();
  const { signal } = either;
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).catch(
    () => undefined,
  );
  either.abort();
}

/** What the client has for copies; the types of the package leave it out. */
interface CopyConnection {
  stream: Duplex;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}
