import type { z } from 'zod';
import { AppError, type FieldError, type FieldErrorCode } from '../../core/errors.ts';
import type { Operation, Warning } from '../../core/operation.ts';
import { findHiddenText, type HiddenText } from '../../core/text/hidden-text.ts';
import { isStorable } from '../../core/text/text.ts';
import { typedText, visibleMembers } from '../../core/text/visible-text.ts';

/** What a caller sent, as it was understood. */
export interface CheckedInput<Input = Record<string, unknown>> {
  input: Input;
  warnings: Warning[];
  /** What was taken out of it because nobody sees it. */
  hidden: readonly HiddenText[];
}

/** Checks what a caller sent, without the characters in it that nobody sees. Unknown members are no error, but they are named, so that nothing is lost in silence. */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  sent: unknown,
  missing: Operation['missing'] = {},
): CheckedInput<z.output<Schema>> {
  const given = visibleMembers(sent);
  const hidden = given === sent ? [] : findHiddenText(sent);
  const parsed = schema.safeParse(given);
  const unstorable = parsed.success ? unstorableTexts(parsed.data, '') : [];
  if (parsed.success && unstorable.length === 0) {
    const { data: input } = parsed;
    const warnings = [...unknownMembers(given, input, ''), ...cappedNumbers(given, input), ...taken(hidden)];
    return { input, warnings, hidden };
  }
  const errors = parsed.success ? unstorable : parsed.error.issues.map((issue) => fieldError(issue, given));
  const first = errors[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const own = errors.find(({ code, pointer }) => code === 'required' && missing[pointer.slice(1)]);
  const code = missing[own?.pointer.slice(1) ?? ''] ?? 'validation_failed';
  throw new AppError(code, `${first?.pointer ?? ''}: ${first?.detail ?? ''}${more}`, { errors });
}

/** Texts that no field takes, whatever else its schema says of it: PostgreSQL could not store or compare some of them. */
function unstorableTexts(value: unknown, pointer: string): FieldError[] {
  if (typeof value === 'string')
    return isStorable(value)
      ? []
      : [{ pointer, code: 'bad_format', detail: 'must not contain control characters' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([, member]) => (typeof member === 'string' ? !isStorable(member) : typeof member === 'object'))
    .flatMap(([name, member]) => unstorableTexts(member, `${pointer}/${escapePointer(name)}`));
}

function fieldError(issue: z.core.$ZodIssue, given: unknown): FieldError {
  const pointer = issue.path.map((part) => `/${escapePointer(String(part))}`).join('');
  const detail =
    issue.code === 'invalid_type' && isMissing(issue.path, given) ? 'is required' : plainMessage(issue);
  return { pointer, code: fieldErrorCode(issue, given), detail };
}

function fieldErrorCode(issue: z.core.$ZodIssue, given: unknown): FieldErrorCode {
  switch (issue.code) {
    case 'invalid_type':
      if (isMissing(issue.path, given)) return 'required';
      return issue.expected === 'int' ? 'not_integer' : 'wrong_type';
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_short' : 'out_of_range';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'out_of_range';
    case 'invalid_value':
      return 'not_in_enum';
    case 'custom':
      return (issue.params?.['code'] as FieldErrorCode | undefined) ?? 'bad_format';
    default:
      return 'bad_format';
  }
}

/** Zod's own sentences, so that they read after a field's name. None of them repeats what the caller sent. */
function plainMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `must have at least ${issue.minimum} ${issue.origin === 'string' ? 'characters' : 'items'}`
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `must have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'items'}`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return issue.message;
  }
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function isMissing(path: readonly PropertyKey[], given: unknown): boolean {
  let value = given;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value === undefined;
}

function unknownMembers(given: unknown, kept: unknown, pointer: string): Warning[] {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return [];
  const asked = Object.entries(given).filter(
    ([key, value]) => typeof value === 'object' || !Object.hasOwn(kept, key),
  );
  return asked.flatMap(([key, value]): Warning[] => {
    const here = `${pointer}/${escapePointer(key)}`;
    if (!Object.hasOwn(kept, key)) return [{ code: 'unknown_field', pointer: here }];
    return unknownMembers(value, (kept as Record<string, unknown>)[key], here);
  });
}

/** What was hidden is not told again: whoever reads a warning may be the model that it was meant for. */
function taken(hidden: readonly HiddenText[]): Warning[] {
  return hidden.map(({ pointer, count }) => ({
    code: 'hidden_text_removed',
    pointer,
    detail: `${count} ${count === 1 ? 'character' : 'characters'} that nobody sees ${count === 1 ? 'was' : 'were'} taken out.`,
  }));
}

/** A limit above its cap is taken as the cap, by the schema itself. */
function cappedNumbers(given: unknown, kept: Record<string, unknown>): Warning[] {
  const { limit: asked } = given as { limit?: unknown };
  const { limit: used } = kept;
  if (typeof asked !== 'number' || typeof used !== 'number' || asked === used) return [];
  return [
    { code: 'limit_capped', pointer: '/limit', detail: `At most ${used} are given; ${used} was used.` },
  ];
}

function escapePointer(part: string): string {
  return typedText(part).replaceAll('~', '~0').replaceAll('/', '~1');
}
