import { z } from 'zod';

/** The keyword by which a schema names its set, until a description replaces it by the values and their sentences. */
export const SET_KEYWORD = 'x-closed-set';

/** Set where a list of tools explains the values elsewhere, and needs only the values here. */
export const BARE_KEYWORD = 'x-bare-set';

/** Stands for the prefix of the installation in a value, such as `not_through_{prefix}`. */
const PREFIX = '{prefix}';

interface Options {
  /** False for values that speak for themselves: lists of tools, which every conversation carries, do without sentences. */
  explainedInTools?: boolean;
}

interface Registered extends Required<Options> {
  sentences: Readonly<Record<string, string>>;
}

const SETS = new Map<string, Registered>();

/**
 * A closed set of values that programs meet, each with one sentence, written once: openapi.json, the reference, the tools
 * and the typed client are made from it. `schema` accepts the values; `word` is for members whose code has a plain string;
 * `always` is for members that always have the same one of the values, `bare` for those that a list of tools need not explain
 * again.
 */
export function closedSet<const Sentences extends Readonly<Record<string, string>>>(
  name: string,
  sentences: Sentences,
  { explainedInTools = true }: Options = {},
) {
  SETS.set(name, { sentences, explainedInTools });
  const values = Object.keys(sentences) as (keyof Sentences & string)[];
  return {
    sentences,
    values,
    schema: z.enum(values).meta({ [SET_KEYWORD]: name }),
    word: z.string().meta({ [SET_KEYWORD]: name }),
    bare: z.enum(values).meta({ [SET_KEYWORD]: name, [BARE_KEYWORD]: true }),
    always: <const Value extends keyof Sentences & string>(value: Value) =>
      z.literal(value).describe(sentences[value] as string),
  };
}

/** The values of a set on this installation, each with its sentence. */
export function sentencesOf(name: string, prefix: string): Record<string, string> {
  const entries = Object.entries(SETS.get(name)?.sentences ?? {});
  return Object.fromEntries(entries.map(([value, sentence]) => [value.replace(PREFIX, prefix), sentence]));
}

export function isExplainedInTools(name: string): boolean {
  return SETS.get(name)?.explainedInTools ?? false;
}
