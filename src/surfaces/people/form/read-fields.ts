import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { parseForm } from '../../../protocol/run/parse-input.ts';

/** What a person filled in, checked, or what is wrong with each field in words that follow the field's label. */
export type ReadFields<Schema extends z.ZodObject> =
  { ok: true; values: z.output<Schema> } | { ok: false; faults: Record<string, string> };

/** Reads the named fields of a form. One that is empty and named in `numbers` is null, any other is text. */
export function readFields<Schema extends z.ZodObject>(
  form: URLSearchParams,
  schema: Schema,
  numbers: readonly string[] = [],
): ReadFields<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const text = form.get(name) ?? '';
      return [name, numbers.includes(name) ? numberOf(text) : text];
    }),
  );
  try {
    return { ok: true, values: parseForm(schema, given) };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown;
    const faults = thrown.errors.map(({ pointer, detail }) => [pointer.slice(1), `This ${detail}.`] as const);
    return { ok: false, faults: Object.fromEntries(faults) };
  }
}

function numberOf(text: string): number | string | null {
  const plain = text.trim();
  if (plain === '') return null;
  return /^-?\d+$/.test(plain) ? Number(plain) : plain;
}
