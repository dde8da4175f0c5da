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
    .array(z.object({ code: z.string(), pointer: z.string().describe('JSON pointer into what you sent.') }))
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

/** What zod adds for itself is of no use to a reader of the description. */
function plain(schema: z.core.JSONSchema.JSONSchema): JsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  const text = JSON.stringify(rest, (key, value: unknown) =>
    isIntegerBound(key, value) ? undefined : value,
  );
  return JSON.parse(text) as JsonSchema;
}

function isIntegerBound(key: string, value: unknown): boolean {
  return (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  );
}
