import { pipeline } from 'node:stream/promises';
import type { TransactionSql } from 'postgres';

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

/** Sends lines to a table; rejects with what PostgreSQL said when it refuses them. */
export async function copyInto(tx: TransactionSql, target: string, chunks: readonly Buffer[]): Promise<void> {
  if (chunks.length === 0) return;
  const query = tx.unsafe(`copy ${target} from stdin`);
  // postgres.js loses an error that comes after the last byte was sent, and its stream would then wait for ever.
  const refused = new Promise<never>((_, reject) => {
    (query as unknown as { reject: (error: unknown) => void }).reject = reject;
  });
  const stream = await Promise.race([query.writable(), refused]);
  await Promise.race([pipeline(chunks, stream), refused]);
}
