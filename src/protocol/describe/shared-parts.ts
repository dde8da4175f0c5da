import type { JsonSchema } from './json-schema.ts';

/** A reference is some fifty bytes long: what is hardly longer is left where it is. */
const SCHEMA_BYTES_MIN = 90;
const PARAMETER_BYTES_MIN = 100;

type Part = Record<string, unknown>;
type Paths = Record<string, Record<string, unknown>>;

/** Replaces parameters that several operations have in the same words by references, and gives them by their names. */
export function sharedParameters(paths: Paths): Record<string, unknown> {
  const lists = operationsOf(paths).flatMap(({ parameters }) =>
    Array.isArray(parameters) ? [parameters] : [],
  );
  const shared = new SharedParts('parameters', PARAMETER_BYTES_MIN);
  for (const list of lists) for (const parameter of list as Part[]) shared.count(parameter);
  for (const list of lists as Part[][])
    for (const [at, parameter] of list.entries())
      list[at] = shared.referenceTo(parameter, String(parameter['name'])) ?? parameter;
  return shared.parts;
}

/** Does the same with schemas, at any depth. A schema is called as the member that has it. */
export function sharedSchemas(paths: Paths, taken: readonly string[] = []): Record<string, unknown> {
  const shared = new SharedParts('schemas', SCHEMA_BYTES_MIN, taken);
  const roots = operationsOf(paths).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses as Part)].flatMap((holder) =>
      mediaOf(holder as Part | undefined),
    ),
  );
  for (const { schema } of roots) {
    shared.count(schema);
    countWithin(shared, schema);
  }
  for (const root of roots) {
    const reference = shared.referenceTo(root.schema, 'Answer', (kept) => {
      shareWithin(shared, kept);
    });
    if (reference === undefined) shareWithin(shared, root.schema);
    else root.schema = reference;
  }
  return shared.parts;
}

class SharedParts {
  readonly parts: Record<string, unknown> = {};
  /** Names that other parts have. */
  readonly #taken: ReadonlySet<string>;
  readonly #kind: string;
  readonly #bytesMin: number;
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(kind: string, bytesMin: number, taken: readonly string[] = []) {
    this.#taken = new Set(taken);
    this.#kind = kind;
    this.#bytesMin = bytesMin;
  }

  count(part: Part): void {
    const text = JSON.stringify(part);
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** Undefined where the part stands only once, or is too small. */
  referenceTo(part: Part, wanted: string, fill: (kept: Part) => void = () => undefined): Part | undefined {
    const text = JSON.stringify(part);
    if (text.length < this.#bytesMin || (this.#counts.get(text) ?? 0) < 2) return undefined;
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#freeName(wanted);
      this.#names.set(text, name);
      this.parts[name] = part;
      fill(part);
    }
    return { $ref: `#/components/${this.#kind}/${name}` };
  }

  #freeName(wanted: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}${number}`;
      if (!Object.hasOwn(this.parts, name) && !this.#taken.has(name)) return name;
    }
  }
}

function operationsOf(paths: Paths): Part[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods) as Part[]);
}

function mediaOf(holder: Part | undefined): { schema: JsonSchema }[] {
  const content = (holder?.['content'] ?? {}) as Record<string, { schema: JsonSchema }>;
  return Object.values(content);
}

/** The schemas inside a schema, each with the name of the member that has it, and how to put another in its place. */
function* within(schema: JsonSchema, name: string): Generator<[JsonSchema, string, (other: Part) => void]> {
  const { properties = {}, anyOf, items } = schema;
  for (const [member, inner] of Object.entries(properties))
    yield [inner, member, (other) => (properties[member] = other)];
  for (const [at, inner] of ((anyOf ?? []) as JsonSchema[]).entries())
    yield [inner, name, (other) => ((anyOf as Part[])[at] = other)];
  if (typeof items === 'object' && items !== null)
    yield [items as JsonSchema, name, (other) => (schema['items'] = other)];
}

function countWithin(shared: SharedParts, schema: JsonSchema): void {
  for (const [inner] of within(schema, '')) {
    shared.count(inner);
    countWithin(shared, inner);
  }
}

function shareWithin(shared: SharedParts, schema: JsonSchema, called = ''): void {
  for (const [inner, name, put] of [...within(schema, called)]) {
    const reference = shared.referenceTo(inner, titled(name), (kept) => {
      shareWithin(shared, kept, name);
    });
    if (reference === undefined) shareWithin(shared, inner, name);
    else put(reference);
  }
}

function titled(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
