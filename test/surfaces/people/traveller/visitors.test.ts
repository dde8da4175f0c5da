import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { addressGroup, type AddressGroup } from '../../../../src/core/text/address-group.ts';
import { joinMember } from '../../../harness/people/member.ts';
import { until } from '../../../harness/service/jobs.ts';
import { startTestService, USER_AGENT } from '../../../harness/service/service.ts';

const service = await startTestService({ demoPlaces: 300, settings: { TRUSTED_PROXIES: '127.0.0.1' } });
const PAGES_PER_MINUTE = 600;

function open(path: string, address: string, cookie = ''): Promise<Response> {
  const headers = { accept: 'text/html', 'x-forwarded-for': address, ...(cookie !== '' && { cookie }) };
  return service.request(path, { headers, redirect: 'manual' });
}

/** Opens pages from within the service, which counts like a request and costs less. */
async function visitOften(address: string, pages: number): Promise<void> {
  for (let page = 0; page < pages; page++) {
    const leave = await service.app.deps.visitors.enter(addressGroup(address));
    leave();
  }
}

test('too many pages from one network lead to a page that says so; others, and people who are signed in, are not affected', async (t) => {
  // Pages become free again with time, so time stands still here, however slow the machine is.
  const startedAt = performance.now();
  t.mock.method(performance, 'now', () => startedAt);
  const member = await joinMember(service, 'Ayu P.');
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  // Every address of one /64 is the same network.
  const openTwenty = () =>
    Promise.all(Array.from({ length: 20 }, (_, at) => open('/problems/not_found', `2001:db8:1:2::${at}`)));
  const statuses = async () => (await openTwenty()).map(({ status }) => status);
  assert.deepEqual(await statuses(), Array<number>(20).fill(200));
  await visitOften('2001:db8:1:2::1', PAGES_PER_MINUTE - 40);
  assert.deepEqual(await statuses(), Array<number>(20).fill(200), `${PAGES_PER_MINUTE} pages are fine`);
  await assert.rejects(visitOften('2001:db8:1:2::1', 1), { code: 'rate_limited' });
  assert.deepEqual(await statuses(), Array<number>(20).fill(429));
  const first = await open('/problems/not_found', '2001:db8:1:2::1');
  assert.ok(Number(first.headers.get('retry-after')) >= 1);
  assert.match(first.headers.get('content-type') ?? '', /^text\/html/);
  const page = await first.text();
  assert.match(page, /Too many pages were opened from your network/);
  assert.match(page, /Wait .* and open the page again/);
  assert.equal((await open('/', '2001:db8:1:2:ffff::1')).status, 429);
  for (const address of ['2001:db8:1:3::1', '203.0.113.7', '::ffff:203.0.113.8'])
    assert.equal((await open('/', address)).status, 200, address);
  assert.equal((await open('/member', '2001:db8:1:2::1', cookie)).status, 200, 'who is signed in gets in');
  const api = await service.request('/api/agent/destinations', {
    headers: { 'x-forwarded-for': '2001:db8:1:2::1' },
  });
  assert.equal(api.status, 200, 'programs have limits of their own');
});

test('a visitor does not wait behind all the pages that another network asks for at once', async (t) => {
  const { visitors } = service.app.deps;
  const enter = visitors.enter.bind(visitors);
  let servedBefore = 0;
  t.mock.method(visitors, 'enter', (address: AddressGroup) => {
    if (address === addressGroup('203.0.113.22')) servedBefore = order.length;
    return enter(address);
  });
  await (await open('/d/bali', '203.0.113.20')).text();
  const order: string[] = [];
  // Each another page: what is prepared already keeps nobody waiting.
  const visit = async (who: string, address: string, at = 0) => {
    const response = await open(`/d/bali?q=${who}${at}`, address);
    await response.text();
    assert.equal(response.status, 200);
    order.push(who);
  };
  const crowd = Array.from({ length: 60 }, (_, at) => visit('crowd', '203.0.113.21', at));
  await Promise.all([...crowd, visit('visitor', '203.0.113.22')]);
  const overtaken = order.indexOf('visitor') - servedBefore;
  assert.ok(overtaken < 30, `${overtaken} pages of ${order.length} were served after the visitor had asked`);
});

/** So large that fewer of them than may wait for one network fill what lies between the two sides. */
const LARGE_PAGE = '/docs.md';
const UNREAD = 30;

/** Asks for pages on a connection of its own, and reads none of them. */
function askWithoutReading(address: string): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.pause();
  const page = `GET ${LARGE_PAGE} HTTP/1.1\r\nHost: waypost.example\r\nUser-Agent: ${USER_AGENT}\r\nAccept: text/html\r\nX-Forwarded-For: ${address}\r\n\r\n`;
  socket.write(page.repeat(UNREAD));
  return socket;
}

test('a client that requests pages and does not read them delays nobody at the same address, and is cut off', async () => {
  const address = '203.0.113.30';
  const { length } = await (await open(LARGE_PAGE, '203.0.113.31')).text();
  assert.ok(length * UNREAD > 7_000_000, 'more than a connection holds by itself');
  const served: Socket[] = [];
  const keep = (socket: Socket) => served.push(socket);
  service.app.http.server.on('connection', keep);
  const reader = askWithoutReading(address);
  await until('it is connected', () => served.length === 1);
  service.app.http.server.off('connection', keep);
  for (let page = 0; page < 5; page++) assert.equal((await open('/', address)).status, 200);
  // Each page that is made gives it another 15 seconds, so that it was still there, on any machine.
  assert.deepEqual(
    served.map(({ destroyed }) => destroyed),
    [false],
    'nobody waited until it was cut off',
  );
  await until('it is cut off', () => served.every(({ destroyed }) => destroyed));
  reader.destroy();
});
