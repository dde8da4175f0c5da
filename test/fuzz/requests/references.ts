import fc from 'fast-check';

/**
 * What a generated request says instead of an id that only the running service knows. The world puts in what it has:
 * something of the caller's own, of anybody, or a text that is the caller's alone.
 */
const REFERENCE = /^@@(\w+):(\w+):(\d+)@@$/;

export type ReferenceScope = 'own' | 'any' | 'private' | 'date';

export function reference(scope: ReferenceScope, kind: string): fc.Arbitrary<string> {
  return fc.nat(200).map((nth) => `@@${scope}:${kind}:${nth}@@`);
}

export type FindReference = (scope: ReferenceScope, kind: string, nth: number) => string;

/** The same value with every reference in it replaced. */
export function withReferences(value: unknown, find: FindReference): unknown {
  if (typeof value === 'string') {
    const [, scope, kind, nth] = REFERENCE.exec(value) ?? [];
    return scope === undefined ? value : find(scope as ReferenceScope, kind ?? '', Number(nth));
  }
  if (Array.isArray(value)) return value.map((member) => withReferences(member, find));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withReferences(member, find)]),
  );
}
