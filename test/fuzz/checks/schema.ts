import { AssertionError } from 'node:assert';
import { assertPublished } from '../../harness/clients/published-schema.ts';

/** What is wrong with a value by a schema, where it may have no member that the schema does not name. */
export function schemaFault(schema: unknown, value: unknown): string | undefined {
  try {
    assertPublished(schema, value);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AssertionError) return thrown.message;
    throw thrown;
  }
}
