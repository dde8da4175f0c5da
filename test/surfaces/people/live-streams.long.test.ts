import assert from 'node:assert/strict';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { signInVenue } from '../../harness/people/venue.ts';
import { until } from '../../harness/service/jobs.ts';
import { CHECKOUT, freePort, startProgram, untilReady } from '../../harness/service/program.ts';
import { startTestService, USER_AGENT } from '../../harness/service/service.ts';
import { addVenue } from '../../bookings/asking-partner.ts';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';

const STREAMS = 1_000;
const VENUES = 40;
const MB = 1024 * 1024;
const MORE_MAX = 100 * MB;

/** A client on a node of its own, whose memory can be seen, and one here to make accounts. */
test('1,000 open pages take at most 100 MB more on a node, and one listening connection', async (t) => {
  const here = await startTestService();
  const { pool, url: databaseUrl } = here.database;
  const port = await freePort();
  const settings = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    BASE_URL: here.app.deps.config.baseUrl,
    HOST: '127.0.0.1',
    SERVICE_PREFIX: 'svc',
  };
  const program = startProgram(['node', join(CHECKOUT, 'src/cli.ts'), 'start'], settings);
  await untilReady(program);
  const listeners = async () => {
    const [row] = await pool<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'waypost listener'`;
    return row?.count;
  };
  const streams: ClientRequest[] = [];
  after(() => {
    for (const stream of streams) stream.destroy();
  });
  const cookies: string[] = [];
  for (let i = 0; i < VENUES; i++) {
    const venue = await signInVenue(here, await addVenue(here, { name: `Warung ${i}` }));
    cookies.push([...venue.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
  }
  const open = async (cookie: string): Promise<IncomingMessage> => {
    const headers = { cookie, accept: 'text/event-stream', 'user-agent': USER_AGENT };
    const stream = request(`${program.url}/venue/tables?since=0`, { headers, agent: false }).end();
    streams.push(stream);
    const [response] = (await once(stream, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    return response;
  };
  // The first requests load code and fill caches.
  const first = await Promise.all(cookies.slice(0, 10).map(open));
  const before = memoryOf(program.child.pid ?? 0);
  const responses = [...first];
  for (let i = 10; i < STREAMS; i += 10)
    responses.push(
      ...(await Promise.all(Array.from({ length: 10 }, (_, n) => open(cookies[(i + n) % VENUES] ?? '')))),
    );
  assert.equal(responses.length, STREAMS);
  const more = memoryOf(program.child.pid ?? 0) - before;
  t.diagnostic(`${STREAMS} streams: ${(more / MB).toFixed(1)} MB more`);
  assert.ok(more <= MORE_MAX, `${(more / MB).toFixed(1)} MB more`);
  // One of each node.
  assert.equal(await listeners(), 2);
  let told = 0;
  for (const response of responses)
    response.setEncoding('utf8').on('data', (text: string) => (told += text.includes('changed') ? 1 : 0));
  const ids = await pool<{ place_id: string }[]>`select distinct place_id from venue_session`;
  await pool`select pg_notify('shown_data_changed', ${ids.map((row) => row.place_id).join(' ')})`;
  await until('all pages are told', () => told >= STREAMS);
  program.child.kill('SIGTERM');
  assert.equal(await program.ended, 0, program.said.error);
});

function memoryOf(pid: number): number {
  const [, kilobytes = ''] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`).toString()) ?? [];
  return Number(kilobytes) * 1024;
}
