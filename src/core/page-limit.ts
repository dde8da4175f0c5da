import { z } from 'zod';

/** Schema of a page size. A larger value is reduced with a warning, so the published schema has no maximum. */
export function pageLimit(what: string, { standard, max }: { standard: number | string; max: number }) {
  return z
    .number()
    .overwrite((value) => (Number.isInteger(value) ? Math.min(value, max) : value))
    .int()
    .min(1)
    .optional()
    .describe(`${what} (${standard}, at most ${max}).`);
}

export const nextCursorSchema = z
  .string()
  .nullable()
  .describe('Send it as cursor for the next page; null when there is none.');

/** Returns how many of the texts fit into `bytesMax`, but at least one, because an empty page would end a list. */
export function countThatFits(texts: readonly string[], bytesMax: number): number {
  let bytes = 0;
  const over = texts.findIndex((text) => (bytes += Buffer.byteLength(text)) > bytesMax);
  return over < 0 ? texts.length : Math.max(1, over);
}
