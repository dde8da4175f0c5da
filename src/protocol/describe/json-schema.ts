import { z } from 'zod';
import { attributionSchema } from '../../directory/attribution.ts';
import { warningSchema } from '../../core/input/warning.ts';
import type { Operation } from '../../core/operation.ts';
import { withBriefSentences, withSentences } from './closed-sets.ts';
import type { JsonSchema } from './schema-node.ts';

const warningsSchema = z.object({
  warnings: z
    .array(warningSchema)
    .optional()
    .describe(
      'Input that was accepted but interpreted differently: an unknown field, a limit above its cap.',
    ),
});

/** Returns the schema of a caller's input. Unknown members are allowed and get a warning. */
export function inputJsonSchema(input: z.ZodObject): JsonSchema {
  return describedOnce(input, () => input);
}

const BOUNDS: readonly string[] = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxProperties',
];

/** The same for a tool list: without bounds, patterns and null, unless the description mentions null. */
export function toolInputSchema(input: z.ZodObject, prefix: string): JsonSchema {
  // Some models accept no alternatives at the top level; the descriptions state what a call needs.
  const {
    properties = {},
    anyOf: _alternatives,
    ...schema
  } = withBriefSentences(inputJsonSchema(input), prefix);
  const brief = JSON.stringify(properties, (key, value: unknown) =>
    (BOUNDS.includes(key) && typeof value === 'number') ||
    (key === 'pattern' && typeof value === 'string') ||
    (key === 'format' && value === 'uri')
      ? undefined
      : value,
  );
  const entries = Object.entries(JSON.parse(brief) as Record<string, JsonSchema>).map(([name, property]) => [
    name,
    schema.required?.includes(name) === true || /\bnull\b/.test(property.description ?? '')
      ? property
      : withoutNull(property),
  ]);
  return { ...schema, properties: Object.fromEntries(entries) as Record<string, JsonSchema> };
}

function withoutNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return rest;
  const [first, ...others] = (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null');
  return others.length === 0 ? { ...rest, ...first } : { ...rest, anyOf: [first, ...others] };
}

export function mayBeEmpty({ required = [], anyOf }: JsonSchema): boolean {
  return required.length === 0 && anyOf === undefined;
}

/** Returns the schema of a success: the operation's output, and what the runner adds to every response. */
export function answerJsonSchema(operation: Operation): JsonSchema {
  return describedOnce(operation, () => asAnswered(operation.output, attributionSchema));
}

/** Returns the schema of a tool's structured content, which may be shorter than the response over REST. */
export function toolAnswerJsonSchema({ output, toolOutput = output }: Operation, prefix: string): JsonSchema {
  return withSentences(
    describedOnce(toolOutput, () => asAnswered(toolOutput, toolAttribution)),
    prefix,
  );
}

export function eventJsonSchema(body: z.ZodObject): JsonSchema {
  return describedOnce(body, () => body.extend(attributionSchema.shape));
}

/** Tools leave the links out: the line names its sources, and the reference links them. */
const toolAttribution = attributionSchema.partial({ attribution_links: true });

function asAnswered(output: z.ZodObject, attribution: z.ZodObject): z.ZodObject {
  return output.extend(warningsSchema.shape).extend(attribution.shape);
}

const described = new WeakMap<object, string>();

/** Caches schemas as text, so that every caller gets a copy. */
function describedOnce(owner: object, schema: () => z.ZodObject): JsonSchema {
  let text = described.get(owner);
  if (text === undefined) {
    text = plain(z.toJSONSchema(schema(), { io: 'input' }));
    described.set(owner, text);
  }
  return JSON.parse(text) as JsonSchema;
}

/** Removes zod's own additions, and uses the spelling that most clients understand. */
function plain(schema: z.core.JSONSchema.JSONSchema): string {
  const { $schema: _dialect, ...rest } = schema;
  return JSON.stringify(rest, (key, value: unknown) =>
    isEmptyBound(key, value) ? undefined : oneTypeEach(withoutDatePattern(value)),
  );
}

/** Removes the pattern of 300 characters that zod writes beside `format: date`, which means the same. */
function withoutDatePattern(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('format' in value) || !('pattern' in value))
    return value;
  const { pattern, ...rest } = value;
  return value.format === 'date' || value.format === 'date-time' ? rest : { ...rest, pattern };
}

/** Converts a list of types to alternatives with one type each, because not every client supports the list. */
function oneTypeEach(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value) || !Array.isArray(value.type))
    return value;
  const { type: types, description, ...rest } = value as { type: string[]; description?: string };
  const anyOf = types.map((type) => (type === 'null' ? { type } : { type, ...rest }));
  return description === undefined ? { anyOf } : { description, anyOf };
}

/** True for bounds that zod writes although every text or integer satisfies them. */
function isEmptyBound(key: string, value: unknown): boolean {
  return (
    (key === 'minLength' && value === 0) ||
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  );
}
