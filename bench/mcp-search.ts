import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpRequest } from './load.ts';
import { INITIALIZE, MCP_HEADERS, message, post } from './mcp-message.ts';
import { compare, startServer, stopServer, writeResults, type Contender, type Measured } from './measure.ts';

// tools/call of search_places by partners with keys and quotas: against bare node:http with the same bytes, and against
// the official SDK in front of the same search. BENCH_DATA_DIR keeps the big database for the next run.
const PLACES = Number(process.env['BENCH_PLACES'] ?? '2700000');
const OPTIONS = { rounds: 5, seconds: 3, connections: 64 };
const PATH = '/api/partner/mcp';

interface Card {
  name: string;
  vertical: string;
  area: string | null;
}

const server = (name: string) => new URL(`servers/${name}.ts`, import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const running: Awaited<ReturnType<typeof startServer>>[] = [];
try {
  process.stdout.write(`Starting the service with ${PLACES.toLocaleString('en')} places …\n`);
  const keysFile = join(folder, 'keys');
  const ours = await start('waypost', {
    DATA_DIR: process.env['BENCH_DATA_DIR'] ?? join(folder, 'data'),
    BENCH_PLACES: String(PLACES),
    BENCH_PARTNER_KEYS: keysFile,
    BENCH_SDK: '1',
  });
  const keys = (await readFile(keysFile, 'utf8')).split('\n');
  const sdkPort = Number(/sdk at (\d+)/.exec(ours.said)?.[1]);
  const calls = await sampleCalls(ours.port, keys);
  const answers: Record<string, string> = {};
  for (const [i, call] of calls.entries())
    answers[message(call)] = (await ask(ours.port, call, keyAt(i))).text;
  await writeFile(join(folder, 'answers.json'), JSON.stringify(answers));
  const bare = await start('bare-answers', {}, [join(folder, 'answers.json')]);
  const { sessionId } = await post(sdkPort, '/', INITIALIZE);

  const contender = (
    name: string,
    { pid, port }: { pid: number; port: number },
    headersOf: (i: number) => Record<string, string>,
  ): Contender => {
    const requests = Array.from({ length: 4_000 }, (_, i) => {
      const body = message(calls[(i * 7919) % calls.length] ?? {});
      return httpRequest('POST', PATH, port, { ...MCP_HEADERS, ...headersOf(i) }, body);
    });
    return { name, pid, port, requests };
  };
  const results = await compare(
    [
      contender('bare node:http, same bytes', bare, keyHeader),
      contender('Waypost, keys and quotas', ours, keyHeader),
      contender('official SDK 2.x, same search, no keys', { pid: ours.pid, port: sdkPort }, () => ({
        'mcp-session-id': sessionId,
        'mcp-protocol-version': '2025-11-25',
      })),
    ],
    OPTIONS,
  );
  report(results, answers);

  function keyAt(i: number): string {
    return keys[i % keys.length] ?? '';
  }
  function keyHeader(i: number): Record<string, string> {
    return { 'x-partner-key': keyAt(i) };
  }
} finally {
  for (const { child } of running) await stopServer(child);
  await rm(folder, { recursive: true, force: true });
}

async function start(name: string, env: Record<string, string>, args: string[] = []) {
  const started = await startServer(server(name), env, args);
  running.unshift(started);
  return started;
}

function ask(port: number, call: object, key: string) {
  return post(port, PATH, call, { 'x-partner-key': key });
}

function callOf(name: string, given: object) {
  return { method: 'tools/call', params: { name, arguments: given } };
}

/** Searches as partners send them, made from what is really there. */
async function sampleCalls(port: number, keys: readonly string[]): Promise<object[]> {
  let asked = 0;
  const read = async <Content>(name: string, given: object) => {
    const { body } = await ask(port, callOf(name, given), keys[asked++ % keys.length] ?? '');
    return (body['result'] as { structuredContent: Content }).structuredContent;
  };
  const { destinations } = await read<{ destinations: { slug: string; places: number }[] }>(
    'list_destinations',
    {},
  );
  const largest = [...destinations].sort((a, b) => b.places - a.places).slice(0, 40);
  const calls = new Map<string, object>();
  const add = (given: object) => calls.set(JSON.stringify(given), callOf('search_places', given));
  for (const { slug: destination } of largest) {
    const { places } = await read<{ places: Card[] }>('search_places', { destination, limit: 50 });
    add({ destination });
    for (const [j, { name, vertical, area }] of places.entries()) {
      const word = name.split(/[\s'’-]+/).find((part) => part.length > 3) ?? name;
      if (j % 5 === 0) add({ destination, query: word });
      if (j % 10 === 1) add({ destination, query: name });
      if (j % 10 === 2) add({ destination, category: vertical });
      if (j % 10 === 3 && area !== null) add({ destination, category: vertical, area });
      if (j % 10 === 5) add({ destination, query: word.slice(0, 4) });
    }
  }
  return [...calls.values()];
}

function report(results: Measured[], answers: Record<string, string>): void {
  const [bare, ours, sdk] = results as [Measured, Measured, Measured];
  const ratio = (a: Measured, b: Measured) =>
    `${(a.requestsPerSecond / b.requestsPerSecond).toFixed(2)} by throughput, ${(b.cpuMicroseconds / a.cpuMicroseconds).toFixed(2)} by CPU time`;
  const texts = Object.values(answers);
  const bytes = Math.round(texts.reduce((sum, text) => sum + text.length, 0) / texts.length);
  const lines = [
    `${texts.length.toLocaleString('en')} different searches (${bytes.toLocaleString('en')} characters on average) in ${PLACES.toLocaleString('en')} places, ${OPTIONS.connections} connections, median of ${OPTIONS.rounds} rounds of ${OPTIONS.seconds} s in turns. Searches come again within a minute.`,
    '',
    '| server | requests/s | CPU µs a request | p50 ms | p99 ms |',
    '|---|--:|--:|--:|--:|',
    ...results.map(
      (row) =>
        `| ${row.name} | ${Math.round(row.requestsPerSecond).toLocaleString('en')} | ${Math.round(row.cpuMicroseconds)} | ${row.p50Ms.toFixed(1)} | ${row.p99Ms.toFixed(1)} |`,
    ),
    '',
    `- Waypost : bare node:http: **${ratio(ours, bare)}** (bar: 0.4)`,
    `- Waypost : official SDK 2.x with the same search: **${ratio(ours, sdk)}** (bar: 4)`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  writeResults('MCP: search_places', lines);
}
