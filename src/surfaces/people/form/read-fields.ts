import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { centsOf } from '../../../core/text/money.ts';
import type { FormField, FormFields, FormValues } from './fields.ts';
import { parseForm } from '../../../protocol/run/parse-input.ts';

/** The validated form values, or an error message for each field, worded to follow the field's label. */
export type ReadFields<Fields extends FormFields> =
  { ok: true; values: FormValues<Fields> } | { ok: false; faults: Record<string, string> };

/** Reads the declared fields. A value that cannot be parsed stays text, which its schema then rejects. */
export function readFields<Fields extends FormFields>(
  form: URLSearchParams,
  fields: Fields,
): ReadFields<Fields> {
  const input: Record<string, unknown> = {};
  const shape: Record<string, z.ZodType> = {};
  for (const [name, { schema, parse }] of Object.entries(fields)) {
    shape[name] = schema;
    input[name] = parseText(form.get(name) ?? '', parse);
  }
  try {
    return { ok: true, values: parseForm(z.object(shape), input) as FormValues<Fields> };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown;
    const faults = thrown.errors.map(({ pointer, detail }) => {
      const name = pointer.slice(1);
      return [name, fields[name]?.error ?? `This ${detail}.`] as const;
    });
    return { ok: false, faults: Object.fromEntries(faults) };
  }
}

function parseText(text: string, parse: FormField['parse']): string | number | null {
  const plain = text.trim();
  if (parse === undefined) return text;
  if (plain === '') return null;
  return (parse === 'money' ? centsOf(plain) : numberOf(plain)) ?? plain;
}

function numberOf(plain: string): number | undefined {
  return /^-?\d+$/.test(plain) ? Number(plain) : undefined;
}
