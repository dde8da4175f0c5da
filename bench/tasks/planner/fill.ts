import type { Property, Tool } from '../host.ts';
import type { Habits, Said, Step, Value } from '../task.ts';
import { conceptOf } from './concepts.ts';
import { wordsOf } from './words.ts';

/** Things that describe what is looked for; where no parameter is made for them, they are words to search by. */
const DESCRIBING = ['name', 'dish', 'cuisine', 'kind', 'what', 'area'];

export interface Filled {
  given: Record<string, unknown>;
  /** Required parameters for which nothing is known. */
  missing: string[];
  /** Values sent under a name that the schema does not have; the plan checks later whether they arrived. */
  unsure: { name: string; value: string }[];
}

export interface FillOptions {
  tool: Tool;
  step: Step;
  said: Said;
  habits: Habits;
  /** Parameters that were refused and are left out from now on. */
  without: ReadonlySet<string>;
  /** Describing words go into a kind or category instead of a query. */
  asKind: boolean;
  /** An id that earlier results gave for this parameter. */
  idFor: (parameter: string, property: Property, required: boolean) => string | undefined;
  /** The value with which a list goes on, once the next page is wanted. */
  cursor: string | undefined;
}

/** Fills the parameters of a tool from what was said and from what earlier results showed. */
export function fill(options: FillOptions): Filled {
  const { tool, step, said, habits, without } = options;
  const properties = Object.entries(tool.inputSchema.properties ?? {}).filter(([name]) => !without.has(name));
  const dropped = new Set([...without].map(conceptOf));
  const required = new Set(tool.inputSchema.required ?? []);
  const allowed = new Set((step.with ?? Object.keys(said)).filter((concept) => !dropped.has(concept)));
  const filled: Filled = { given: {}, missing: [], unsure: [] };
  const used = new Set<string>();
  const put = (concept: string, name: string, property: Property, value: unknown) => {
    used.add(concept);
    const habit = habits.names?.[concept];
    const quoted = habits.quoted === true && typeof value === 'number' ? String(value) : value;
    filled.given[habit ?? name] = quoted;
    if (habit !== undefined && !properties.some(([other]) => other === habit) && !name.endsWith('_id'))
      filled.unsure.push({ name: habit, value: String(value) });
  };
  for (const [name, property] of properties) {
    const concept = conceptOf(name);
    // Words that found nothing as a query may be what the service calls a kind.
    const elsewhere = options.asKind && concept === 'what';
    const value =
      allowed.has(concept) && !elsewhere ? shaped(first(said[concept]), name, property) : undefined;
    if (value !== undefined && !used.has(concept)) put(concept, name, property, value);
  }
  const at = properties.find(([name]) => conceptOf(name) === 'at');
  const date = allowed.has('date') ? first(said['date']) : undefined;
  if (at !== undefined && date !== undefined && !used.has('date'))
    put('at', at[0], at[1], `${String(date)}T${String(first(said['time']) ?? '12:00')}`);
  search(options, properties, allowed, used, put);
  for (const [name, property] of properties) {
    if (name in filled.given || habits.names?.[conceptOf(name)] !== undefined) {
      if (!takesId(name, property)) continue;
    }
    const id = takesId(name, property) ? options.idFor(name, property, required.has(name)) : undefined;
    if (id !== undefined && !(name in filled.given)) put(conceptOf(name), name, property, id);
    if (/cursor/.test(name) && options.cursor !== undefined) filled.given[name] = options.cursor;
  }
  filled.missing = [...required].filter((name) => !(name in filled.given) && !used.has(conceptOf(name)));
  leaveBlank(habits, properties, required, filled.given);
  return filled;
}

type Put = (concept: string, name: string, property: Property, value: unknown) => void;

/** Words that describe what is looked for, and that no parameter is made for, go where searches take words. */
function search(
  { said, asKind, habits }: FillOptions,
  properties: readonly (readonly [string, Property])[],
  allowed: ReadonlySet<string>,
  used: ReadonlySet<string>,
  put: Put,
): void {
  const left = DESCRIBING.filter(
    (concept) => allowed.has(concept) && !used.has(concept) && said[concept] !== undefined,
  );
  const [concept] = left;
  if (concept === undefined) return;
  const free = properties.filter(([, property]) => property.enum === undefined);
  const ofMeaning = (meaning: string) =>
    free.find(([name]) => conceptOf(name) === meaning && !used.has(meaning));
  const described = free.find(
    ([name, { description = '' }]) =>
      ['what', 'kind'].includes(conceptOf(name)) &&
      !used.has(conceptOf(name)) &&
      wordsOf(description).some((word) => wordsOf(concept).includes(word)),
  );
  const target = asKind
    ? (ofMeaning('kind') ?? ofMeaning('what'))
    : (described ?? ofMeaning('what') ?? ofMeaning('kind'));
  if (target === undefined) return;
  const words = left.map((one) => String(first(said[one]))).join(' ');
  put(habits.names?.[concept] === undefined ? conceptOf(target[0]) : concept, target[0], target[1], words);
}

/** Adds blank values for the remaining parameters, as agents do that send every parameter they know of. */
function leaveBlank(
  habits: Habits,
  properties: readonly (readonly [string, Property])[],
  required: ReadonlySet<string>,
  given: Record<string, unknown>,
): void {
  if (habits.unknown === undefined) return;
  for (const [name, property] of properties) {
    const type = typeOf(property);
    if (name in given || required.has(name) || type === 'object' || type === 'array') continue;
    if (habits.names?.[conceptOf(name)] !== undefined) continue;
    given[name] = habits.unknown === 'empty' ? '' : null;
  }
}

/** Whether a parameter may take an id: one that says so, or two words of which the last may be a thing that has one. */
function takesId(name: string, property: Property): boolean {
  const told = `${property.description ?? ''} ${property.pattern ?? ''}`;
  return /^[a-z]+_[a-z]+$/.test(name) || /\b[a-z]{3}_(?:…|\.\.\.|\[)|\b[a-z]+_id\b/.test(told);
}

function first(value: Value | undefined): string | number | boolean | undefined {
  return typeof value === 'object' ? value[0] : value;
}

function typeOf({ type, anyOf, oneOf }: Property): string | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== 'null');
  return type ?? (anyOf ?? oneOf)?.map(typeOf).find((one) => one !== undefined && one !== 'null');
}

/** A value in the form that the schema asks for; undefined where it has no place. */
function shaped(value: string | number | boolean | undefined, name: string, property: Property): unknown {
  if (value === undefined) return undefined;
  if (property.enum !== undefined) {
    const wanted = String(value).toLowerCase();
    return property.enum.find((one) => String(one).toLowerCase() === wanted);
  }
  const type = typeOf(property);
  if (type === 'integer' || type === 'number') {
    const number = Number(value);
    if (Number.isNaN(number)) return undefined;
    return name.endsWith('_cents') ? number * 100 : number;
  }
  return type === 'boolean' ? value : String(value);
}
