import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { addVenue, AskingPartner, linkInOutbox, nonceOf, tap } from '../../bookings/asking-partner.ts';
import { noBrowser, openBrowser, VIEWS } from '../../harness/browser/browser.ts';
import { joinMember } from '../../harness/people/member.ts';
import { addTestStaff, signInBrowser, signInStaff, type FormClient } from '../../harness/people/staff.ts';
import { signInVenue } from '../../harness/people/venue.ts';
import { PATIENCE_MS } from '../../harness/patience.ts';
import { until } from '../../harness/service/jobs.ts';
import { openTestService, startTestService } from '../../harness/service/service.ts';

const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000' } });
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const DESK_VIEW = VIEWS[2];

/** The stream of a page, as a browser opens it. */
async function openStream(client: FormClient, path: string) {
  const response = await client.get(`${path}?since=${Date.now() + 60_000}`, { accept: 'text/event-stream' });
  assert.equal(response.status, 200, await (response.status === 200 ? '' : response.text()));
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const reader = (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => {
    const late = delay(PATIENCE_MS, undefined, { ref: false }).then(() => assert.fail(`${path} is silent`));
    return (await Promise.race([reader.read(), late])).value;
  };
  assert.equal(await read(), 'retry: 3000\n\n');
  return { read, cancel: () => reader.cancel() };
}

function venue(name: string): Promise<string> {
  return addVenue(service, { name, phone: '+6281234567890', gather: 0 });
}

describe('the stream of a page', () => {
  test('tells a venue of its own requests, and of no others', async () => {
    const [own, other] = [await venue('Warung Kiri'), await venue('Warung Kanan')];
    const stream = await openStream(await signInVenue(service, own), '/venue/tables');
    const events: string[] = [];
    await partner.request(other);
    const first = stream.read().then((text) => events.push(String(text)));
    // Their notifications arrive in this order.
    const { eventStreams } = service.app.deps;
    assert.ok(eventStreams.size > 0);
    assert.deepEqual(events, []);
    await partner.request(own);
    await first;
    assert.deepEqual(events, ['data: changed\n\n']);
    await stream.cancel();
    await until('the stream is gone', () => eventStreams.size === 0);
  });

  test('is refused to those who may not see the page, and does not exist for other pages', async () => {
    const reviewer = await signInStaff(service, 'reviewer');
    const asStream = { accept: 'text/event-stream' };
    const nobody = await service.request('/console/desk', { headers: asStream });
    assert.equal(nobody.status, 401);
    assert.equal((await service.request('/v/nobody', { headers: asStream })).status, 404);
    const member = await joinMember(service);
    assert.equal((await member.get('/venue/tables', asStream)).status, 401);
    const page = await reviewer.get('/console/audit', asStream);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  });

  test('ends with the session', async () => {
    const staff = await signInStaff(service, 'desk');
    const stream = await openStream(staff, '/console/bookings');
    await staff.post('/console/sign-out', {}, '/console');
    await partner.request(await venue('Warung Malam'));
    assert.equal(await stream.read(), undefined);
  });

  test('a person has 30 streams at most', async () => {
    const staff = await signInStaff(service, 'desk');
    const streams = [];
    for (let i = 0; i < 30; i++) streams.push(await openStream(staff, '/console/desk'));
    const refused = await staff.get('/console/desk', { accept: 'text/event-stream' });
    assert.equal(refused.status, 429);
    for (const stream of streams) await stream.cancel();
  });

  test('a change between reading a page and opening its stream is told at once', async () => {
    const staff = await signInStaff(service, 'desk');
    const since = Date.now();
    const id = await partner.request(await venue('Warung Cepat'));
    const stream = await staff.get(`/console/bookings/${id}?since=${since}`, { accept: 'text/event-stream' });
    const reader = (stream.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('changed')) text += (await reader.read()).value ?? assert.fail('it has ended');
    await reader.cancel();
  });

  test('all streams of a node use its one listening connection and do not delay its end', async () => {
    const node = await openTestService({ database: service.database });
    const before = await listeners();
    const staff = await signInStaff(node, 'desk');
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(staff, '/console/desk')));
    assert.deepEqual(await listeners(), before);
    await node.close();
    for (const { read } of streams) assert.equal(await read(), undefined);
  });

  test('the time for which a stream was open is no response time', async () => {
    const staff = await signInStaff(service, 'desk');
    const stream = await openStream(staff, '/console/desk/tables');
    await stream.cancel();
    await until('the stream is gone', () => service.app.deps.eventStreams.size === 0);
    assert.doesNotMatch(await (await service.request('/metrics')).text(), /route="\/console\/desk\/tables"/);
  });
});

async function listeners(): Promise<number> {
  const [row] = await pool<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = 'waypost listener'`;
  return row?.count ?? 0;
}

describe('in a browser', { skip: noBrowser }, () => {
  test('a new booking appears in the console, and what somebody writes stays', async () => {
    const { page, faults } = await openBrowser(service.url, DESK_VIEW);
    await signInBrowser(page, service, await addTestStaff(service, 'desk'));
    await page.goto(`${service.url}/console/bookings`);
    await page.getByLabel('Venue (name or id)').fill('half a na');
    const before = await page.locator('[data-row]').first().elementHandle();
    await partner.request(await venue('Warung Baru'));
    await page.getByRole('link', { name: 'Warung Baru' }).waitFor();
    assert.equal(await page.getByLabel('Venue (name or id)').inputValue(), 'half a na');
    assert.equal(await page.evaluate('document.activeElement.name'), 'venue');
    assert.ok(await before.isVisible(), 'the rows before were drawn again');
    assert.deepEqual(faults, []);
  });

  test('the tap page shows that the request was answered elsewhere', async () => {
    const placeId = await venue('Warung Tap');
    const id = await partner.request(placeId);
    const link = await linkInOutbox(service, id);
    const { page, faults } = await openBrowser(service.url, VIEWS[0]);
    await page.goto(service.url + link);
    await page.getByRole('heading', { name: 'Do you have this table?' }).waitFor();
    await tap(service, link, { answer: 'yes', nonce: await nonceOf(service, link) });
    await page.getByRole('heading', { name: 'the table is booked' }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('a member sees the answer of the venue, on each page that shows the table', async () => {
    const placeId = await venue('Warung Rindu');
    const member = await joinMember(service);
    const table = { date: '2026-11-20', time: '19:30', party_size: '2', notes: '' };
    await member.post(`/p/${placeId}/table`, table, `/p/${placeId}`);
    const [row] = await pool<{ id: string }[]>`select id from booking where place_id = ${placeId}`;
    const link = await linkInOutbox(service, row?.id ?? '');
    const { page, context } = await openBrowser(service.url, VIEWS[0]);
    const url = service.url.replace('http:', 'https:');
    await context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url })));
    const [placePage, listPage] = [await context.newPage(), await context.newPage()];
    await page.goto(`${service.url}/member/tables/${row?.id}`);
    await placePage.goto(`${service.url}/p/${placeId}`);
    await listPage.goto(`${service.url}/member/tables`);
    for (const shown of [page, placePage, listPage])
      await shown.getByText('Asked', { exact: true }).waitFor();
    await tap(service, link, { answer: 'yes', nonce: await nonceOf(service, link) });
    for (const shown of [page, placePage, listPage])
      await shown.getByText('The venue has said yes.').waitFor();
  });

  test('when the stream is interrupted, the page is read again', async () => {
    const { page } = await openBrowser(service.url, DESK_VIEW);
    await page.clock.install();
    await signInBrowser(page, service, await addTestStaff(service, 'desk'));
    await page.goto(`${service.url}/console/bookings`);
    const { eventStreams } = service.app.deps;
    await until('the stream is open', () => eventStreams.size > 0);
    await page.route('**/console/bookings?since=*', (route) => route.abort());
    service.app.http.server.closeAllConnections();
    await partner.request(await venue('Warung Ulang'));
    await page.clock.runFor(60_000);
    await page.getByRole('link', { name: 'Warung Ulang' }).waitFor();
  });
});
