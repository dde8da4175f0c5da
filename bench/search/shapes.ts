import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { again, drive, type Next } from '../load.ts';
import { cpuSeconds } from '../measure.ts';
import { type Bench, getRequest, read, searchPath, type Server, type Service, turns } from './bench.ts';
import { SHAPES, type Supply } from './supply.ts';

const CONNECTIONS = 8;
const WARM_UP = 1_500;
const SEARCHES = 1_500;
/** A bare answer costs a tenth, and the kernel counts CPU time in hundredths of a second. */
const BARE_ANSWERS = 30_000;
/** Searches whose answers bare node:http sends. */
const KNOWN = 300;
const BARE = 'bare node:http';
/** A bound for a hang; the number of searches ends a round. */
const SECONDS_MAX = 300;

/** Seconds of CPU time by shape of search, and those of bare node:http for an answer of the same bytes. */
export interface ShapeCosts {
  bare: number;
  shapes: Map<string, number>;
}

/** Of several rounds the cheapest counts, because other work on the machine only adds to it. */
export async function measureShapes(
  bench: Bench,
  service: Service,
  supply: Supply,
  rounds: number,
  before: ShapeCosts = { bare: Infinity, shapes: new Map() },
): Promise<ShapeCosts> {
  const key = turns(service.keys);
  const known = (await supply.take(KNOWN)).map((search) => searchPath(search));
  const answers: Record<string, string> = {};
  for (const path of known) answers[path] = (await read(service.port, path, key())) ?? '';
  const file = join(bench.folder, 'shape-answers.json');
  await writeFile(file, JSON.stringify(answers));
  const bare = await bench.start('bare-answers', {}, [file]);

  const repeat = (server: Server) => again(known.map((path) => getRequest(server.port, path, key())));
  const fresh =
    (shape: (typeof SHAPES)[number]): Next =>
    () => {
      const search = supply.nextOf(shape);
      return search && getRequest(service.port, searchPath(search), key());
    };
  const asked: { name: string; server: Server; next: () => Next; count: number }[] = [
    { name: BARE, server: bare, next: () => repeat(bare), count: BARE_ANSWERS },
    { name: 'repeated', server: service, next: () => repeat(service), count: BARE_ANSWERS / 4 },
    ...SHAPES.map((shape) => ({
      ...{ name: shape, server: service, count: SEARCHES },
      next: () => fresh(shape),
    })),
  ];
  for (const { server, next } of asked) {
    await supply.ahead(4 * WARM_UP);
    await ask(server, next(), WARM_UP);
  }
  const cheapest = new Map([...before.shapes, [BARE, before.bare]]);
  for (let round = 0; round < rounds; round++)
    for (const { name, server, next, count } of asked) {
      await supply.ahead(4 * count);
      const cost = await ask(server, next(), count);
      cheapest.set(name, Math.min(cost, cheapest.get(name) ?? Infinity));
    }
  await bench.stop(bare);
  const floor = cheapest.get(BARE) ?? NaN;
  cheapest.delete(BARE);
  return { bare: floor, shapes: cheapest };
}

/** Seconds of CPU time for each of so many requests. */
async function ask({ pid, port }: Server, next: Next, count: number): Promise<number> {
  let left = count;
  const before = cpuSeconds(pid);
  const load = await drive(port, () => (left-- > 0 ? next() : undefined), CONNECTIONS, SECONDS_MAX);
  if (load.failures > 0) throw new Error(`${load.failures} answers were not 200.`);
  if (load.requests < count)
    throw new Error(`The directory has only ${load.requests} searches of this shape.`);
  return (cpuSeconds(pid) - before) / load.requests;
}
