import { z } from 'zod';
import { attributionSchema } from '../directory/attribution.ts';
import type { Operation } from '../core/operation.ts';

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
    .describe('What was accepted but not understood, such as an unknown field.'),
});

/** The schema that a caller's input must satisfy. Members that it does not name are allowed and get a warning. */
export function inputJsonSchema(input: z.ZodObject): JsonSchema {
  return plain(z.toJSONSchema(input, { io: 'input' }));
}

/** The schema of a success: what the operation gives, and what the runner adds to every answer. */
export function answerJsonSchema(operation: Operation): JsonSchema {
  const whole = operation.output.extend(warningsSchema.shape).extend(attributionSchema.shape);
  return plain(z.toJSONSchema(whole, { io: 'input' }));
}

/** Without what zod adds for itself, and in the spelling that the most clients understand. */
function plain(schema: z.core.JSONSchema.JSONSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  const text = JSON.stringify(rest, (key, value: unknown) =>
    isIntegerBound(key, value) ? undefined : oneTypeEach(value),
  );
  return JSON.parse(text) as JsonSchema;
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
