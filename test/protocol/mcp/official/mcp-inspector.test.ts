import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addPartner } from '../../../../src/accounts/partners/partner.ts';
import { runPackageBin, type Finished } from '../../../harness/clients/package-bin.ts';
import { USER_AGENT } from '../../../harness/service/service.ts';
import { sharedService } from '../../../harness/service/shared-service.ts';
import { LONG, longTest } from '../../../harness/tier.ts';

/** Each start of the Inspector takes more than a second: the quick tier shows one endpoint and one era. */
const ERAS = LONG ? (['legacy', 'modern'] as const) : (['modern'] as const);
const IN_ERAS = LONG ? 'both eras' : 'the modern era';
const TIMEOUT_MS = 300_000;
// The Inspector's own exit codes.
const AUTH_REQUIRED = 3;
const TOOL_ERROR = 5;

/** The Inspector's output for any method. */
interface InspectorResult {
  tools: { name: string }[];
  structuredContent: unknown;
}

const home = await mkdtemp(join(tmpdir(), 'waypost-inspector-'));
after(() => rm(home, { recursive: true, force: true }));
const service = await sharedService();
const { newId, clock } = service.app.deps;
const { apiKey } = await addPartner(service.database.pool, newId, clock.now(), 'svc', {
  email: 'inspector@partner.example',
  name: 'Inspector',
});

const ENDPOINTS = [
  { path: '/mcp', tool: 'svc_list_destinations', arg: 'country=MC', header: `User-Agent: ${USER_AGENT}` },
  { path: '/api/partner/mcp', tool: 'list_destinations', arg: 'country=MC', header: undefined },
  {
    path: '/api/concierge/mcp',
    tool: 'booking_status',
    arg: 'status=confirmed',
    header: `X-Partner-Key: ${apiKey}`,
  },
];

for (const { path, tool, arg, header } of LONG ? ENDPOINTS : ENDPOINTS.slice(0, 1)) {
  const sent = header === undefined ? [] : ['--header', header];

  test(`the Inspector lists the tool of ${path} in ${IN_ERAS} and finds no fault in its schemas`, async () => {
    // With --strict it looks for schemas that some clients cannot read, and ends with 6 when it finds one.
    const args = ['--method', 'tools/list', '--strict', ...sent];
    for (const finished of await inEras(path, args)) {
      const { tools } = resultOf(finished);
      assert.ok(tools.some(({ name }) => name === tool));
      assert.equal(finished.stderr, '');
    }
  });

  // The quick tier calls tools with the official clients (mcp-official-clients.test.ts).
  longTest(`the Inspector calls the tool of ${path} in ${IN_ERAS}`, async () => {
    const args = ['--method', 'tools/call', '--tool-name', tool, '--tool-arg', arg, ...sent];
    const listed = (await (await service.request('/api/agent/destinations?country=MC')).json()) as Record<
      string,
      unknown
    >;
    const { attribution, attribution_links } = listed;
    const expected =
      tool === 'booking_status'
        ? { bookings: [], count: 0, next_cursor: null, attribution, attribution_links }
        : listed;
    for (const finished of await inEras(path, args)) {
      assert.deepEqual(resultOf(finished).structuredContent, expected);
    }
  });
}

if (LONG) {
  test('the Inspector shows the error of a tool as the result that it is', async () => {
    const args = ['--method', 'tools/call', '--tool-name', 'list_destinations', '--tool-arg', 'country=ZZ'];
    for (const { code, stdout } of await inEras('/api/partner/mcp', args)) {
      assert.equal(code, TOOL_ERROR);
      const { result } = JSON.parse(stdout) as { result: { isError: boolean; content: { text: string }[] } };
      assert.equal(result.isError, true);
      assert.match(result.content[0]?.text ?? '', /^validation_failed: /);
    }
  });

  test('the Inspector is refused where it lacks a User-Agent or a partner key', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'booking_status', '--stored-auth-only'];
    const refused = [
      ...(await inEras('/mcp', ['--method', 'tools/list', '--stored-auth-only'])),
      ...(await inEras('/api/concierge/mcp', call)),
    ];
    assert.deepEqual(
      refused.map(({ code }) => code),
      refused.map(() => AUTH_REQUIRED),
    );
    assert.match(refused[0]?.stderr ?? '', /user_agent_required/);
    assert.match(refused[2]?.stderr ?? '', /missing_credentials/);
    assert.match(refused[3]?.stderr ?? '', /missing_credentials/);
  });
}

function inEras(path: string, args: string[]): Promise<Finished[]> {
  return Promise.all(
    ERAS.map((era) => {
      const target = ['--cli', service.url + path, '--transport', 'http', '--protocol-era', era];
      return runPackageBin(
        '@modelcontextprotocol/inspector',
        'mcp-inspector',
        [...target, '--format', 'json', ...args],
        { home, timeoutMs: TIMEOUT_MS },
      );
    }),
  );
}

function resultOf({ code, stdout, stderr }: Finished): InspectorResult {
  assert.equal(code, 0, stderr);
  return (JSON.parse(stdout) as { result: InspectorResult }).result;
}
