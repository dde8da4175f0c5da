import { drive } from '../load.ts';
import { post } from '../mcp/message.ts';
import { quantile } from '../measure.ts';
import { partnerRequest, say, type Service, toolCall, turns } from './bench.ts';
import type { Supply } from './supply.ts';
import type { Found } from './throughput.ts';

const OPEN_SECONDS = 5;
const CALLS_MAX = 5_000;
const PAGE = 200;

/** Measures the other calls of partners: places open at a minute, and all places of a destination. */
export async function measurePartnerRows(service: Service, supply: Supply): Promise<Found> {
  say('What is open, and the feed …');
  const open = await openPlaces(service, supply);
  const feed = await feedOfLargest(service);
  return {
    lines: [
      `\`open_places\`, every call another destination, minute or kind, one after the other: p50 ${open.p50.toFixed(1)} ms, p99 ${open.p99.toFixed(1)} ms of ${open.calls.toLocaleString('en')} calls. \`directory_feed\` of the largest destination, ${feed.count.toLocaleString('en')} places, all pages one after the other: ${feed.first.toLocaleString('en')} places/s the first time, ${feed.third.toLocaleString('en')} the third.`,
    ],
    bars: [
      { what: '`open_places`, p99', value: open.p99, unit: ' ms', bar: 5, side: 'at most' },
      {
        ...{ what: '`directory_feed`, first time', value: feed.first, unit: ' places/s' },
        ...{ bar: 25_000, side: 'at least' },
      },
    ],
    figures: { open_p50: open.p50, open_p99: open.p99, feed_first: feed.first },
  };
}

async function openPlaces({ port, partnerKeys }: Service, supply: Supply) {
  const key = turns(partnerKeys);
  const next = () => {
    const asked = supply.nextOpen();
    return asked && partnerRequest(port, toolCall('open_places', asked), { 'x-partner-key': key() });
  };
  await supply.ahead(CALLS_MAX * (OPEN_SECONDS + 1));
  await drive(port, next, 1, 1);
  const load = await drive(port, next, 1, OPEN_SECONDS);
  if (load.failures > 0) throw new Error(`${load.failures} calls of open_places failed.`);
  return { p50: quantile(load, 0.5), p99: quantile(load, 0.99), calls: load.requests };
}

async function feedOfLargest({ port, partnerKeys }: Service) {
  // One partner for each time: a minute of one has 600 calls.
  const call = async (key: string, name: string, args: object) => {
    const { body } = await post(port, '/api/partner/mcp', toolCall(name, args), { 'x-partner-key': key });
    return (body['result'] as { structuredContent: Record<string, unknown> }).structuredContent;
  };
  const { destinations } = (await call(partnerKeys.at(-1) ?? '', 'list_destinations', {
    fields: ['places'],
  })) as { destinations: { slug: string; places: number }[] };
  const largest = destinations.reduce((most, one) => (one.places > most.places ? one : most));
  const sync = async (time: number) => {
    const startedAt = performance.now();
    let count = 0;
    let cursor: unknown;
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      // Another partner after 500 pages, for the same reason.
      const key = partnerKeys.at(-2 - time * 10 - Math.floor(page / 500)) ?? '';
      const given = { destination: largest.slug, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
      const answer = await call(key, 'directory_feed', given);
      count += (answer['places'] as unknown[]).length;
      cursor = answer['next_cursor'] ?? undefined;
    }
    return { count, rate: Math.round(count / ((performance.now() - startedAt) / 1000)) };
  };
  const { count, rate: first } = await sync(0);
  await sync(1);
  return { count, first, third: (await sync(2)).rate };
}
