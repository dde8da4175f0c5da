import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { createTemplate, prepareTestServer } from '../harness/service/database.ts';
import { explore } from './explore.ts';
import { pagesOf } from './requests/plans.ts';
import { ENDPOINTS, World } from './world/world.ts';

// Random requests to every surface of the real service: npm run fuzz:http -- --runs 20000 [--seed 7]
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '2000' }, seed: { type: 'string' } },
});
const requests = Number(values.runs);
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);

const folder = await mkdtemp(join(tmpdir(), 'waypost-fuzz-'));
const openServer = () => openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const first = await openServer();
await prepareTestServer(first.url).finally(() => first.release());
const server = await openServer();
const note = (line: string) => process.stdout.write(`${line}\n`);
let faults: number;
// Ending the run early prints the results so far and stops every process.
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopped.abort();
  });
try {
  process.env['TEST_POSTGRES_URL'] = server.url;
  process.env['TEST_FOLDER'] = folder;
  await createTemplate(server.url);
  const world = await World.open();
  note(`seed ${seed}, ${requests} requests`);
  const began = performance.now();
  const { failures, tally } = await explore(world, { requests, seed, note, signal: stopped.signal });
  const seconds = (performance.now() - began) / 1000;
  for (const line of tally.lines()) note(line);
  const never = placesToReach(world).filter((place) => !tally.done.has(place));
  note(
    never.length === 0 ? 'every operation, tool and page did something' : `never done: ${never.join(', ')}`,
  );
  for (const { sign, times } of failures) note(`${times} × ${sign}`);
  note(
    `${tally.total} requests in ${seconds.toFixed(0)} s (${(tally.total / seconds).toFixed(0)} a second): 2xx ${tally.count(/^2xx/)}, 3xx ${tally.count(/^3xx/)}, refused by tools ${tally.count(/^refused/)}, 4xx ${tally.count(/^4(?!29)/)}, 429 ${tally.count(/^429/)}, 5xx ${tally.count(/^5/)}; ${failures.length} faults`,
  );
  faults = failures.length;
  await world.close();
} finally {
  await server.release();
  await rm(folder, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);

/** Every operation, every tool and every page, as the tally names them. */
function placesToReach(world: World): string[] {
  const { openapi, tools } = world;
  const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
  return [
    ...operations.map(({ operationId }) => operationId),
    ...ENDPOINTS.flatMap((path) => tools[path].map(({ name }) => `${path} ${name}`)),
    ...pagesOf(world).map(({ pattern }) => `GET ${pattern}`),
  ];
}
