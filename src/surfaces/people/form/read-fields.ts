import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { amountOf, centsOf } from '../../../core/text/money.ts';
import { parseForm } from '../../../protocol/run/parse-input.ts';

/** What a person filled in, checked, or what is wrong with each field in words that follow the field's label. */
export type ReadFields<Schema extends z.ZodObject> =
  { ok: true; values: z.output<Schema> } | { ok: false; faults: Record<string, string> };

/** Which fields are not text. One of these that is empty is null. */
export interface FieldKinds {
  numbers?: readonly string[] | undefined;
  /** Sums of money, which people write as 5, 5.00 or 5,00; what comes in is cents. */
  money?: readonly string[] | undefined;
}

/** A sum in cents within these bounds. One message says all, because whoever mistyped needs all of it. */
export function sumSchema(minCents: number, maxCents: number): z.ZodType<number> {
  return z.custom<number>(
    (given) => typeof given === 'number' && given >= minCents && given <= maxCents,
    `must be a sum in US dollars from ${amountOf(minCents)} to ${amountOf(maxCents)}, such as 5 or 5.00`,
  );
}

/** Reads the named fields of a form. What cannot be read as its kind stays text, which its schema then refuses. */
export function readFields<Schema extends z.ZodObject>(
  form: URLSearchParams,
  schema: Schema,
  { numbers = [], money = [] }: FieldKinds = {},
): ReadFields<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => {
      const text = form.get(name) ?? '';
      const plain = text.trim();
      if (!numbers.includes(name) && !money.includes(name)) return [name, text];
      if (plain === '') return [name, null];
      return [name, (money.includes(name) ? centsOf(plain) : numberOf(plain)) ?? plain];
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

function numberOf(plain: string): number | undefined {
  return /^-?\d+$/.test(plain) ? Number(plain) : undefined;
}
