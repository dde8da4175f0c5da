import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/surfaces/operations.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { signUpAgent } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 3000 });
const { apiKey } = await signUpAgent(service);
const authorization = `Bearer ${apiKey}`;

interface ListTool {
  path: string;
  name: string;
  limit: { description: string; minimum: number; maximum?: number };
}

/** Every tool that takes a limit, with what its schema says of it. */
async function listTools(): Promise<ListTool[]> {
  const found: ListTool[] = [];
  for (const path of ['/mcp', '/api/partner/mcp', '/api/concierge/mcp']) {
    const { body } = await rpc(service, path, { id: 1, method: 'tools/list' });
    const tools = body.result?.['tools'] as { name: string; inputSchema: { properties: object } }[];
    for (const { name, inputSchema } of tools)
      if ('limit' in inputSchema.properties)
        found.push({ path, name, limit: inputSchema.properties.limit as ListTool['limit'] });
  }
  return found;
}

test('on every list of every surface a limit above the cap is the cap, with a warning; one that cannot be is refused', async () => {
  const partner = await addTestPartner(service, { plan: 'platform' });
  const tools = await listTools();
  assert.equal(tools.length, 7);
  for (const { path, name, limit } of tools) {
    const call = async (given: unknown) => {
      const params = {
        name,
        arguments: { ...(path.includes('partner') && { destination: 'tokyo' }), limit: given },
      };
      const headers = path === '/mcp' ? { authorization } : partner.headers;
      return (await rpc(service, path, { id: 1, method: 'tools/call', params }, headers)).body.result ?? {};
    };
    const cap = Number(/at most (\d+)\)\.$/.exec(limit.description)?.[1]);
    assert.deepEqual(
      [limit.minimum, limit.maximum],
      [undefined, undefined],
      `${name}: a strict client may send more`,
    );
    const detail = `The maximum is ${cap}; ${cap} was used.`;
    for (const above of [cap + 1, 10 ** 9, 10 ** 20]) {
      const { structuredContent: answer } = await call(above);
      const { warnings, count } = answer as { warnings: unknown; count?: number };
      assert.deepEqual(warnings, [{ code: 'limit_capped', pointer: '/limit', detail }], `${name} ${above}`);
      if (name.endsWith('search_places')) assert.ok(count !== undefined && count > 20 && count <= cap);
    }
    assert.equal(((await call(cap))['structuredContent'] as { warnings?: unknown }).warnings, undefined);
    for (const given of [0, -1, 2.5, cap + 0.5, 'many'])
      assert.equal((await call(given))['isError'], true, `${name} ${given}`);
  }
  for (const { rest } of OPERATIONS.filter(({ input }) => 'limit' in input.shape)) {
    if (rest === undefined) continue;
    const get = (text: string) =>
      service.request(`${rest.path}?limit=${text}`, { headers: { authorization } });
    const { limit, warnings } = (await (await get('100000')).json()) as { limit: number; warnings: object[] };
    assert.ok(limit === 50 || limit === 100, rest.path);
    assert.equal(warnings.length, 1, rest.path);
    for (const text of ['0', '-1', '2.5', 'many']) assert.equal((await get(text)).status, 422, rest.path);
  }
});
