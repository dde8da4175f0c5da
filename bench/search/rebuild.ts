import { drive, type Load } from '../load.ts';
import { getRequest, read, say, searchPath, type Service, turns } from './bench.ts';
import type { Supply } from './supply.ts';
import { type Found, RATE_MAX } from './throughput.ts';

const CONNECTIONS = 32;
const ALONE_SECONDS = 10;
/** New searches are drawn before the build for so long; a longer one has more drawn while it runs. */
const EXPECTED_SECONDS = 120;

/** A new index is built while a driver asks new searches as fast as it can. */
export async function measureRebuild(service: Service, supply: Supply): Promise<Found> {
  say('A rebuild under a flat-out driver …');
  const key = turns(service.keys);
  const next = () => {
    const search = supply.next();
    return search && getRequest(service.port, searchPath(search), key());
  };
  await supply.ahead(RATE_MAX * ALONE_SECONDS);
  const alone = await drive(service.port, next, CONNECTIONS, ALONE_SECONDS);
  const rate = alone.requests / alone.seconds;
  await supply.ahead(rate * EXPECTED_SECONDS);

  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const built = rebuild(service.port).finally(() => {
    over.abort();
  });
  const loads: Load[] = [];
  while (!isOver()) {
    const load = await drive(service.port, next, CONNECTIONS, 600, over.signal);
    loads.push(load);
    // The directory has no more to ask about.
    if (load.requests === 0) break;
    // The driver stands still while it draws more, and these seconds are not counted.
    if (!isOver()) await supply.ahead(rate * 30);
  }
  const seconds = await built;
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0);
  const failed = sum(({ failures }) => failures) + alone.failures;
  const during = sum(({ requests }) => requests) / sum((load) => load.seconds);
  return {
    lines: [
      `A new index was built and swapped in while ${CONNECTIONS} connections asked new searches as fast as they were answered: ${Math.round(during).toLocaleString('en')} a second, ${Math.round(rate).toLocaleString('en')} before it.`,
    ],
    bars: [
      {
        ...{ what: 'index build under a flat-out driver', value: seconds, unit: ' s' },
        ...{ bar: 100, side: 'at most' },
      },
      { what: 'searches that failed meanwhile', value: failed, bar: 0, side: 'at most' },
      { what: 'driver during the build : before it', value: during / rate, bar: 0.5, side: 'at least' },
    ],
    figures: { build_seconds: seconds },
  };
}

export async function rebuild(port: number): Promise<number> {
  return (JSON.parse((await read(port, '/bench/rebuild')) ?? '') as { seconds: number }).seconds;
}
