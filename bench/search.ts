import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drive, httpRequest, type Load } from './load.ts';
import { MCP_HEADERS, message, post, USER_AGENT } from './mcp-message.ts';
import { compare, residentMb, startServer, stopServer, writeResults, type Contender } from './measure.ts';
import { DAY_MS } from '../src/core/time.ts';

// Search at the size that the directory is made for: ours against bare node:http with the same bytes and against
// PostgreSQL's trigram index behind the same HTTP layer. BENCH_DATA_DIR keeps the big database for the next run.
const BIG = Number(process.env['BENCH_PLACES'] ?? '2700000');
const SMALL = Math.round(BIG / 100);
const OPTIONS = { rounds: 3, seconds: 3, connections: 32 };
const LATENCY = { connections: 4, seconds: 5 };
/** A minute of one partner has 600 calls, so that several take turns. */
const OPEN_PARTNERS = 40;
const OPEN_SECONDS = 4;
const OPEN_CALLS = 8_400;

const server = (name: string) => new URL(`servers/${name}.ts`, import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'waypost-bench-'));
const bigData = process.env['BENCH_DATA_DIR'] ?? join(folder, 'big');
const running: { child: Parameters<typeof stopServer>[0] }[] = [];
const lines: string[] = [];
const tell = (...found: string[]) => {
  lines.push(...found);
  say(found.join('\n'));
};
try {
  say(
    `Starting the service with ${BIG.toLocaleString('en')} places and with ${SMALL.toLocaleString('en')} …`,
  );
  const keysFile = join(folder, 'keys');
  const partnerKeysFile = join(folder, 'partner-keys');
  const big = await start('waypost', {
    DATA_DIR: bigData,
    BENCH_PLACES: String(BIG),
    BENCH_KEYS: keysFile,
    BENCH_TRIGRAM: '1',
    BENCH_PARTNER_KEYS: partnerKeysFile,
  });
  const partnerKeys = (await readFile(partnerKeysFile, 'utf8')).split('\n');
  const keys = (await readFile(keysFile, 'utf8')).split('\n');
  const smallKeys = join(folder, 'small-keys');
  const small = await start('waypost', {
    DATA_DIR: join(folder, 'small'),
    BENCH_PLACES: String(SMALL),
    BENCH_KEYS: smallKeys,
  });
  const paths = await samplePaths(big.port, keys);
  const answers = Object.fromEntries(
    await Promise.all(
      paths.map(async (path, i) => [path, await text(big.port, path, keys[i % keys.length] ?? '')] as const),
    ),
  );
  await writeFile(join(folder, 'answers.json'), JSON.stringify(answers));
  const bare = await start('bare-answers', {}, [join(folder, 'answers.json')]);

  const request = (port: number, path: string, key: string) =>
    httpRequest('GET', path, port, { 'user-agent': USER_AGENT, authorization: `Bearer ${key}` });
  const requests = (port: number, all: readonly string[], own: readonly string[]) =>
    Array.from({ length: 4000 }, (_, i) =>
      request(port, all[(i * 7919) % all.length] ?? '/', own[i % own.length] ?? ''),
    );
  const newRequests = (port: number, all: readonly string[], own: readonly string[]) =>
    all.map((path, i) => request(port, path, own[i % own.length] ?? ''));
  const trigram = paths.map((path) => path.replace('/api/agent/search', '/bench/trigram'));
  const contender = (
    name: string,
    { pid, port }: { pid: number; port: number },
    all: readonly string[],
  ): Contender => ({ name, pid, port, requests: requests(port, all, keys) });

  say('Throughput …');
  // A parameter that changes nothing makes every search one that was not asked before.
  const unasked = Array.from(
    { length: 20_000 },
    (_, i) => `${paths[i % paths.length] ?? ''}&radius_m=${i + 1}`,
  );
  const bareContender = contender('bare node:http', bare, paths);
  const [bareRow, ownRow] = await compare(
    [bareContender, contender('Waypost, searches that come again', big, paths)],
    OPTIONS,
  );
  // In rounds of their own: searches that never come again would push the others out of the memory.
  const [bareAgain, newRow] = await compare(
    [
      bareContender,
      { ...contender('Waypost, every search new', big, []), requests: newRequests(big.port, unasked, keys) },
    ],
    OPTIONS,
  );
  const trigramLoad = await drive(big.port, requests(big.port, trigram, keys), 16, 10);
  if (!bareRow || !ownRow || !bareAgain || !newRow) throw new Error('Nothing was measured.');
  const trigramRate = trigramLoad.requests / trigramLoad.seconds;
  const bytes = Math.round(Object.values(answers).reduce((sum, body) => sum + body.length, 0) / paths.length);
  tell(
    `${paths.length} different searches (words, whole names, categories, areas, begun words; ${bytes.toLocaleString('en')} characters on average) with keys and quotas, ${OPTIONS.connections} connections.`,
    '',
    '| server | requests/s | CPU µs a request | p50 ms | p99 ms |',
    '|---|--:|--:|--:|--:|',
    ...[bareRow, ownRow, newRow].map(
      (row) =>
        `| ${row.name} | ${Math.round(row.requestsPerSecond)} | ${Math.round(row.cpuMicroseconds)} | ${row.p50Ms.toFixed(1)} | ${row.p99Ms.toFixed(1)} |`,
    ),
    `| PostgreSQL trigram, same layer | ${trigramRate.toFixed(1)} | | ${quantile(trigramLoad, 0.5)} | ${quantile(trigramLoad, 0.99)} |`,
    '',
    `- Waypost : bare node:http: **${(ownRow.requestsPerSecond / bareRow.requestsPerSecond).toFixed(2)}** when searches come again within a minute, **${(newRow.requestsPerSecond / bareAgain.requestsPerSecond).toFixed(2)}** when every one is new (bar: 0.5); by CPU time ${(bareRow.cpuMicroseconds / ownRow.cpuMicroseconds).toFixed(2)} and ${(bareAgain.cpuMicroseconds / newRow.cpuMicroseconds).toFixed(2)}`,
    `- Waypost : PostgreSQL trigram: **${(ownRow.requestsPerSecond / trigramRate).toFixed(0)}** and **${(newRow.requestsPerSecond / trigramRate).toFixed(0)}** (bar: 20)`,
  );

  say('Latency by size …');
  const smallKey = (await readFile(smallKeys, 'utf8')).split('\n');
  const smallLoad = await drive(
    small.port,
    requests(small.port, paths, smallKey),
    LATENCY.connections,
    LATENCY.seconds,
  );
  const bigLoad = await drive(
    big.port,
    requests(big.port, paths, keys),
    LATENCY.connections,
    LATENCY.seconds,
  );
  tell(
    `- p99 at ${BIG.toLocaleString('en')} : at ${SMALL.toLocaleString('en')} places, ${LATENCY.connections} connections: ${quantile(bigLoad, 0.99)} ms : ${quantile(smallLoad, 0.99)} ms = **${(Number(quantile(bigLoad, 0.99)) / Number(quantile(smallLoad, 0.99))).toFixed(2)}** (bar: at most 2)`,
    `- memory of the node process after this: **${residentMb(big.pid)} MB** (bar: 600)`,
  );

  say('A rebuild under load …');
  const build = { running: true };
  let served = 0;
  let failed = 0;
  // One traveller after the other: more would only measure how three programs share the processors.
  const loading = (async () => {
    for (let i = 0; build.running; i++) {
      const path = unasked[i % unasked.length] ?? '/';
      await text(big.port, path, keys[i % keys.length] ?? '').then(
        () => served++,
        () => failed++,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const built = await rebuild(big.port);
  build.running = false;
  await loading;
  tell(
    `- index of ${BIG.toLocaleString('en')} places built and swapped in **${Math.round(built)} s** while ${served.toLocaleString('en')} searches were answered, **${failed} failed** (bar: 120 s, 0)`,
  );

  say('Open at four in the morning, and the feed …');
  tell(...(await partnerRows(big.port, partnerKeys)));
  writeResults(`Search at ${BIG.toLocaleString('en')} places`, lines);
} finally {
  for (const { child } of running) await stopServer(child);
  await rm(folder, { recursive: true, force: true });
}

async function start(name: string, env: Record<string, string>, args: string[] = []) {
  const started = await startServer(server(name), env, args);
  running.unshift(started);
  return started;
}

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

function quantile(load: Load, share: number): string {
  return (load.latencies[Math.floor(load.latencies.length * share)] ?? 0).toFixed(1);
}

async function text(port: number, path: string, key: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'user-agent': USER_AGENT, authorization: `Bearer ${key}` },
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${path}: ${body}`);
  return body;
}

/** Builds a new index and gives the seconds it took, however long it takes: fetch would give up after five minutes. */
function rebuild(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'user-agent': USER_AGENT };
    get({ port, host: '127.0.0.1', path: '/bench/rebuild', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (body += part));
      response.on('end', () => {
        resolve((JSON.parse(body) as { seconds: number }).seconds);
      });
    }).on('error', reject);
  });
}

/** Searches as travellers send them, made from what is really there. */
async function samplePaths(port: number, keys: readonly string[]): Promise<string[]> {
  const { destinations } = JSON.parse(await text(port, '/api/agent/destinations', keys[0] ?? '')) as {
    destinations: { slug: string; country: string; places: number }[];
  };
  const cities = [...destinations]
    .sort((a, b) => b.places - a.places)
    .filter((_, i) => i % 4 === 0 || i < 10)
    .slice(0, 40);
  const paths = new Set<string>();
  const add = (query: Record<string, string>) =>
    paths.add(`/api/agent/search?${new URLSearchParams(query).toString()}`);
  for (const [i, { slug: city, country }] of cities.entries()) {
    const { places } = JSON.parse(
      await text(port, `/api/agent/search?city=${city}&limit=50`, keys[i % keys.length] ?? ''),
    ) as { places: { name: string; vertical: string; area: string | null }[] };
    add({ city });
    for (const [j, { name, vertical, area }] of places.entries()) {
      const word = name.split(/[\s'’-]+/).find((part) => part.length > 3) ?? name;
      if (j % 5 === 0) add({ q: word, city });
      if (j % 10 === 1) add({ q: name, city });
      if (j % 10 === 2) add({ category: vertical, city });
      if (j % 10 === 3 && area !== null) add({ category: vertical, area, city });
      if (j % 25 === 4) add({ q: word, country });
      if (j % 10 === 5) add({ q: word.slice(0, 4), city });
    }
  }
  return [...paths];
}

async function partnerRows(port: number, keys: readonly string[]): Promise<string[]> {
  // One partner after the other: a minute of one has 600 calls.
  let partner = 0;
  const call = async (name: string, args: object) => {
    const content = { method: 'tools/call', params: { name, arguments: args } };
    const { body } = await post(port, '/api/partner/mcp', content, { 'x-partner-key': keys[partner] ?? '' });
    return (body['result'] as { structuredContent: Record<string, unknown> }).structuredContent;
  };
  const { destinations } = (await call('list_destinations', {})) as {
    destinations: { slug: string; places: number }[];
  };
  const largest = [...destinations].sort((a, b) => b.places - a.places)[0] ?? { slug: '', places: 0 };
  // Every call is another one: a day of the coming weeks, a minute after four, a limit around the usual.
  const bodies = Array.from({ length: OPEN_CALLS }, (_, i) => {
    const day = new Date(Date.now() + (1 + (i % 14)) * DAY_MS).toISOString().slice(0, 10);
    const at = `${day}T04:${String(Math.floor(i / 14) % 60).padStart(2, '0')}`;
    const args = { destination: largest.slug, at, limit: 16 + (Math.floor(i / 840) % 10) };
    return message({ method: 'tools/call', params: { name: 'open_places', arguments: args } });
  });
  const callOf = (to: number, body: string, i: number) => {
    const headers = { ...MCP_HEADERS, 'x-partner-key': keys[1 + (i % OPEN_PARTNERS)] ?? '' };
    return httpRequest('POST', '/api/partner/mcp', to, headers, body);
  };
  const calls = bodies.map((body, i) => callOf(port, body, i));
  const [first = ''] = bodies;
  const { text: answer } = await post(port, '/api/partner/mcp', JSON.parse(first) as object, {
    'x-partner-key': keys[0] ?? '',
  });
  const answers = join(folder, 'open.json');
  await writeFile(answers, JSON.stringify({ [first]: answer }));
  const bare = await start('bare-answers', {}, [answers]);
  const bareCalls = [callOf(bare.port, first, 0)];
  await drive(port, calls.slice(OPEN_CALLS / 2), 1, 1);
  await drive(bare.port, bareCalls, 1, 1);
  const [open, bareOpen] = [
    await drive(port, calls, 1, OPEN_SECONDS),
    await drive(bare.port, bareCalls, 1, OPEN_SECONDS),
  ];
  if (open.failures > 0) throw new Error(`${open.failures} calls of open_places failed.`);
  partner += OPEN_PARTNERS;
  const sync = async () => {
    partner++;
    const started = performance.now();
    let count = 0;
    let cursor: unknown;
    do {
      const page = await call('directory_feed', {
        destination: largest.slug,
        limit: 200,
        ...(cursor === undefined ? {} : { cursor }),
      });
      count += (page['places'] as unknown[]).length;
      cursor = page['next_cursor'] ?? undefined;
    } while (cursor !== undefined);
    return { count, rate: Math.round(count / ((performance.now() - started) / 1000)) };
  };
  const newSync = await sync();
  await sync();
  const later = await sync();
  return [
    `- \`open_places\` at 04:00 in the largest destination (${largest.places.toLocaleString('en')} places), ${open.requests.toLocaleString('en')} different calls one after the other: p50 ${quantile(open, 0.5)} ms, p99 **${quantile(open, 0.99)} ms** (bar: 5); bare node:http with the same bytes ${quantile(bareOpen, 0.99)} ms`,
    `- \`directory_feed\` of it, all pages, one after the other, ${newSync.count.toLocaleString('en')} places: **${newSync.rate.toLocaleString('en')} places/s** the first time, **${later.rate.toLocaleString('en')}** the third (bar: 20,000)`,
  ];
}
