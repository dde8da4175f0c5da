import { z } from 'zod';

/**
 * How many entries a page may hold. More than the cap is the cap, which the answer then warns of: a caller need not know
 * our caps. The published schema has no maximum, because strict clients would refuse to send what is taken here.
 */
export function pageLimit(what: string, { standard, max }: { standard: number | string; max: number }) {
  return z
    .number()
    .overwrite((given) => (Number.isInteger(given) ? Math.min(given, max) : given))
    .int()
    .min(1)
    .optional()
    .describe(`${what} (${standard}, at most ${max}).`);
}

/** How many of these texts fit into so many bytes: at least one, because a page without any would end a list. */
export function countThatFits(texts: readonly string[], bytesMax: number): number {
  let bytes = 0;
  const over = texts.findIndex((text) => (bytes += Buffer.byteLength(text)) > bytesMax);
  return over < 0 ? texts.length : Math.max(1, over);
}
