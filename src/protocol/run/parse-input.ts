import type { z } from 'zod';
import { AppError, type FieldError, type FieldErrorCode } from '../../core/errors.ts';
import type { Warning } from '../../core/input/warning.ts';
import type { Operation } from '../../core/operation.ts';
import { findHiddenText, type HiddenText } from '../../core/text/hidden-text.ts';
import { isStorable } from '../../core/text/text.ts';
import { visibleMembers } from '../../core/text/visible-text.ts';
import { normalizeInput, isAlreadyNormal, pointerTo, type NormalizedInput } from './normalize-input.ts';

export interface CheckedInput<Input = Record<string, unknown>> {
  input: Input;
  warnings: Warning[];
  hidden: readonly HiddenText[];
}

/** Validates input without invisible characters; unknown members get warnings. Only invalid input is normalized. */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  sent: unknown,
  missing: Operation['missing'] = {},
): CheckedInput<z.output<Schema>> {
  const visible = visibleMembers(sent) as Record<string, unknown>;
  const hidden = visible === sent ? [] : findHiddenText(sent);
  if (isAlreadyNormal(schema, visible)) {
    const checked = check(schema, asSent(visible), hidden);
    if (!('faults' in checked)) return checked;
  }
  const normalized = normalizeInput(schema, visible);
  const checked = check(schema, normalized, hidden);
  if (!('faults' in checked)) return checked;
  throw refusal(checked.faults, normalized, missing, Object.keys(schema.shape));
}

export function parseForm<Schema extends z.ZodObject>(
  schema: Schema,
  sent: Record<string, unknown>,
): z.output<Schema> {
  const normalized = asSent(visibleMembers(sent));
  const checked = check(schema, normalized, []);
  if (!('faults' in checked)) return checked.input;
  throw refusal(checked.faults, normalized, {}, Object.keys(schema.shape));
}

const NO_OTHER_NAMES: ReadonlyMap<string, string> = new Map();

function asSent(members: Record<string, unknown>): NormalizedInput {
  return { members, warnings: [], takenFor: NO_OTHER_NAMES };
}

function check<Schema extends z.ZodObject>(
  schema: Schema,
  forgiven: NormalizedInput,
  hidden: readonly HiddenText[],
): CheckedInput<z.output<Schema>> | { faults: FieldError[] } {
  const { members } = forgiven;
  const parsed = schema.safeParse(members);
  if (!parsed.success) return { faults: parsed.error.issues.map((issue) => fieldError(issue, members)) };
  const { data: input } = parsed;
  const faults = unstorableTexts(input, '');
  if (faults.length > 0) return { faults };
  const warnings = [
    ...forgiven.warnings,
    ...unknownMembers(members, input, ''),
    ...cappedNumbers(forgiven, input),
    ...hiddenTextWarnings(hidden),
  ];
  return { input, warnings, hidden };
}

/** Builds the error with all faults at once, at their location in the input, and lists unknown names. */
function refusal(
  faults: readonly FieldError[],
  { members, takenFor }: NormalizedInput,
  missing: NonNullable<Operation['missing']>,
  memberNames: readonly string[],
): AppError {
  const own = faults.find(({ code, pointer }) => code === 'required' && missing[pointer.slice(1)]);
  const code = missing[own?.pointer.slice(1) ?? ''] ?? 'validation_failed';
  const sentAs = new Map([...takenFor].map(([name, member]) => [pointerTo(member), pointerTo(name)]));
  const errors = faults.map((fault) => ({ ...fault, pointer: sentAs.get(fault.pointer) ?? fault.pointer }));
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const unknown = Object.keys(members).filter((name) => !memberNames.includes(name) && PLAIN_NAME.test(name));
  const hint = `Unknown: ${unknown.slice(0, UNKNOWN_NAMES_MAX).join(', ')}.`;
  return new AppError(code, `${first?.pointer ?? ''}: ${first?.detail ?? ''}${more}`, {
    errors,
    ...(unknown.length > 0 && { hint }),
  });
}

/** The error repeats nothing of the input but plausible names, and only a few of them. */
const PLAIN_NAME = /^[a-z]\w{0,39}$/i;
const UNKNOWN_NAMES_MAX = 5;

/** Finds texts that no field accepts, whatever its schema: PostgreSQL could not store or compare some of them. */
function unstorableTexts(value: unknown, pointer: string): FieldError[] {
  if (typeof value === 'string')
    return isStorable(value)
      ? []
      : [{ pointer, code: 'bad_format', detail: 'must not contain control characters' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([, member]) => (typeof member === 'string' ? !isStorable(member) : typeof member === 'object'))
    .flatMap(([name, member]) => unstorableTexts(member, pointer + pointerTo(name)));
}

function fieldError(issue: z.core.$ZodIssue, input: unknown): FieldError {
  const pointer = issue.path.map((part) => pointerTo(String(part))).join('');
  const sent = valueAt(issue.path, input);
  if (issue.code === 'invalid_value' && sent === undefined)
    return { pointer, code: 'required', detail: `is required: ${oneOf(issue.values)}` };
  const detail = issue.code === 'invalid_type' && sent === undefined ? 'is required' : plainMessage(issue);
  return { pointer, code: fieldErrorCode(issue, input), detail: detail + meantWord(issue, sent) };
}

function fieldErrorCode(issue: z.core.$ZodIssue, input: unknown): FieldErrorCode {
  switch (issue.code) {
    case 'invalid_type':
      if (valueAt(issue.path, input) === undefined) return 'required';
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

/** Rewords zod's messages so that they read well after a field's name. None of them repeats the input. */
function plainMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith(ZOD_WORDS) ? `must be ${article(issue.expected)}` : issue.message;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `must have at least ${issue.minimum} ${issue.origin === 'string' ? 'characters' : 'items'}`
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `must have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'items'}`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`;
    default:
      return issue.message;
  }
}

const ZOD_WORDS = 'Invalid input';

function oneOf(values: readonly unknown[]): string {
  return `one of ${values.map(String).join(', ')}`;
}

/** Suggests the intended value where the input contains one or is part of one: website suggests web. */
function meantWord(issue: z.core.$ZodIssue, sent: unknown): string {
  if (issue.code !== 'invalid_value' || typeof sent !== 'string' || sent.length < 2) return '';
  const word = sent.toLowerCase();
  const [meant] = issue.values
    .filter((value) => typeof value === 'string')
    .filter((value) => value !== '' && (word.includes(value) || value.includes(word)))
    .toSorted((a, b) => b.length - a.length);
  return meant === undefined ? '' : `; perhaps ${meant}`;
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Returns the input at a path; null where there is nothing that could contain it. */
function valueAt(path: readonly PropertyKey[], input: unknown): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function unknownMembers(input: unknown, parsed: unknown, pointer: string): Warning[] {
  if (typeof input !== 'object' || input === null || typeof parsed !== 'object' || parsed === null) return [];
  const candidates = Object.entries(input).filter(
    ([key, value]) => typeof value === 'object' || !Object.hasOwn(parsed, key),
  );
  return candidates.flatMap(([key, value]): Warning[] => {
    const here = pointer + pointerTo(key);
    if (!Object.hasOwn(parsed, key)) return [{ code: 'unknown_field', pointer: here }];
    return unknownMembers(value, (parsed as Record<string, unknown>)[key], here);
  });
}

/**
 * Returns warnings about removed hidden text. They do not repeat the text, because the reader may be the
 * model that it was meant for.
 */
function hiddenTextWarnings(hidden: readonly HiddenText[]): Warning[] {
  return hidden.map(({ pointer, count }) => ({
    code: 'hidden_text_removed',
    pointer,
    detail:
      count === 1 ? '1 invisible character was removed.' : `${count} invisible characters were removed.`,
  }));
}

/** Warns of a limit above its maximum, which the schema itself has reduced. */
function cappedNumbers({ members, takenFor }: NormalizedInput, parsed: Record<string, unknown>): Warning[] {
  const { limit: requested } = members;
  const { limit: used } = parsed;
  if (typeof requested !== 'number' || typeof used !== 'number' || requested === used) return [];
  const [sentAs = 'limit'] = [...takenFor].find(([, member]) => member === 'limit') ?? [];
  const detail = `The maximum is ${used}; ${used} was used.`;
  return [{ code: 'limit_capped', pointer: pointerTo(sentAs), detail }];
}
