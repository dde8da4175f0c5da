import fc from 'fast-check';
import { hostileText, hostileValue } from './hostile.ts';
import { knownField } from './known-fields.ts';

/** As much of JSON Schema as the service publishes. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  [keyword: string]: unknown;
}

/** Members for an object of this schema, at every level. */
export function members(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const good = validObject(schema);
  const names = Object.keys(schema.properties ?? {});
  const anyName = names.length === 0 ? fc.string({ maxLength: 12 }) : fc.constantFrom(...names);
  const slip = fc.record({
    name: fc.oneof({ weight: 9, arbitrary: anyName }, { weight: 1, arbitrary: hostileText }),
    drop: fc.boolean(),
    value: hostileValue,
  });
  const change = (
    value: Record<string, unknown>,
    slips: readonly { name: string; drop: boolean; value: unknown }[],
  ) => {
    const changed = new Map(Object.entries(value));
    for (const one of slips)
      if (one.drop && changed.has(one.name)) changed.delete(one.name);
      else changed.set(one.name, one.value);
    return Object.fromEntries(changed);
  };
  return fc.oneof(
    { weight: 5, arbitrary: good },
    { weight: 4, arbitrary: fc.tuple(good, slip).map(([value, one]) => change(value, [one])) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(good, fc.array(slip, { minLength: 2, maxLength: 6 }))
        .map(([value, slips]) => change(value, slips)),
    },
  );
}

/** Fields with which a request mostly comes to nothing: it needs a record of the caller in the right state. */
const RARE = new Set([
  'cursor',
  'member_id',
  'link_code',
  'accept_offer',
  'if_revision',
  'bbox',
  'near',
  'submission_id',
]);

function validObject({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const all = Object.keys(properties);
  const given = (names: readonly string[]) =>
    fc
      .record(Object.fromEntries(names.map((name) => [name, member(name)])))
      .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
  const member = (name: string) => {
    const good = validMember(name, properties[name] ?? {});
    if (required.includes(name)) return good;
    const absent = { weight: RARE.has(name) ? 5 : 1, arbitrary: fc.constant(undefined) };
    return fc.oneof(absent, { weight: 1, arbitrary: good });
  };
  // Half of the calls send only required members: further ones narrow the result and could hide a fault.
  const bare = all.filter((name) => required.includes(name));
  return fc.oneof({ weight: 1, arbitrary: given(bare) }, { weight: 2, arbitrary: given(all) });
}

function validMember(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const known = knownField(name);
  // A field of a known name may be of another type on another surface.
  return known === undefined || schema.type === 'object' ? validValue(schema) : known;
}

function validValue(schema: Schema): fc.Arbitrary<unknown> {
  const { anyOf = schema.oneOf } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(validValue));
  switch (schema.type) {
    case 'object':
      return validObject(schema);
    case 'array':
      return fc.array(validValue(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return validText(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function validText({ pattern, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'uri') return fc.nat(99).map((n) => `https://place-${n}.example/`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, Math.max(minLength, 40)) });
}
