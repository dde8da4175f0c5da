import { join } from 'node:path';
import { privateMb } from './measure.ts';
import { writeResults } from './results.ts';
import { barTable, type Bar } from './search/bars.ts';
import { Bench, read, say, type Service } from './search/bench.ts';
import { measureMcp } from './search/mcp-rows.ts';
import { measurePartnerRows } from './search/partner-rows.ts';
import { measureRebuild } from './search/rebuild.ts';
import { Supply } from './search/supply.ts';
import { type Found, measureThroughput } from './search/throughput.ts';
import { measureWorkers } from './search/workers.ts';

// Search at the size that the directory is made for, every search new unless a row says otherwise: against bare node:http
// with the same bytes, the official SDK, and PostgreSQL. BENCH_DATA_DIR keeps the big database for the next run.
const PLACES = Number(process.env['BENCH_PLACES'] ?? '2700000');

await Bench.with(async (bench) => {
  const dataDir = process.env['BENCH_DATA_DIR'] ?? join(bench.folder, 'data');
  say(`Making ${PLACES.toLocaleString('en')} places, our index and those of PostgreSQL …`);
  // Once to make everything and once to measure, so that PostgreSQL starts with the memory that it was given.
  await bench.stop(await bench.startService(dataDir, PLACES, { BENCH_POSTGRES: '1' }));
  const service = await bench.startService(dataDir, PLACES, { BENCH_POSTGRES: '1', BENCH_SDK: '1' });
  const supply = await Supply.of(dataDir);
  const found: Found[] = [];
  try {
    found.push(await measureThroughput(bench, service, supply));
    found.push({ lines: [], bars: [memory(service)], figures: {} });
    found.push(await measureMcp(bench, service, supply));
    found.push(await measureRebuild(service, supply));
    found.push({ lines: [], bars: [await indexSize(service)], figures: {} });
    found.push(await measurePartnerRows(service, supply));
  } finally {
    await supply.close();
  }
  await bench.stop(service);
  found.push(await measureWorkers(service, () => Supply.of(dataDir)));
  report(found);
});

function memory({ pid }: Service): Bar {
  const what = 'private memory of the node after the searches';
  return { what, value: privateMb(pid), unit: ' MB', bar: 250, side: 'at most' };
}

/** Asks the service how large its index is. One that has no such route is not measured. */
async function indexSize({ port }: Service): Promise<Bar> {
  const answer = await read(port, '/bench/index');
  const size = answer && (JSON.parse(answer) as { file_bytes: number; card_bytes: number });
  const value = size ? size.file_bytes / size.card_bytes : undefined;
  return { what: 'index file : bytes of its cards', value, bar: 1.6, side: 'at most' };
}

function report(found: readonly Found[]): void {
  const paragraphs = found.filter(({ lines }) => lines.length > 0).map(({ lines }) => lines.join('\n'));
  const lines = [...barTable(found.flatMap(({ bars }) => bars)), '', paragraphs.join('\n\n')];
  say(lines.join('\n'));
  const figures = Object.assign({ places: PLACES }, ...found.map((one) => one.figures)) as object;
  writeResults(`Search at ${PLACES.toLocaleString('en')} places`, lines, figures);
}
