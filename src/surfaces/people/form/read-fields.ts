import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { amountOf, centsOf } from '../../../core/text/money.ts';
import { parseForm } from '../../../protocol/run/parse-input.ts';

/** The validated form values, or an error message for each field, worded to follow the field's label. */
export type ReadFields<Schema extends z.ZodObject> =
  { ok: true; values: z.output<Schema> } | { ok: false; faults: Record<string, string> };

/** Fields that are not text. An empty one is null. */
export interface FieldKinds {
  numbers?: readonly string[] | undefined;
  /** Amounts of money, which people write as 5, 5.00 or 5,00; parsed to cents. */
  money?: readonly string[] | undefined;
}

/**
 * Schema for an amount in cents within bounds. One message covers all errors, because a person who mistyped needs all
 * of it.
 */
export function sumSchema(minCents: number, maxCents: number): z.ZodType<number> {
  return z.custom<number>(
    (cents) => typeof cents === 'number' && cents >= minCents && cents <= maxCents,
    `must be a sum in US dollars from ${amountOf(minCents)} to ${amountOf(maxCents)}, such as 5 or 5.00`,
  );
}

/** Reads the fields that the schema names. A value that cannot be parsed stays text, which the schema then rejects. */
export function readFields<Schema extends z.ZodObject>(
  form: URLSearchParams,
  schema: Schema,
  { numbers = [], money = [] }: FieldKinds = {},
): ReadFields<Schema> {
  const input = Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const text = form.get(name) ?? '';
      const plain = text.trim();
      if (!numbers.includes(name) && !money.includes(name)) return [name, text];
      if (plain === '') return [name, null];
      return [name, (money.includes(name) ? centsOf(plain) : numberOf(plain)) ?? plain];
    }),
  );
  try {
    return { ok: true, values: parseForm(schema, input) };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown;
    const faults = thrown.errors.map(({ pointer, detail }) => [pointer.slice(1), `This ${detail}.`] as const);
    return { ok: false, faults: Object.fromEntries(faults) };
  }
}

function numberOf(plain: string): number | undefined {
  return /^-?\d+$/.test(plain) ? Number(plain) : undefined;
}
