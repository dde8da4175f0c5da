import { z } from 'zod';

/** The keyword with which a schema names its set; descriptions replace it by the values and their sentences. */
export const SET_KEYWORD = 'x-closed-set';

/** Set when a tool list explains the values elsewhere and needs only the values here. */
export const BARE_KEYWORD = 'x-bare-set';

/** Placeholder for the installation's prefix in a value, such as `not_through_{prefix}`. */
const PREFIX = '{prefix}';

interface Options {
  /** False for self-explanatory values: tool lists, which every conversation carries, omit their sentences. */
  explainedInTools?: boolean;
}

interface Registered extends Required<Options> {
  sentences: Readonly<Record<string, string>>;
}

const SETS = new Map<string, Registered>();

/**
 * Declares a closed set of values with a sentence each, from which all descriptions and the client are generated.
 * `word` types members as strings, `always` is for constants, `bare` for values explained elsewhere.
 */
export function closedSet<const Sentences extends Readonly<Record<string, string>>>(
  name: string,
  sentences: Sentences,
  { explainedInTools = true }: Options = {},
) {
  SETS.set(name, { sentences, explainedInTools });
  const values = Object.keys(sentences) as (keyof Sentences & string)[];
  const schema = z.enum(values).meta({ [SET_KEYWORD]: name });
  return {
    sentences,
    values,
    schema,
    /** An optional argument with some of the values. */
    some: (description: string) => z.array(schema).min(1).max(values.length).optional().describe(description),
    word: z.string().meta({ [SET_KEYWORD]: name }),
    bare: z.enum(values).meta({ [SET_KEYWORD]: name, [BARE_KEYWORD]: true }),
    always: <const Value extends keyof Sentences & string>(value: Value) =>
      z.literal(value).describe(sentences[value] as string),
  };
}

/** Returns the values of a set on this installation, each with its sentence. */
export function sentencesOf(name: string, prefix: string): Record<string, string> {
  const entries = Object.entries(SETS.get(name)?.sentences ?? {});
  return Object.fromEntries(entries.map(([value, sentence]) => [value.replace(PREFIX, prefix), sentence]));
}

export function isExplainedInTools(name: string): boolean {
  return SETS.get(name)?.explainedInTools ?? false;
}
