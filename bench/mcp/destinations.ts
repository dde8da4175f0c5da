import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { again, httpRequest } from '../load.ts';
import { INITIALIZE, MCP_HEADERS, message, post } from './message.ts';
import { compare, startServer, stopServer, type Contender, type Measured } from '../measure.ts';
import { writeResults } from '../results.ts';

// tools/call of the destinations tool, as it answers by itself and with every field: ours against the official SDK with
// the same tool and against bare node:http with the same bytes, in turns, in one run.
const TOOL = 'svc_list_destinations';
const OPTIONS = { rounds: 5, seconds: 3, connections: 32 };
const FIELDS = ['id', 'name', 'country_name', 'timezone', 'places', 'verified_places'];
const ASKED = [
  { what: 'as it answers by itself', given: {} },
  { what: 'with every field', given: { fields: FIELDS } },
];

const server = (name: string) => new URL(`../servers/${name}.ts`, import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const running: { child: Parameters<typeof stopServer>[0] }[] = [];
try {
  process.stdout.write(
    'Starting the service, and for each answer the official SDK twice and bare node:http …\n',
  );
  const ours = await start('waypost', { DATA_DIR: folder });
  const sections: string[] = [];
  for (const { what, given } of ASKED) sections.push((await measured(ours, what, given)).join('\n'));
  const lines = sections.join('\n\n').split('\n');
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults('MCP: one tool call', lines);
} finally {
  for (const { child } of running) await stopServer(child);
  await rm(folder, { recursive: true, force: true });
}

async function measured(ours: Started, what: string, given: object): Promise<string[]> {
  const opened = await post(ours.port, '/mcp', INITIALIZE);
  const list = await post(ours.port, '/mcp', { method: 'tools/list', params: {} });
  const call = await post(ours.port, '/mcp', {
    method: 'tools/call',
    params: { name: TOOL, arguments: given },
  });
  const tools = (list.body['result'] as { tools: { name: string }[] }).tools;
  const listing = tools.find(({ name }) => name === TOOL);
  await writeFile(join(folder, 'tool.json'), JSON.stringify({ listing, result: call.body['result'] }));
  await writeFile(join(folder, 'answer.json'), call.text);

  const session = await start('sdk-server', {}, ['session', join(folder, 'tool.json')]);
  const stateless = await start('sdk-server', {}, ['stateless', join(folder, 'tool.json')]);
  const bare = await start('bare-http', {}, [join(folder, 'answer.json')]);
  const sdkSession = await post(session.port, '/mcp', INITIALIZE);
  const results = await compare(
    [
      contender('bare node:http, same bytes', bare, legacyCall('none', given)),
      contender('Waypost, session', ours, legacyCall(opened.sessionId, given)),
      contender('Waypost, 2026-07-28', ours, modernCall(given)),
      contender('official SDK 2.x, session', session, legacyCall(sdkSession.sessionId, given)),
      contender('official SDK 2.x, 2026-07-28', stateless, modernCall(given)),
    ],
    OPTIONS,
  );
  return reportOf(results, what, call.text.length);
}

type Started = Awaited<ReturnType<typeof startServer>>;

async function start(name: string, env: Record<string, string>, args: string[] = []): Promise<Started> {
  const started = await startServer(server(name), env, args);
  running.unshift(started);
  return started;
}

function contender(
  name: string,
  { pid, port }: { pid: number; port: number },
  call: { headers: Record<string, string>; body: string },
): Contender {
  const headers = { ...MCP_HEADERS, ...call.headers };
  return { name, pid, port, requests: () => again([httpRequest('POST', '/mcp', port, headers, call.body)]) };
}

function legacyCall(sessionId: string, given: object) {
  const body = message({ method: 'tools/call', params: { name: TOOL, arguments: given } });
  return { headers: { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' }, body };
}

function modernCall(given: object) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = message({ method: 'tools/call', params: { name: TOOL, arguments: given, _meta } });
  return {
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': TOOL },
    body,
  };
}

function reportOf(results: Measured[], what: string, bytes: number): string[] {
  const [bare, legacy, modern, sdkSession, sdkModern] = results as [
    Measured,
    Measured,
    Measured,
    Measured,
    Measured,
  ];
  const ratio = (a: Measured, b: Measured) =>
    `${(a.requestsPerSecond / b.requestsPerSecond).toFixed(2)} by throughput, ${(b.cpuMicroseconds / a.cpuMicroseconds).toFixed(2)} by CPU time`;
  return [
    `\`tools/call\` of the destinations tool ${what} (${bytes.toLocaleString('en')} characters), ${OPTIONS.connections} connections, median of ${OPTIONS.rounds} rounds of ${OPTIONS.seconds} s in turns.`,
    '',
    '| server | requests/s | CPU µs a request | p50 ms | p99 ms |',
    '|---|--:|--:|--:|--:|',
    ...results.map(
      (row) =>
        `| ${row.name} | ${Math.round(row.requestsPerSecond).toLocaleString('en')} | ${Math.round(row.cpuMicroseconds)} | ${row.p50Ms.toFixed(1)} | ${row.p99Ms.toFixed(1)} |`,
    ),
    '',
    `- Waypost with a session : official SDK 2.x with a session: **${ratio(legacy, sdkSession)}** (bar: 4)`,
    `- Waypost 2026-07-28 : official SDK 2.x 2026-07-28: **${ratio(modern, sdkModern)}** (bar: 4)`,
    `- Waypost with a session : bare node:http: **${ratio(legacy, bare)}** (bar: 0.5)`,
    `- Waypost 2026-07-28 : bare node:http: **${ratio(modern, bare)}** (bar: 0.5)`,
  ];
}
