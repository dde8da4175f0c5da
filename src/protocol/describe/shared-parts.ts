import type { JsonSchema } from './json-schema.ts';

/** What a part costs under its name beside its own bytes: quotes, a colon and a comma. */
const NAME_BYTES = 4;

type Part = Record<string, unknown>;
type Paths = Record<string, Record<string, unknown>>;

/** Replaces parameters that several operations have in the same words by references, and gives them by their names. */
export function sharedParameters(paths: Paths): Record<string, unknown> {
  const lists = operationsOf(paths).flatMap(({ parameters }) =>
    Array.isArray(parameters) ? [parameters] : [],
  );
  const shared = new SharedParts('parameters');
  for (const list of lists) for (const parameter of list as Part[]) shared.count(parameter);
  for (const list of lists as Part[][])
    for (const [at, parameter] of list.entries())
      list[at] = shared.referenceTo(parameter, String(parameter['name'])) ?? parameter;
  return shared.parts;
}

/** Does the same with schemas, at any depth. A schema is called as the member that has it. */
export function sharedSchemas(paths: Paths, taken: readonly string[] = []): Record<string, unknown> {
  const shared = new SharedParts('schemas', taken);
  const roots = operationsOf(paths).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses as Part)].flatMap((holder) =>
      mediaOf(holder as Part | undefined),
    ),
  );
  for (const { schema } of roots) {
    if (shared.count(schema)) countWithin(shared, schema);
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
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(kind: string, taken: readonly string[] = []) {
    this.#taken = new Set(taken);
    this.#kind = kind;
  }

  /** Gives whether the part was met for the first time: what is inside the others comes with this one. */
  count(part: Part): boolean {
    const text = JSON.stringify(part);
    const before = this.#counts.get(text) ?? 0;
    this.#counts.set(text, before + 1);
    return before === 0;
  }

  /** Undefined where references would be longer than the parts that they stand for. */
  referenceTo(part: Part, wanted: string, fill: (kept: Part) => void = () => undefined): Part | undefined {
    const text = JSON.stringify(part);
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#freeName(wanted);
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
    if (shared.count(inner)) countWithin(shared, inner);
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
