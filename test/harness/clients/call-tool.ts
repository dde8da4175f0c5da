import assert from 'node:assert/strict';
import { rpc } from './mcp.ts';
import { PARTNER_MCP, roomyKey } from '../people/partner.ts';
import { assertPublished } from './published-schema.ts';
import { structuredSchema } from './tool-schema.ts';
import type { TestService } from '../service/service.ts';

/** Calls a tool, and holds its answer to the schema that the reference has for it. */
export async function callTool<Answer>(
  service: TestService,
  path: string,
  name: string,
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { result } = await call(service, path, name, input, headers);
  assert.notEqual(result?.['isError'], true, JSON.stringify(result));
  const answer = result?.['structuredContent'];
  assertPublished(structuredSchema(path, name), answer);
  const [{ text } = { text: '' }] = result?.['content'] as { text: string }[];
  assert.match(text, /Place data ©/);
  return answer as Answer;
}

/** Calls a tool that must refuse, and gives what it said for programs and for models. */
export async function refusal(
  service: TestService,
  path: string,
  name: string,
  input: Record<string, unknown>,
): Promise<{ code: string; hint: string | null; text: string }> {
  const { result } = await call(service, path, name, input, {});
  assert.equal(result?.['isError'], true, JSON.stringify(result));
  assert.equal(result['structuredContent'], undefined);
  const [{ text } = { text: '' }] = result['content'] as { text: string }[];
  const meta = result['_meta'] as Record<string, { code: string; hint: string | null }>;
  const error = meta['svc/error'];
  assert.ok(error !== undefined && text.startsWith(`${error.code}: `));
  return { ...error, text };
}

async function call(
  service: TestService,
  path: string,
  name: string,
  input: Record<string, unknown>,
  headers: Record<string, string>,
) {
  const message = { id: 1, method: 'tools/call', params: { name, arguments: input } };
  const key = path === PARTNER_MCP && !('x-partner-key' in headers) ? await roomyKey(service) : {};
  const { status, body } = await rpc(service, path, message, { ...key, ...headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
