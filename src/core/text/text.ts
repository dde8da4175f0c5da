import { z } from 'zod';
import { oneLine } from './visible-text.ts';

// Control characters except tab, newline and carriage return. PostgreSQL cannot store the first of them.
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

export function isStorable(text: string): boolean {
  return !CONTROL.test(text) && text.isWellFormed();
}

/** Text of a bounded length, trimmed, counted in code points as a person would count. */
export function text(min: number, max: number) {
  return bounded(z.string().trim(), min, max);
}

/** A name, or another single-line text: line breaks and runs of spaces become one space. */
export function line(min: number, max: number) {
  return bounded(z.string().overwrite(oneLine), min, max);
}

function bounded(string: z.ZodString, min: number, max: number) {
  return string
    .check((check) => {
      const length = Array.from(check.value).length;
      const issue = { input: check.value, origin: 'string', inclusive: true } as const;
      if (length < min) check.issues.push({ ...issue, code: 'too_small', minimum: min });
      if (length > max) check.issues.push({ ...issue, code: 'too_big', maximum: max });
      if (!isStorable(check.value))
        check.issues.push({
          code: 'custom',
          input: check.value,
          message: 'must not contain control characters',
        });
    })
    .meta({ minLength: min, maxLength: max });
}

/** A web address. An empty text means none, because callers are asked to leave unknown fields empty. */
export function webAddress(max = 2000) {
  return text(0, max)
    .refine((value) => value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)), {
      error: 'must be an http or https address',
    })
    .meta({ format: 'uri' });
}

export function emailAddress() {
  return z.string().trim().toLowerCase().max(254).check(z.email('must be an email address'));
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
