import { z } from 'zod';
import { attributionSchema } from '../../directory/attribution.ts';
import { warningSchema } from '../../core/input/warning.ts';
import type { Operation } from '../../core/operation.ts';
import { withBriefSentences, withSentences } from './closed-sets.ts';

export interface JsonSchema {
  type?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

const warningsSchema = z.object({
  warnings: z
    .array(warningSchema)
    .optional()
    .describe('What was accepted, but not as you may think: an unknown field, a limit above its cap.'),
});

/** The schema that a caller's input must satisfy. Members that it does not name are allowed and get a warning. */
export function inputJsonSchema(input: z.ZodObject): JsonSchema {
  return describedOnce(input, () => input);
}

/** Bounds by their names in JSON Schema. */
const BOUNDS: readonly string[] = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxProperties',
];

/**
 * The same for a list of tools, which every conversation carries: without bounds and patterns, which models do not need, and
 * without null, which mostly is the same as leaving out; a member that says what null does there keeps it. What breaks a
 * rule is refused with the reason.
 */
export function toolInputSchema(input: z.ZodObject, prefix: string): JsonSchema {
  // Some models take no alternatives at the top; the descriptions say what a call needs.
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
  const named = Object.entries(JSON.parse(brief) as Record<string, JsonSchema>).map(([name, property]) => [
    name,
    schema.required?.includes(name) === true || /\bnull\b/.test(property.description ?? '')
      ? property
      : withoutNull(property),
  ]);
  return { ...schema, properties: Object.fromEntries(named) as Record<string, JsonSchema> };
}

function withoutNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return rest;
  const [first, ...others] = (anyOf as JsonSchema[]).filter(({ type }) => type !== 'null');
  return others.length === 0 ? { ...rest, ...first } : { ...rest, anyOf: [first, ...others] };
}

/** Whether a call that says nothing can be meant. */
export function mayBeEmpty({ required = [], anyOf }: JsonSchema): boolean {
  return required.length === 0 && anyOf === undefined;
}

/** The schema of a success: what the operation gives, and what the runner adds to every answer. */
export function answerJsonSchema(operation: Operation): JsonSchema {
  return describedOnce(operation, () => asAnswered(operation.output, attributionSchema));
}

/** The schema of a tool's structured content, which may be briefer than the answer over REST. */
export function toolAnswerJsonSchema({ output, toolOutput = output }: Operation, prefix: string): JsonSchema {
  return withSentences(
    describedOnce(toolOutput, () => asAnswered(toolOutput, toolAttribution)),
    prefix,
  );
}

/** The schema of what is posted to others. */
export function eventJsonSchema(body: z.ZodObject): JsonSchema {
  return describedOnce(body, () => body.extend(attributionSchema.shape));
}

/** Lists of a tool leave the links out: the line names its sources, and the reference links them. */
const toolAttribution = attributionSchema.partial({ attribution_links: true });

function asAnswered(output: z.ZodObject, attribution: z.ZodObject): z.ZodObject {
  return output.extend(warningsSchema.shape).extend(attribution.shape);
}

const described = new WeakMap<object, string>();

/** Each surface and each document asks for the same schemas. What is kept is text, so that everyone gets their own. */
function describedOnce(owner: object, schema: () => z.ZodObject): JsonSchema {
  let text = described.get(owner);
  if (text === undefined) {
    text = plain(z.toJSONSchema(schema(), { io: 'input' }));
    described.set(owner, text);
  }
  return JSON.parse(text) as JsonSchema;
}

/** Without what zod adds for itself, and in the spelling that the most clients understand. */
function plain(schema: z.core.JSONSchema.JSONSchema): string {
  const { $schema: _dialect, ...rest } = schema;
  return JSON.stringify(rest, (key, value: unknown) =>
    isEmptyBound(key, value) ? undefined : oneTypeEach(withoutDatePattern(value)),
  );
}

/** Removes the pattern of 300 characters that zod writes beside `format: date`, which says the same. */
function withoutDatePattern(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('format' in value) || !('pattern' in value))
    return value;
  const { pattern, ...rest } = value;
  return value.format === 'date' || value.format === 'date-time' ? rest : { ...rest, pattern };
}

/** A list of types becomes alternatives with one type each: not every client knows the list. */
function oneTypeEach(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value) || !Array.isArray(value.type))
    return value;
  const { type: types, description, ...rest } = value as { type: string[]; description?: string };
  const anyOf = types.map((type) => (type === 'null' ? { type } : { type, ...rest }));
  return description === undefined ? { anyOf } : { description, anyOf };
}

/** Bounds that zod writes although every text or whole number keeps to them. */
function isEmptyBound(key: string, value: unknown): boolean {
  return (
    (key === 'minLength' && value === 0) ||
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  );
}
