import type { Surface } from '../../../src/core/context.ts';
import type { JsonSchema } from '../../../src/protocol/describe/schema-node.ts';
import { toolAnswerJsonSchema } from '../../../src/protocol/describe/json-schema.ts';
import { toolName } from '../../../src/protocol/mcp/tool.ts';
import { servedOperations } from '../../../src/surfaces/operations.ts';

const SURFACES: Readonly<Record<string, Surface>> = {
  '/mcp': 'agent',
  '/api/partner/mcp': 'partner',
  '/api/concierge/mcp': 'concierge',
  '/api/reserve/mcp': 'reserve',
};

const ALL = servedOperations({ reserve: { keyOfUnkeyed: undefined } });
const schemas = new Map<string, JsonSchema>();

/** The schema of a tool's structured content, as the reference shows it. Lists of tools leave it out. */
export function structuredSchema(path: string, name: string): JsonSchema | undefined {
  const known = schemas.get(`${path} ${name}`);
  if (known !== undefined) return known;
  const surface = SURFACES[path.replace(/\?.*$/, '')];
  const operation = ALL.find(
    (one) =>
      surface !== undefined &&
      [...one.tools, ...(one.furtherTools ?? [])].includes(surface) &&
      toolName(one, surface, 'svc') === name,
  );
  if (operation === undefined) return undefined;
  const schema = toolAnswerJsonSchema(operation, 'svc');
  schemas.set(`${path} ${name}`, schema);
  return schema;
}
