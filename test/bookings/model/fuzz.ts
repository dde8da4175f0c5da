import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEmbeddedPostgres } from '../../../src/core/embedded/embedded-postgres.ts';
import { createTemplate, prepareTestServer } from '../../harness/service/database.ts';
import { explore, type Failure } from './explore.ts';
import { World } from './world.ts';

// Random lives of bookings against the real service: npm run fuzz:bookings -- --runs 5000 [--seed 7]
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1000' }, seed: { type: 'string' } },
});
/** Each has its own database and its own time. While one waits for its database, the other one goes on. */
const WORLDS = 2;
const SEEDS_APART = 1_000_000;
const runs = Number(values.runs);
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);

const folder = await mkdtemp(join(tmpdir(), 'waypost-fuzz-'));
const openServer = () => openEmbeddedPostgres({ dataDir: folder, role: 'tool', note: () => undefined });
const first = await openServer();
await prepareTestServer(first.url).finally(() => first.release());
const server = await openServer();
const note = (line: string) => process.stdout.write(`${line}\n`);
const failures: Failure[] = [];
try {
  process.env['TEST_POSTGRES_URL'] = server.url;
  process.env['TEST_FOLDER'] = folder;
  await createTemplate(server.url);
  const worlds = await Promise.all(Array.from({ length: WORLDS }, () => World.open()));
  note(`seed ${seed}, ${runs} sequences in ${WORLDS} worlds`);
  const found = worlds.map((world, nth) =>
    explore(world, {
      runs: Math.ceil(runs / WORLDS),
      seed: seed + nth * SEEDS_APART,
      note: (line) => {
        note(`${nth + 1}: ${line}`);
      },
    }),
  );
  failures.push(...(await Promise.all(found)).flat());
  for (const world of worlds) await world.close();
} finally {
  await server.release();
  await rm(folder, { recursive: true, force: true });
}
process.exit(failures.length === 0 ? 0 : 1);
