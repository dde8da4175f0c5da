import { AssertionError } from 'node:assert';
import { assertPublished } from '../../harness/clients/published-schema.ts';

/** The fault of a value by a schema; a member that the schema does not name is a fault. */
export function schemaFault(schema: unknown, value: unknown): string | undefined {
  try {
    assertPublished(schema, value);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AssertionError) return thrown.message;
    throw thrown;
  }
}
