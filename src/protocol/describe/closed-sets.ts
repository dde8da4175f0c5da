import { BARE_KEYWORD, isExplainedInTools, sentencesOf, SET_KEYWORD } from '../../core/input/closed-set.ts';
import type { JsonSchema } from './schema-node.ts';

/** Keyword for one sentence per value, shown by Redoc, Scalar and others. */
export const SENTENCES_KEYWORD = 'x-enumDescriptions' as const;

export const SETS_MAY_GROW = 'Sets of values may grow: treat an unknown value as the most general one.';

/** Replaces each named set by its values and their sentences, as the reference shows them. */
export function withSentences(schema: JsonSchema, prefix: string): JsonSchema {
  return replaceSets(schema, (name, node) => {
    const sentences = sentencesOf(name, prefix);
    return { ...node, enum: Object.keys(sentences), [SENTENCES_KEYWORD]: sentences };
  });
}

/** The same for a tool list, where the sentences are part of the description. */
export function withBriefSentences(schema: JsonSchema, prefix: string): JsonSchema {
  return replaceSets(schema, (name, { description, ...node }, isBare) => {
    const sentences = sentencesOf(name, prefix);
    const explanations =
      isExplainedInTools(name) && !isBare
        ? Object.entries(sentences).map(([value, sentence]) => `${value}: ${sentence}`)
        : [];
    const words = [description ?? '', ...explanations].filter((part) => part !== '').join(' ');
    return { ...(words === '' ? {} : { description: words }), ...node, enum: Object.keys(sentences) };
  });
}

export function sharedSets<Document extends object>(
  document: Document,
  prefix: string,
): { document: Document; components: Record<string, unknown> } {
  const components: Record<string, unknown> = {};
  const replaced = replaceSets(document as JsonSchema, (name, { description }) => {
    const sentences = sentencesOf(name, prefix);
    components[name] ??= { type: 'string', enum: Object.keys(sentences), [SENTENCES_KEYWORD]: sentences };
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) };
  });
  return { document: replaced as unknown as Document, components };
}

function replaceSets(
  schema: JsonSchema,
  replace: (name: string, node: JsonSchema, isBare: boolean) => JsonSchema,
): JsonSchema {
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !(SET_KEYWORD in value)) return value;
    const {
      [SET_KEYWORD]: name,
      [BARE_KEYWORD]: isBare = false,
      ...node
    } = value as JsonSchema & { [SET_KEYWORD]: string; [BARE_KEYWORD]?: boolean };
    return replace(name, node, isBare);
  });
  return JSON.parse(text) as JsonSchema;
}
