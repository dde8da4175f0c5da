import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { again } from '../load.ts';
import { INITIALIZE, message, post } from '../mcp/message.ts';
import { compare, type Contender } from '../measure.ts';
import { ratios, throughputTable } from './bars.ts';
import { type Bench, partnerCall, partnerRequest, say, type Service, turns } from './bench.ts';
import type { Supply } from './supply.ts';
import { driverNote, type Found, RATE_MAX } from './throughput.ts';

const OPTIONS = { rounds: 3, seconds: 4, connections: 64 };
const SAMPLE = 1_200;

/** tools/call of search_places, every one new: against bare node:http and the official SDK with the same search. */
export async function measureMcp(bench: Bench, service: Service, supply: Supply): Promise<Found> {
  say('search_places over MCP …');
  const sdkPort = Number(/sdk at (\d+)/.exec(service.said)?.[1]);
  const key = turns(service.partnerKeys);
  const keyed = () => ({ 'x-partner-key': key() });
  const calls = (await supply.take(SAMPLE, 'within a destination')).map(partnerCall);
  const answers: Record<string, string> = {};
  for (const call of calls)
    answers[message(call)] = (await post(service.port, '/api/partner/mcp', call, keyed())).text;
  const file = join(bench.folder, 'mcp-answers.json');
  await writeFile(file, JSON.stringify(answers));
  const bare = await bench.start('bare-answers', {}, [file]);
  const { sessionId } = await post(sdkPort, '/', INITIALIZE);
  const session = { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' };

  const bareCalls = calls.map((call) => partnerRequest(bare.port, call, keyed()));
  const fresh = (name: string, port: number, headers: () => Record<string, string>): Contender => ({
    ...{ name, pid: service.pid, port },
    requests: async (seconds) => {
      await supply.ahead(RATE_MAX * seconds);
      return () => {
        const search = supply.next('within a destination');
        return search && partnerRequest(port, partnerCall(search), headers());
      };
    },
  });
  const rows = await compare(
    [
      {
        name: 'bare node:http, same bytes',
        pid: bare.pid,
        port: bare.port,
        requests: () => again(bareCalls),
      },
      fresh('Waypost over MCP, every search new', service.port, keyed),
      fresh('official SDK 2.x, same search, no keys', sdkPort, () => session),
    ],
    OPTIONS,
  );
  const [bareRow, own, sdk] = rows;
  if (!bareRow || !own || !sdk) throw new Error('Nothing was measured.');
  const bytes = Object.values(answers).reduce((sum, body) => sum + Buffer.byteLength(body), 0) / calls.length;
  return {
    lines: [
      `\`tools/call\` of \`search_places\` by partners with keys and quotas, every search new, ${Math.round(bytes).toLocaleString('en')} bytes an answer, ${OPTIONS.connections} connections, median of ${OPTIONS.rounds} rounds of ${OPTIONS.seconds} s in turns.`,
      '',
      ...throughputTable(rows),
      '',
      driverNote(rows),
    ],
    bars: [
      ...ratios('MCP search_places, new : bare node:http', own, bareRow, 0.25),
      ...ratios('MCP search_places, new : official SDK with the same search', own, sdk, 5),
    ],
    figures: {
      mcp_bare: bareRow.requestsPerSecond,
      mcp_new: own.requestsPerSecond,
      sdk: sdk.requestsPerSecond,
    },
  };
}
