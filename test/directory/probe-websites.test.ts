import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Resolve } from '../../src/core/egress-target.ts';
import { closureBeliefOf } from '../../src/directory/open-status.ts';
import { findPlace } from '../../src/directory/place.ts';
import { startWebsiteProbes, WebsiteProbes, type ProbeOptions } from '../../src/directory/probe-websites.ts';
import { createTestDatabase } from '../harness/database.ts';
import { BASE_URL, startTestService } from '../harness/service.ts';
import { addMadeUpPlace } from './made-up-place.ts';

const HOUR_MS = 3_600_000;
const service = await startTestService();
const { clock } = service;
const { pool } = service.database;

interface Asked {
  method: string;
  host: string;
  userAgent: string;
}
/** What each host answers to a method: a status, or something that hangs up. */
type Answer = (request: IncomingMessage) => number | Promise<number>;
const hosts = new Map<string, Answer>();
let asked: Asked[] = [];
let inFlight = 0;
let mostInFlight = 0;

const server = createServer((request, response) => {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  asked.push({ method: request.method ?? '', host, userAgent: request.headers['user-agent'] ?? '' });
  mostInFlight = Math.max(mostInFlight, ++inFlight);
  response.on('close', () => inFlight--);
  void Promise.resolve(hosts.get(host)?.(request) ?? 404).then((status) => response.writeHead(status).end());
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Names of this file lead to the server above; any other does not exist. */
const resolve: Resolve = (host) =>
  hosts.has(host)
    ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    : Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));

function options(more: Partial<ProbeOptions> = {}): Partial<ProbeOptions> {
  const intervals = { aliveMs: 0, failedMs: 0, deadMs: 0, unclearMs: 0 };
  return {
    egress: { allow: [...hosts.keys()].map((host) => `${host}:${port}`), resolve },
    intervals,
    ...more,
  };
}

/** One round of a node that has just started. */
async function round(more: Partial<ProbeOptions> = {}) {
  asked = [];
  return new WebsiteProbes(service.app.deps, options(more)).round(new AbortController().signal);
}

async function addVenue(
  host: string,
  answer: Answer | undefined,
  path = '/',
  inside = pool,
): Promise<string> {
  if (answer !== undefined) hosts.set(host, answer);
  return addMadeUpPlace(inside, clock, { website: `http://${host}:${port}${path}` });
}

async function beliefOf(placeId: string) {
  const place = await findPlace(pool, placeId);
  assert.ok(place);
  return closureBeliefOf(place);
}

async function probeOf(placeId: string) {
  const [row] = await pool<
    { failures: number; last_result: string | null; last_detail: string | null; next_probe_at: Date }[]
  >`
    select failures, last_result, last_detail, next_probe_at from website_probe where place_id = ${placeId}`;
  return row;
}

/** Every test has the directory to itself, with one venue whose website always answers. */
async function onlyOneHealthyVenue(inside = pool): Promise<string> {
  await inside`delete from place`;
  hosts.clear();
  return addVenue('healthy.venue', () => 200, '/', inside);
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((wake) => setTimeout(wake, 10));
}

test('three failures within 47 hours do not close a venue; at 48 hours it is closed, and an answer reopens it', async () => {
  await onlyOneHealthyVenue();
  let status = 404;
  const id = await addVenue('failing.venue', () => status);
  for (const hours of [0, 23, 24]) {
    clock.advance(hours * HOUR_MS);
    await round();
  }
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [3, 'none']);
  clock.advance(HOUR_MS);
  await round();
  const belief = await beliefOf(id);
  assert.deepEqual([belief.confidence, belief.evidence[0]?.kind], ['believed', 'website_dead']);
  assert.match(
    belief.evidence[0]?.note ?? '',
    /failed 4 checks from 2026-11-14 to 2026-11-16, the last with HTTP 404/,
  );
  assert.equal(belief.evidence[0]?.source_url, `http://failing.venue:${port}/`);
  status = 200;
  clock.advance(HOUR_MS);
  await round();
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [0, 'none']);
});

test('the rule holds with the intervals of the service: closed at the third daily failure', async () => {
  await onlyOneHealthyVenue();
  const id = await addVenue('failing.venue', () => 503);
  const { egress } = options();
  const probes = new WebsiteProbes(service.app.deps, egress === undefined ? {} : { egress });
  const seen: string[] = [];
  for (let hour = 0; hour <= 48; hour += 6) {
    await probes.round(new AbortController().signal);
    const { failures = 0 } = (await probeOf(id)) ?? {};
    seen.push(`${hour}h ${failures} ${(await beliefOf(id)).confidence}`);
    clock.advance(6 * HOUR_MS);
  }
  assert.deepEqual(
    seen.filter((line) => /^(18|24|42|48)h/.test(line)),
    ['18h 1 none', '24h 2 none', '42h 2 none', '48h 3 believed'],
  );
});

test('one answer in between starts the count anew', async () => {
  await onlyOneHealthyVenue();
  let status = 500;
  const id = await addVenue('wavering.venue', () => status);
  for (const next of [500, 500, 301, 500, 500]) {
    status = next;
    await round();
    clock.advance(24 * HOUR_MS);
  }
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [2, 'none']);
});

test('what a website says is alive, failed or unclear; unclear changes no count', async () => {
  await onlyOneHealthyVenue();
  const expected: Record<string, readonly [string, string]> = {};
  for (const status of [200, 204, 301, 302, 308]) expected[`s${status}.venue`] = ['alive', `http_${status}`];
  for (const status of [404, 410, 500, 502, 503]) expected[`s${status}.venue`] = ['failed', `http_${status}`];
  for (const status of [400, 401, 403, 406, 429, 451])
    expected[`s${status}.venue`] = ['unclear', `http_${status}`];
  expected['nameless.venue'] = ['failed', 'dns'];
  expected['hanging.venue'] = ['unclear', 'timeout'];
  expected['inside.venue'] = ['unclear', 'blocked_address'];
  const ids = new Map<string, string>();
  for (const host of Object.keys(expected)) {
    const status = Number(/\d+/.exec(host)?.[0] ?? 0);
    const hang = () => new Promise<number>(() => undefined);
    const answer = host === 'nameless.venue' ? undefined : status === 0 ? hang : () => status;
    ids.set(host, await addVenue(host, answer));
  }
  const refusing = await addMadeUpPlace(pool, clock, { website: 'http://refusing.venue:1/' });
  hosts.set('refusing.venue', () => 200);
  const allow = [...hosts.keys(), 'nameless.venue'].filter((host) => host !== 'inside.venue');
  const egress = { allow: [...allow.map((host) => `${host}:${port}`), 'refusing.venue:1'], resolve };
  await round({ egress, timeoutMs: 500, atOnce: 20 });
  for (const [host, id] of ids) {
    const { last_result, last_detail, failures } = (await probeOf(id)) ?? {};
    assert.deepEqual([last_result, last_detail], expected[host], host);
    assert.equal(failures, last_result === 'failed' ? 1 : 0, host);
  }
  const { last_result, last_detail } = (await probeOf(refusing)) ?? {};
  assert.deepEqual([last_result, last_detail], ['failed', 'refused']);
});

test('the head is asked for first, the page only when that shows nothing, and both say who asks', async () => {
  await onlyOneHealthyVenue();
  const headless = await addVenue('headless.venue', ({ method }) => (method === 'HEAD' ? 405 : 200));
  await round();
  assert.equal((await probeOf(headless))?.last_result, 'alive');
  const of = (host: string) => asked.filter((one) => one.host === host).map(({ method }) => method);
  assert.deepEqual([of('healthy.venue'), of('headless.venue')], [['HEAD'], ['HEAD', 'GET']]);
  for (const { userAgent } of asked) assert.equal(userAgent, `svc-website-check/1.0 (+${BASE_URL})`);
});

test('a failure counts only beside a website that answers, so that a dead line of our own closes nobody', async () => {
  const healthy = await onlyOneHealthyVenue();
  const id = await addVenue('failing.venue', () => 404);
  hosts.set('healthy.venue', () => 404);
  for (let turn = 0; turn < 4; turn++) {
    await round();
    clock.advance(24 * HOUR_MS);
  }
  for (const place of [id, healthy]) {
    assert.deepEqual([(await probeOf(place))?.failures, (await probeOf(place))?.last_result], [0, 'unclear']);
    assert.equal((await beliefOf(place)).confidence, 'none');
  }
  assert.ok(service.logged.some(({ msg }) => String(msg).startsWith('no website answers')));
});

test('a website that answered last time is asked as a witness when nothing else answers', async () => {
  const healthy = await onlyOneHealthyVenue();
  await round();
  const id = await addVenue('failing.venue', () => 404);
  await pool`update website_probe set next_probe_at = ${new Date(clock.now().getTime() + 24 * HOUR_MS)} where place_id = ${healthy}`;
  await round();
  assert.equal((await probeOf(id))?.failures, 1);
  assert.ok(asked.some(({ host }) => host === 'healthy.venue'));
});

test('reserved names, places without a website and places closed for another reason are never asked', async () => {
  await onlyOneHealthyVenue();
  const reserved = [
    'warung.example',
    'warung.test',
    'warung.invalid',
    'www.example.com',
    'warung.example.',
    'app.localhost',
  ];
  for (const host of reserved) await addVenue(host, () => 200);
  await addMadeUpPlace(pool, clock);
  const closed = await addVenue('closed.venue', () => 200);
  await pool`update place set closed_at = now() where id = ${closed}`;
  const closedLater = await addVenue('closed-later.venue', () => 200);
  assert.equal((await round())?.checked, 2);
  await pool`update place set closed_at = now() where id = ${closedLater}`;
  assert.equal((await round())?.checked, 1);
  assert.deepEqual(
    asked.map(({ host }) => host),
    ['healthy.venue'],
  );
  assert.equal(await probeOf(closedLater), undefined);
});

test('a new address of the place starts with a clean sheet', async () => {
  await onlyOneHealthyVenue();
  const id = await addVenue('old.venue', () => 404);
  for (let turn = 0; turn < 2; turn++) {
    await round();
    clock.advance(24 * HOUR_MS);
  }
  hosts.set('new.venue', () => 404);
  await pool`update place set website = ${`http://new.venue:${port}/`} where id = ${id}`;
  await round();
  assert.deepEqual([(await probeOf(id))?.failures, (await beliefOf(id)).confidence], [1, 'none']);
});

test('only so many are asked in a round, only a few at once, and the rest have their turn in the next', async () => {
  await onlyOneHealthyVenue();
  const pause = async () => {
    await new Promise((wake) => setTimeout(wake, 5));
    return 200;
  };
  for (let venue = 1; venue < 10; venue++) await addVenue(`v${venue}.venue`, pause);
  mostInFlight = 0;
  const aliveMs = 24 * HOUR_MS;
  const rounds: (number | undefined)[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const intervals = { aliveMs, failedMs: aliveMs, deadMs: aliveMs, unclearMs: aliveMs };
    rounds.push((await round({ perRound: 4, atOnce: 2, intervals }))?.checked);
  }
  assert.deepEqual(rounds, [4, 4, 2, 0]);
  assert.ok(mostInFlight <= 2, String(mostInFlight));
});

test('one host is asked about one venue in a round, and its others are put off a minute each', async () => {
  await onlyOneHealthyVenue();
  const ids: string[] = [];
  for (const path of ['/a', '/b', '/c'])
    ids.push(await addVenue(path === '/b' ? 'www.chain.venue' : 'chain.venue', () => 200, path));
  const day = 24 * HOUR_MS;
  const intervals = { aliveMs: day, failedMs: day, deadMs: day, unclearMs: day };
  await round({ intervals });
  assert.equal(asked.filter(({ host }) => host.endsWith('chain.venue')).length, 1);
  const waits = await Promise.all(
    ids.map(async (id) => ((await probeOf(id))?.next_probe_at.getTime() ?? 0) - clock.now().getTime()),
  );
  assert.deepEqual(
    waits.sort((a, b) => a - b),
    [60_000, 120_000, day],
  );
  clock.advance(60_000);
  assert.equal((await round({ intervals }))?.checked, 1);
});

test('one node is at it at a time', async () => {
  await onlyOneHealthyVenue();
  const [reached, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<number>()];
  hosts.set('healthy.venue', () => {
    reached.resolve(undefined);
    return release.promise;
  });
  const first = round();
  await reached.promise;
  const other = new WebsiteProbes(service.app.deps, options());
  assert.equal(await other.round(new AbortController().signal), undefined);
  release.resolve(200);
  assert.equal((await first)?.alive, 1);
  assert.equal((await other.round(new AbortController().signal))?.alive, 1, 'then it is free');
});

test('the service probes by itself, and closing it calls off what is under way without a verdict', async () => {
  const id = await onlyOneHealthyVenue();
  const probes = startWebsiteProbes(service.app.deps, { ...options(), everyMs: 10 });
  await until(async () => (await probeOf(id))?.last_result === 'alive');
  const reached = Promise.withResolvers<undefined>();
  hosts.set('healthy.venue', () => {
    reached.resolve(undefined);
    return new Promise<number>(() => undefined);
  });
  await reached.promise;
  await probes.close();
  assert.equal((await probeOf(id))?.last_result, 'alive');
  const [held] = await pool<{ locks: number }[]>`
    select count(*)::int as locks from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`;
  assert.equal(held?.locks, 0);
});

test('while the database is away the failure is logged, and once it is back the work goes on', async () => {
  const lost = await createTestDatabase();
  const name = new URL(lost.url).pathname.slice(1);
  const probes = startWebsiteProbes({ ...service.app.deps, pool: lost.pool }, { ...options(), everyMs: 10 });
  await pool.unsafe(`alter database ${name} allow_connections false`);
  await pool`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  await until(() =>
    service.logged.some(({ msg }) => String(msg).startsWith('websites could not be checked')),
  );
  await pool.unsafe(`alter database ${name} allow_connections true`);
  await onlyOneHealthyVenue(lost.pool);
  await until(
    async () => (await lost.pool`select 1 from website_probe where last_result = 'alive'`).length > 0,
  );
  await probes.close();
  await lost.drop();
});
