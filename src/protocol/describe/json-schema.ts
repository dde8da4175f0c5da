import { z } from 'zod';
import { attributionSchema } from '../../directory/attribution.ts';
import type { Operation } from '../../core/operation.ts';

export interface JsonSchema {
  type?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

const warningsSchema = z.object({
  warnings: z
    .array(
      z.object({
        code: z.string(),
        pointer: z.string().describe('JSON pointer into what you sent.'),
        detail: z.string().optional(),
      }),
    )
    .optional()
    .describe('What was accepted, but not as you may think: an unknown field, a limit above its cap.'),
});

/** The schema that a caller's input must satisfy. Members that it does not name are allowed and get a warning. */
export function inputJsonSchema(input: z.ZodObject): JsonSchema {
  return describedOnce(input, () => input);
}

/** The same for a tool's arguments. Some models take no alternatives at the top; the descriptions say what a call needs. */
export function argumentsJsonSchema(input: z.ZodObject): JsonSchema {
  const { anyOf: _alternatives, ...schema } = inputJsonSchema(input);
  return schema;
}

/** Whether a call that says nothing can be meant. */
export function mayBeEmpty({ required = [], anyOf }: JsonSchema): boolean {
  return required.length === 0 && anyOf === undefined;
}

/** The schema of a success: what the operation gives, and what the runner adds to every answer. */
export function answerJsonSchema(operation: Operation): JsonSchema {
  return describedOnce(operation, () =>
    operation.output.extend(warningsSchema.shape).extend(attributionSchema.shape),
  );
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
    isIntegerBound(key, value) ? undefined : oneTypeEach(value),
  );
}

/** A list of types becomes alternatives with one type each: not every client knows the list. */
function oneTypeEach(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value) || !Array.isArray(value.type))
    return value;
  const { type: types, description, ...rest } = value as { type: string[]; description?: string };
  const anyOf = types.map((type) => (type === 'null' ? { type } : { type, ...rest }));
  return description === undefined ? { anyOf } : { description, anyOf };
}

function isIntegerBound(key: string, value: unknown): boolean {
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  );
}
