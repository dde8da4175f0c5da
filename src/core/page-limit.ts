import { z } from 'zod';

/**
 * How many entries a page may hold. More than the cap is the cap, which the answer then warns of: a caller need not know
 * our caps. The published schema has no maximum, because strict clients would refuse to send what is taken here.
 */
export function pageLimit(what: string, { standard, max }: { standard: number; max: number }) {
  return z
    .number()
    .overwrite((given) => (Number.isInteger(given) ? Math.min(given, max) : given))
    .int()
    .min(1)
    .optional()
    .describe(`${what} (${standard}, at most ${max}).`);
}
