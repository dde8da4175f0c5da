import type { JsonSchema } from './schema-node.ts';

/** Overhead of a named part in addition to its own bytes: quotes, a colon and a comma. */
const NAME_BYTES = 4;

type Part = Record<string, unknown>;
type Paths = Record<string, Record<string, unknown>>;

/** Replaces identical parameters of several operations by references, and returns them by name. */
export function sharedParameters(paths: Paths): Record<string, unknown> {
  const lists = operationsOf(paths).flatMap(({ parameters }) =>
    Array.isArray(parameters) ? [parameters] : [],
  );
  const shared = new SharedParts('parameters');
  for (const list of lists) for (const parameter of list as Part[]) shared.count(parameter);
  for (const list of lists as Part[][])
    for (const [at, parameter] of list.entries())
      // A reference is already shared.
      if (!('$ref' in parameter))
        list[at] = shared.referenceTo(parameter, String(parameter['name'])) ?? parameter;
  return shared.parts;
}

/** The same with schemas, at any depth. A schema is named after the member that contains it. */
export function sharedSchemas(paths: Paths, reservedNames: readonly string[] = []): Record<string, unknown> {
  const shared = new SharedParts('schemas', reservedNames);
  const roots = operationsOf(paths).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses as Part)].flatMap((holder) =>
      mediaOf(holder as Part | undefined),
    ),
  );
  for (const { schema } of roots) {
    if (shared.count(schema)) countWithin(shared, schema);
  }
  for (const root of roots) {
    const reference = shared.referenceTo(root.schema, 'Answer', (part) => shareWithin(shared, part));
    if (reference === undefined) shareWithin(shared, root.schema);
    else root.schema = reference;
  }
  return shared.parts;
}

class SharedParts {
  readonly parts: Record<string, unknown> = {};
  readonly #reservedNames: ReadonlySet<string>;
  readonly #kind: string;
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(kind: string, reservedNames: readonly string[] = []) {
    this.#reservedNames = new Set(reservedNames);
    this.#kind = kind;
  }

  /** Returns true on the first occurrence of a part; the contents of later ones are covered by it. */
  count(part: Part): boolean {
    const text = JSON.stringify(part);
    const before = this.#counts.get(text) ?? 0;
    this.#counts.set(text, before + 1);
    return before === 0;
  }

  /** Returns undefined when references would be longer than the parts that they replace. */
  referenceTo(part: Part, baseName: string, fill: (part: Part) => void = () => undefined): Part | undefined {
    const text = JSON.stringify(part);
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#freeName(baseName);
      if (!this.#isShorter(text, name)) return undefined;
      this.#names.set(text, name);
      this.parts[name] = part;
      fill(part);
    }
    return this.#reference(name);
  }

  #reference(name: string): Part {
    return { $ref: `#/components/${this.#kind}/${name}` };
  }

  #isShorter(text: string, name: string): boolean {
    const count = this.#counts.get(text) ?? 0;
    const references = count * JSON.stringify(this.#reference(name)).length;
    return text.length + name.length + NAME_BYTES + references < count * text.length;
  }

  #freeName(baseName: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? baseName : `${baseName}${number}`;
      if (!Object.hasOwn(this.parts, name) && !this.#reservedNames.has(name)) return name;
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

/** Yields the schemas inside a schema, each with the name of its member and a function that replaces it. */
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
    if (shared.count(inner)) countWithin(shared, inner);
  }
}

function shareWithin(shared: SharedParts, schema: JsonSchema, called = ''): void {
  for (const [inner, name, put] of [...within(schema, called)]) {
    const reference = shared.referenceTo(inner, titled(name), (part) => shareWithin(shared, part, name));
    if (reference === undefined) shareWithin(shared, inner, name);
    else put(reference);
  }
}

function titled(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
