import { join } from 'node:path';
import { writeResults } from '../results.ts';
import { barTable } from '../search/bars.ts';
import { Bench, say } from '../search/bench.ts';
import { measureMcp } from '../search/mcp-rows.ts';
import { Supply } from '../search/supply.ts';

// The rows of MCP from bench:search alone. BENCH_DATA_DIR keeps the big database for the next run.
const PLACES = Number(process.env['BENCH_PLACES'] ?? '2700000');

await Bench.with(async (bench) => {
  say(`Starting the service with ${PLACES.toLocaleString('en')} places …`);
  const dataDir = process.env['BENCH_DATA_DIR'] ?? join(bench.folder, 'data');
  const service = await bench.startService(dataDir, PLACES, { BENCH_SDK: '1' });
  const supply = await Supply.of(dataDir);
  try {
    const { lines, bars, figures } = await measureMcp(bench, service, supply);
    const all = [...barTable(bars), '', ...lines];
    say(all.join('\n'));
    writeResults('MCP: search_places', all, figures);
  } finally {
    await supply.close();
  }
});
