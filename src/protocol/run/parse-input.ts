import type { z } from 'zod';
import { AppError, type FieldError, type FieldErrorCode } from '../../core/errors.ts';
import type { Warning } from '../../core/input/warning.ts';
import type { Operation } from '../../core/operation.ts';
import { findHiddenText, type HiddenText } from '../../core/text/hidden-text.ts';
import { isStorable } from '../../core/text/text.ts';
import { visibleMembers } from '../../core/text/visible-text.ts';
import { forgive, isAsAsked, pointerTo, type ForgivenInput } from './forgive-input.ts';

/** What a caller sent, as it was understood. */
export interface CheckedInput<Input = Record<string, unknown>> {
  input: Input;
  warnings: Warning[];
  /** What was taken out of it because nobody sees it. */
  hidden: readonly HiddenText[];
}

/**
 * Checks what a caller sent, without the characters in it that nobody sees. Unknown members are no error, but they are
 * named, so that nothing is lost in silence. Only what does not fit as it stands is read with good will.
 */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  sent: unknown,
  missing: Operation['missing'] = {},
): CheckedInput<z.output<Schema>> {
  const visible = visibleMembers(sent) as Record<string, unknown>;
  const hidden = visible === sent ? [] : findHiddenText(sent);
  if (isAsAsked(schema, visible)) {
    const checked = check(schema, asSent(visible), hidden);
    if (!('faults' in checked)) return checked;
  }
  const read = forgive(schema, visible);
  const checked = check(schema, read, hidden);
  if (!('faults' in checked)) return checked;
  throw refusal(checked.faults, read, missing, Object.keys(schema.shape));
}

/** The same for a form of ours, whose fields have our names and say just what they hold. */
export function parseForm<Schema extends z.ZodObject>(
  schema: Schema,
  sent: Record<string, unknown>,
): z.output<Schema> {
  const read = asSent(visibleMembers(sent));
  const checked = check(schema, read, []);
  if (!('faults' in checked)) return checked.input;
  throw refusal(checked.faults, read, {}, Object.keys(schema.shape));
}

const NO_OTHER_NAMES: ReadonlyMap<string, string> = new Map();

function asSent(given: Record<string, unknown>): ForgivenInput {
  return { given, warnings: [], takenFor: NO_OTHER_NAMES };
}

function check<Schema extends z.ZodObject>(
  schema: Schema,
  read: ForgivenInput,
  hidden: readonly HiddenText[],
): CheckedInput<z.output<Schema>> | { faults: FieldError[] } {
  const { given } = read;
  const parsed = schema.safeParse(given);
  if (!parsed.success) return { faults: parsed.error.issues.map((issue) => fieldError(issue, given)) };
  const { data: input } = parsed;
  const faults = unstorableTexts(input, '');
  if (faults.length > 0) return { faults };
  const warnings = [
    ...read.warnings,
    ...unknownMembers(given, input, ''),
    ...cappedNumbers(read, input),
    ...taken(hidden),
  ];
  return { input, warnings, hidden };
}

/** All faults at once, where they stand in what was sent, and which names say nothing here. */
function refusal(
  faults: readonly FieldError[],
  { given, takenFor }: ForgivenInput,
  missing: NonNullable<Operation['missing']>,
  known: readonly string[],
): AppError {
  const own = faults.find(({ code, pointer }) => code === 'required' && missing[pointer.slice(1)]);
  const code = missing[own?.pointer.slice(1) ?? ''] ?? 'validation_failed';
  const sentAs = new Map([...takenFor].map(([name, member]) => [pointerTo(member), pointerTo(name)]));
  const errors = faults.map((fault) => ({ ...fault, pointer: sentAs.get(fault.pointer) ?? fault.pointer }));
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const unknown = Object.keys(given).filter((name) => !known.includes(name) && PLAIN_NAME.test(name));
  const hint = `Not known here: ${unknown.slice(0, UNKNOWN_TOLD).join(', ')}.`;
  return new AppError(code, `${first?.pointer ?? ''}: ${first?.detail ?? ''}${more}`, {
    errors,
    ...(unknown.length > 0 && { hint }),
  });
}

/** Nothing of what was sent is repeated but what can be a name; and a caller that is far off is not told all of it. */
const PLAIN_NAME = /^[a-z]\w{0,39}$/i;
const UNKNOWN_TOLD = 5;

/** Texts that no field takes, whatever else its schema says of it: PostgreSQL could not store or compare some of them. */
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

function fieldError(issue: z.core.$ZodIssue, given: unknown): FieldError {
  const pointer = issue.path.map((part) => pointerTo(String(part))).join('');
  const sent = valueAt(issue.path, given);
  if (issue.code === 'invalid_value' && sent === undefined)
    return { pointer, code: 'required', detail: `is required: ${oneOf(issue.values)}` };
  const detail = issue.code === 'invalid_type' && sent === undefined ? 'is required' : plainMessage(issue);
  return { pointer, code: fieldErrorCode(issue, given), detail: detail + meantWord(issue, sent) };
}

function fieldErrorCode(issue: z.core.$ZodIssue, given: unknown): FieldErrorCode {
  switch (issue.code) {
    case 'invalid_type':
      if (valueAt(issue.path, given) === undefined) return 'required';
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

/** How a sentence begins that we did not write. */
const ZOD_WORDS = 'Invalid input';

function oneOf(values: readonly unknown[]): string {
  return `one of ${values.map(String).join(', ')}`;
}

/** The value that was meant, where what was sent holds one or is a part of one: website is web. */
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

/** What was sent there; null where there is nothing that could hold it. */
function valueAt(path: readonly PropertyKey[], given: unknown): unknown {
  let value = given;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function unknownMembers(given: unknown, kept: unknown, pointer: string): Warning[] {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return [];
  const asked = Object.entries(given).filter(
    ([key, value]) => typeof value === 'object' || !Object.hasOwn(kept, key),
  );
  return asked.flatMap(([key, value]): Warning[] => {
    const here = pointer + pointerTo(key);
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
function cappedNumbers({ given, takenFor }: ForgivenInput, kept: Record<string, unknown>): Warning[] {
  const { limit: asked } = given;
  const { limit: used } = kept;
  if (typeof asked !== 'number' || typeof used !== 'number' || asked === used) return [];
  const [sentAs = 'limit'] = [...takenFor].find(([, member]) => member === 'limit') ?? [];
  const detail = `At most ${used} are given; ${used} was used.`;
  return [{ code: 'limit_capped', pointer: pointerTo(sentAs), detail }];
}
