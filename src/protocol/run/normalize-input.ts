import type { z } from 'zod';
import type { Warning } from '../../core/input/warning.ts';
import { typedText } from '../../core/text/visible-text.ts';
import type { JsonSchema } from '../describe/schema-node.ts';
import { inputJsonSchema } from '../describe/json-schema.ts';
import { coordinatesIn, joinPoint, splitMoment, type Members } from './split-members.ts';
import otherNames from './other-names.json' with { type: 'json' };

export interface NormalizedInput {
  members: Record<string, unknown>;
  warnings: Warning[];
  /** Maps an unknown name to the member that it was interpreted as. */
  takenFor: ReadonlyMap<string, string>;
}

const schemas = new WeakMap<z.ZodObject, JsonSchema>();

function schemaOf(input: z.ZodObject): JsonSchema {
  let schema = schemas.get(input);
  if (schema === undefined) schemas.set(input, (schema = inputJsonSchema(input)));
  return schema;
}

/** True when the input needs no normalization: no value is null or blank, and every name is a member. */
export function isAlreadyNormal({ shape }: z.ZodObject, sent: Readonly<Record<string, unknown>>): boolean {
  for (const name of Object.keys(sent)) {
    const value = sent[name];
    if (value === null || isBlank(value) || !Object.hasOwn(shape, name)) return false;
  }
  return true;
}

const SPACE = 32;

function isBlank(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return value === '' || (value.charCodeAt(0) <= SPACE && value.trim() === '');
}

/** Normalizes input: null and empty text are absent, quoted numbers are numbers, other names get a warning. */
export function normalizeInput(input: z.ZodObject, sent: Readonly<Record<string, unknown>>): NormalizedInput {
  const schema = schemaOf(input);
  const { properties = {} } = schema;
  const has = (name: string) => Object.hasOwn(properties, name);
  const members: Members = { known: new Map(), others: new Map(), takenFor: new Map(), properties };
  for (const [name, value] of Object.entries(sent)) {
    if (!has(name)) members.others.set(name, value);
    else if (!isAbsent(value, schema, name)) members.known.set(name, value);
  }
  splitMoment(members);
  for (const [name, value] of members.others) takeOtherName(members, name, value, has);
  joinPoint(members);
  const { known, others, takenFor } = members;
  for (const [name, value] of known) {
    const meant = coerceToSchema(value, properties[name] ?? {});
    if (isAbsent(meant, schema, name)) known.delete(name);
    else known.set(name, meant);
  }
  const warnings = [...takenFor].map(([name, member]): Warning => ({
    code: 'other_name',
    pointer: pointerTo(name),
    detail: `Read as ${member}.`,
  }));
  // A later warning lists the members that are still unknown. fromEntries is safe even for `__proto__`.
  return { members: Object.fromEntries([...known, ...others]), warnings, takenFor };
}

function takeOtherName(
  { known, others, takenFor, properties }: Members,
  name: string,
  value: unknown,
  has: (name: string) => boolean,
): void {
  const asPoint = coordinatesIn(value) !== undefined && has('near') && !known.has('near');
  const member = memberForAlias(name, has);
  if (member === undefined) return;
  const target = asPoint && properties[member]?.type === 'string' ? 'near' : member;
  if (known.has(target)) return;
  others.delete(name);
  if (isBlank(value) || (value === null && !takesNull(properties[target] ?? {}))) return;
  known.set(target, value);
  takenFor.set(name, target);
}

export function pointerTo(name: string): string {
  return `/${typedText(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A required member never counts as absent; where null has its own meaning, it is kept. */
function isAbsent(value: unknown, { required = [], properties = {} }: JsonSchema, name: string): boolean {
  if (required.includes(name)) return false;
  const schema = properties[name] ?? {};
  if (value === null) return !takesNull(schema);
  if (typeof value === 'string') return isBlank(value);
  if (Array.isArray(value)) return value.length === 0 && Number(typed(schema)['minItems'] ?? 0) > 0;
  return typeof value === 'object' && typed(schema).type === 'object' && Object.keys(value).length === 0;
}

function takesNull({ anyOf }: JsonSchema): boolean {
  return Array.isArray(anyOf) && (anyOf as JsonSchema[]).some(({ type }) => type === 'null');
}

/** Returns the only alternative besides null; the schema itself where there is none or more than one. */
function typed(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema['anyOf'])) return schema;
  const others = (schema['anyOf'] as JsonSchema[]).filter(({ type }) => type !== 'null');
  return others.length === 1 ? (others[0] ?? schema) : schema;
}

/** Converts a value to the type of its schema where the meaning is unambiguous; otherwise returns it unchanged. */
export function coerceToSchema(value: unknown, schema: JsonSchema): unknown {
  const own = typed(schema);
  const { type, properties } = own;
  if (typeof value === 'string') return fromText(value, own);
  if (typeof value !== 'object' || value === null) return value;
  const items = own['items'] as JsonSchema | undefined;
  if (type === 'array' && Array.isArray(value))
    return value.filter((one) => one !== null && one !== '').map((one) => coerceToSchema(one, items ?? {}));
  if (type !== 'object' || properties === undefined || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name, member]) => !isAbsent(member, own, name));
  return Object.fromEntries(
    entries.map(([name, member]) => [name, coerceToSchema(member, properties[name] ?? {})]),
  );
}

const NUMBER = /^[-+]?\d+(\.\d+)?$/;

/** Converts text to the type of its schema. Values that do not fit stay text and are refused. */
function fromText(text: string, { type, ...schema }: JsonSchema): unknown {
  const word = text.trim();
  switch (type) {
    case 'integer':
    case 'number':
      return NUMBER.test(word) ? Number(word) : text;
    case 'boolean':
      return { true: true, false: false }[word.toLowerCase()] ?? text;
    case 'array': {
      const one = (schema['items'] ?? {}) as JsonSchema;
      const parts = word.split(',').map((part) => part.trim());
      return parts.filter((part) => part !== '').map((part) => coerceToSchema(part, one));
    }
    default:
      return Array.isArray(schema['enum']) ? ofEnum(text, schema['enum']) : text;
  }
}

/** Matches other spellings of an enum value: `Authorized Agent` is authorized_agent. */
function ofEnum(text: string, words: readonly unknown[]): string {
  if (words.includes(text)) return text;
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return words.includes(plain) ? plain : text;
}

/** Other names for members. A name without a clear unit, such as price, is not among them. */
const OTHER_NAMES: Readonly<Record<string, string>> = otherNames;

const MEMBERS_BY_NAME = new Map<string, string[]>();
for (const [member, names] of Object.entries(OTHER_NAMES))
  for (const name of names.split(' '))
    MEMBERS_BY_NAME.set(name, [...(MEMBERS_BY_NAME.get(name) ?? []), member]);

/** Converts `partySize`, `party-size` and `Party Size` to party_size. */
function snakeCase(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase();
}

const LENGTH_MAX = 40;

/** Returns the member that a name means; undefined for a name without a meaning here. */
function memberForAlias(name: string, has: (member: string) => boolean): string | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const plain = snakeCase(name);
  if (has(plain)) return plain;
  return MEMBERS_BY_NAME.get(plain)?.find(has);
}
