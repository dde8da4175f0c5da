import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { httpRequest } from '../load.ts';
import { startServer, stopServer } from '../measure.ts';
import { MCP_HEADERS, message, USER_AGENT } from '../mcp/message.ts';
import type { Search } from './supply.ts';

export type Server = Awaited<ReturnType<typeof startServer>>;

export interface Service extends Server {
  dataDir: string;
  keys: string[];
  partnerKeys: string[];
}

/** A folder for the run and the servers that it starts. All of them end with it. */
export class Bench {
  readonly folder: string;
  readonly #running: Server[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async with(work: (bench: Bench) => Promise<void>): Promise<void> {
    const bench = new Bench(await mkdtemp(join(tmpdir(), 'waypost-bench-')));
    try {
      await work(bench);
    } finally {
      for (const server of [...bench.#running]) await bench.stop(server);
      await rm(bench.folder, { recursive: true, force: true });
    }
  }

  async start(name: string, env: Record<string, string> = {}, args: string[] = []): Promise<Server> {
    const file = new URL(`../servers/${name}.ts`, import.meta.url).pathname;
    const server = await startServer(file, env, args);
    this.#running.unshift(server);
    return server;
  }

  /** The whole service with so many places, and keys of agents and partners for whom no quota ends the run. */
  async startService(dataDir: string, places: number, env: Record<string, string> = {}): Promise<Service> {
    const [agents, partners] = [join(this.folder, 'keys'), join(this.folder, 'partner-keys')];
    const server = await this.start('waypost', {
      ...{
        DATA_DIR: dataDir,
        BENCH_PLACES: String(places),
        BENCH_KEYS: agents,
        BENCH_PARTNER_KEYS: partners,
      },
      ...env,
    });
    const [keys, partnerKeys] = [await readFile(agents, 'utf8'), await readFile(partners, 'utf8')];
    return { ...server, dataDir, keys: keys.split('\n'), partnerKeys: partnerKeys.split('\n') };
  }

  async stop(server: Server): Promise<void> {
    const at = this.#running.findIndex(({ pid }) => pid === server.pid);
    if (at >= 0) this.#running.splice(at, 1);
    await stopServer(server.child);
  }
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function searchPath(search: Search, path = '/api/agent/search'): string {
  return `${path}?${new URLSearchParams({ ...search }).toString()}`;
}

export function getRequest(port: number, path: string, key: string): Buffer {
  return httpRequest('GET', path, port, { 'user-agent': USER_AGENT, authorization: `Bearer ${key}` });
}

export function toolCall(name: string, args: object): object {
  return { method: 'tools/call', params: { name, arguments: args } };
}

/** The search of an agent as a partner sends it. */
export function partnerCall({ q, city, category, area }: Search): object {
  const given = { destination: city, query: q, category, area };
  return toolCall('search_places', given);
}

export function partnerRequest(port: number, call: object, headers: Record<string, string>): Buffer {
  return httpRequest('POST', '/api/partner/mcp', port, { ...MCP_HEADERS, ...headers }, message(call));
}

/** One after the other from a list, for ever. */
export function turns<Item>(items: readonly Item[]): () => Item {
  let at = 0;
  return () => items[at++ % items.length] as Item;
}

/** An answer as text, however long it takes: fetch would give up after five minutes. Undefined when there is no route. */
export async function read(port: number, path: string, key = '', body?: object): Promise<string | undefined> {
  const sent = request({
    ...{ host: '127.0.0.1', port, path, method: body === undefined ? 'GET' : 'POST' },
    headers: {
      'user-agent': USER_AGENT,
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode === 404) return undefined;
  if (response.statusCode !== 200)
    throw new Error(`${path} answered ${response.statusCode ?? 'nothing'}: ${answer}`);
  return answer;
}
