import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { again } from '../load.ts';
import { compare, type Contender, type Measured } from '../measure.ts';
import { ratios, throughputTable, type Bar } from './bars.ts';
import { type Bench, getRequest, read, say, searchPath, type Server, type Service, turns } from './bench.ts';
import type { Search, Supply } from './supply.ts';

const OPTIONS = { rounds: 3, seconds: 4, connections: 32 };
/** Searches that come again, and whose answers bare node:http sends. */
const KNOWN = 1_200;
/** More than any server of this table answers in a second. */
export const RATE_MAX = 15_000;

export interface Found {
  lines: string[];
  bars: Bar[];
  figures: Record<string, number>;
}

/** New searches and known ones over HTTP with keys and quotas, against bare node:http and PostgreSQL at its best. */
export async function measureThroughput(bench: Bench, service: Service, supply: Supply): Promise<Found> {
  const known = (await supply.take(KNOWN)).map((search) => searchPath(search));
  const key = turns(service.keys);
  const answers: Record<string, string> = {};
  for (const path of known) answers[path] = (await read(service.port, path, key())) ?? '';
  const file = join(bench.folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  const bare = await bench.start('bare-answers', {}, [file]);

  const same = (name: string, { pid, port }: Server): Contender => {
    const requests = known.map((path) => getRequest(port, path, key()));
    return { name, pid, port, requests: () => again(requests) };
  };
  const fresh = (name: string, path?: string): Contender => ({
    ...{ name, pid: service.pid, port: service.port },
    requests: async (seconds) => {
      await supply.ahead(RATE_MAX * seconds);
      return () => {
        const search = supply.next();
        return search && getRequest(service.port, searchPath(search, path), key());
      };
    },
  });
  say('PostgreSQL chooses between its indexes …');
  const chosen = await chooseWays(service, await supply.take(600));
  say('New searches, known searches, bare node:http and PostgreSQL …');
  const [bareRow, knownRow] = await compare(
    [same('bare node:http, same bytes', bare), same('Waypost, searches that come again', service)],
    OPTIONS,
  );
  // In rounds of their own: searches that never come again would push the others out of the memory.
  const [bareAgain, newRow] = await compare(
    [same('bare node:http, same bytes, beside new searches', bare), fresh('Waypost, every search new')],
    OPTIONS,
  );
  const [rivalRow] = await compare([fresh('PostgreSQL, every search new', '/bench/postgres')], OPTIONS);
  if (!bareRow || !knownRow || !bareAgain || !newRow || !rivalRow) throw new Error('Nothing was measured.');
  const rows = [bareRow, knownRow, bareAgain, newRow, rivalRow];
  const bytes = Object.values(answers).reduce((sum, body) => sum + Buffer.byteLength(body), 0) / known.length;
  return {
    lines: [
      `Searches drawn by place from the directory (names, words, kinds, areas, begun words; with a destination, a country or nothing), none sent twice but the ${known.length.toLocaleString('en')} known ones; ${Math.round(bytes).toLocaleString('en')} bytes an answer; keys and quotas; ${OPTIONS.connections} connections; median of ${OPTIONS.rounds} rounds of ${OPTIONS.seconds} s in turns. CPU is that of the node process; PostgreSQL works in processes of its own.`,
      '',
      ...throughputTable(rows),
      '',
      `PostgreSQL has a table with ready cards in order of rank, a GIN index with destination, kinds and words, one with destination and trigrams, and B-trees by destination, kind and rank. It takes the better way for each shape of search: ${chosen}.`,
      `The two rows of bare node:http are one server, measured twice: they differ by ${Math.round(apart(bareRow, bareAgain) * 100)} % by throughput, and so much of any ratio here is noise.`,
      driverNote(rows),
    ],
    bars: [
      ...ratios('every search new : bare node:http, one process', newRow, bareAgain, 0.3),
      ...ratios('searches that come again : bare node:http', knownRow, bareRow, 0.75, 'throughput'),
      ...ratios(
        'new searches : PostgreSQL with its best index, same layer',
        newRow,
        rivalRow,
        20,
        'throughput',
      ),
    ],
    figures: {
      bare: bareRow.requestsPerSecond,
      known: knownRow.requestsPerSecond,
      new: newRow.requestsPerSecond,
      postgres: rivalRow.requestsPerSecond,
    },
  };
}

function apart(one: Measured, other: Measured): number {
  const [low, high] = [one.requestsPerSecond, other.requestsPerSecond].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return high / low - 1;
}

async function chooseWays(service: Service, searches: readonly Search[]): Promise<string> {
  const answer = await read(service.port, '/bench/postgres/choose', service.keys[0], { searches });
  const chosen = JSON.parse(answer ?? '{}') as Record<string, { way: string; ms: Record<string, number> }>;
  return Object.entries(chosen)
    .map(([shape, { way, ms }]) => {
      const times = Object.entries(ms).map(([name, mean]) => `${name} ${mean.toFixed(1)} ms`);
      return `${shape}: ${way} (${times.join(', ')})`;
    })
    .join('; ');
}

/** The driver is one thread of JavaScript too. Where it is busy all the time, the server could have answered more. */
export function driverNote(rows: readonly Measured[]): string {
  const limited = rows.filter((row) => row.driverCpu > 0.95).map(({ name }) => name);
  return limited.length === 0
    ? 'The driver was not the limit: it used less than 95 % of one processor beside each of them.'
    : `The driver itself was busy all the time beside: ${limited.join('; ')}. These could answer more; compare them by CPU time.`;
}
