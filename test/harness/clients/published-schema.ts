import assert from 'node:assert/strict';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  [keyword: string]: unknown;
}

type Validate = ReturnType<AjvJsonSchemaValidator['getValidator']>;
/** Making a validator takes much longer than using it. */
const validators = new WeakMap<object, Validate>();

/** Holds an answer to the schema that the service publishes for it, and to naming every member that it has. */
export function assertPublished(schema: unknown, answer: unknown): void {
  assert.ok(typeof schema === 'object' && schema !== null, 'No schema is published.');
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = new AjvJsonSchemaValidator().getValidator(closed(schema) as object);
    validators.set(schema, validate);
  }
  const result = validate(answer);
  assert.ok(result.valid, result.errorMessage ?? 'The answer does not satisfy the schema.');
}

/** The same schema, in which an object has no members but those that are named. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Schema = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, closed(value)]),
  );
  if (typeof copy.properties === 'object' && copy['type'] === 'object') copy.additionalProperties = false;
  return copy;
}
