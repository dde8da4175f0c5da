import { join } from 'node:path';
import { buildStreets } from '../src/streets/build/build-streets.ts';
import { tileAt } from '../test/streets/tile-features.ts';
import { again, httpRequest } from './load.ts';
import { compare, type Contender } from './measure.ts';
import { USER_AGENT } from './mcp/message.ts';
import { writeResults } from './results.ts';
import { barTable, ratios, throughputTable } from './search/bars.ts';
import { Bench, getRequest, read, say, searchPath, type Service, turns } from './search/bench.ts';
import { Supply } from './search/supply.ts';

// Pages of destinations as anonymous visitors open them, beside searches over REST, in turns, in one run. Every page comes
// from another network than the one before: one network has a ceiling. Tiles are those of Monaco.
const PLACES = Number(process.env['BENCH_PLACES'] ?? '24000');
const OPTIONS = { rounds: 3, seconds: 4, connections: 20 };
const KNOWN = 1_200;
const NETWORKS = 5_000;
const BAR = 0.5;
const TILES_BAR = 1;
const MONACO = { file: join(import.meta.dirname, '../maps/monaco.osm.pbf'), lat: 43.7384, lng: 7.4246 };
const TILE_ZOOMS = [13, 14, 15];

await Bench.with(async (bench) => {
  const dataDir = join(bench.folder, 'data');
  await buildStreets({
    ...{ file: MONACO.file, folder: join(dataDir, 'maps') },
    progress: () => () => undefined,
  });
  say(`Making ${PLACES.toLocaleString('en')} places …`);
  const service = await bench.startService(dataDir, PLACES, { TRUSTED_PROXIES: '127.0.0.1' });
  const paths = await destinationPages(service);
  const supply = await Supply.of(dataDir);
  const known = (await supply.take(KNOWN)).map((search) => searchPath(search));
  await supply.close();
  say('Searches and pages …');
  const rows = await compare(
    [
      searches(service, known),
      pages('destination pages, compressed', service, paths, 'gzip, deflate, br'),
      pages('destination pages, as they are', service, paths, 'identity'),
      pages('one destination page, compressed', service, paths.slice(0, 1), 'gzip, deflate, br'),
      pages('street tiles', service, await tiles(service), 'gzip, deflate, br'),
    ],
    OPTIONS,
  );
  const [search, ...opened] = rows;
  if (search === undefined) throw new Error('Nothing was measured.');
  const lines = [
    `${paths.length} destinations with ${PLACES.toLocaleString('en')} places by turns, from ${NETWORKS.toLocaleString('en')} networks; ${KNOWN.toLocaleString('en')} searches over REST that come again, with keys and quotas; ${OPTIONS.connections} connections; median of ${OPTIONS.rounds} rounds of ${OPTIONS.seconds} s in turns.`,
    '',
    ...throughputTable(rows),
    '',
    ...barTable(
      opened.flatMap((row) => {
        const bar = row.name === 'street tiles' ? TILES_BAR : BAR;
        return ratios(`${row.name} : search over REST`, row, search, bar, 'throughput');
      }),
    ),
  ];
  say(lines.join('\n'));
  writeResults('Pages', lines, { search: search.requestsPerSecond, pages: opened[0]?.requestsPerSecond });
});

async function destinationPages({ port, keys }: Service): Promise<string[]> {
  const answer = await read(port, '/api/agent/destinations?limit=500', keys[0]);
  const { destinations } = JSON.parse(answer ?? '{}') as { destinations: { slug: string }[] };
  return destinations.map(({ slug }) => `/d/${slug}`);
}

/** The tiles around the middle of the city that the archive has, as a browser loads them. */
async function tiles({ port }: Service): Promise<string[]> {
  const around = TILE_ZOOMS.flatMap((z) => {
    const { x, y } = tileAt(MONACO.lat, MONACO.lng, z);
    return [-1, 0, 1].flatMap((right) =>
      [-1, 0, 1].map((down) => `/tiles/${z}/${x + right}/${y + down}.mvt`),
    );
  });
  const answers = await Promise.all(
    around.map((path) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'user-agent': USER_AGENT } })),
  );
  const found = answers.filter(({ status }) => status === 200);
  const version = found[0]?.headers.get('etag')?.replaceAll('"', '') ?? '';
  return found.map(({ url }) => `${new URL(url).pathname}?v=${version}`);
}

function searches({ pid, port, keys }: Service, paths: readonly string[]): Contender {
  const key = turns(keys);
  const requests = paths.map((path) => getRequest(port, path, key()));
  return { name: 'search over REST', pid, port, requests: () => again(requests) };
}

function pages(name: string, { pid, port }: Service, paths: readonly string[], encoding: string): Contender {
  const path = turns(paths);
  const requests = Array.from({ length: NETWORKS }, (_, at) =>
    httpRequest('GET', path(), port, {
      'user-agent': USER_AGENT,
      accept: 'text/html',
      'accept-language': 'en',
      'accept-encoding': encoding,
      'x-forwarded-for': `2001:db8:${(at + 1).toString(16)}::1`,
    }),
  );
  return { name, pid, port, requests: () => again(requests) };
}
