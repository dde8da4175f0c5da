import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { previewFileOf } from '../../../src/photos/photo-storage.ts';
import { AskingPartner, CONCIERGE_MCP, addVenue } from '../../bookings/asking-partner.ts';
import { noBrowser, LOOKS } from '../../harness/browser/browser.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { startTestService } from '../../harness/service/service.ts';
import { venueSays } from '../../harness/service/venue-answer.ts';
import { makeBuyer } from '../../licensing/buyer.ts';
import { addMadeMember, addMadePhoto } from '../../licensing/made-photo.ts';
import { LONG } from '../../harness/tier.ts';
import { ViewHost } from './view-host.ts';

// Frames load pictures from where the service says that it is, which must be an address of this machine before it starts.
const front = createServer((request, response) => {
  void service.request(request.url ?? '/').then(async (answer) => {
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()));
  });
});
await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
after(() => front.close());
const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

const service = await startTestService({
  demoPlaces: 3000,
  settings: {
    BASE_URL: baseUrl,
    BOOKING_READS_PER_MINUTE: '100000',
    VENUE_OPEN_ASKS: '50',
    TEST_PAYMENTS: 'on',
    RESERVE: 'on',
  },
});
const { pool } = service.database;
const partner = await AskingPartner.add(service);
const { headers } = partner.partner;

const memberId = await addMadeMember(pool, service.clock);
/** Pictures are loaded when somebody scrolls to them; here all at once. */
const EVERY_IMAGE = "[...document.images].every((image) => (image.loading = 'eager', image.complete))";
const BROKEN = '[...document.images].filter((image) => image.naturalWidth === 0).length';
const COLOURS = ['#c9762b', '#2b7bc9', '#4f8f4a'];
for (const colour of COLOURS) {
  const id = await addMadePhoto(pool, service.clock, { memberId });
  const bytes = await sharp({ create: { width: 480, height: 360, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();
  await service.app.deps.photoStorage.put(previewFileOf(id, 480), bytes, 'image/jpeg');
}

async function offeredTable(): Promise<string> {
  const place = await addVenue(service, { name: 'Warung Senja', phone: '+62361234567' });
  const id = await partner.request(place, { notes: 'A quiet table, please.' });
  const { revision } = await partner.untilStatus(id, 'asking');
  await venueSays(service.app.deps, {
    bookingId: id,
    revision,
    answer: 'offer',
    actor: 'venue',
    offer: { time: '20:15', note: 'On the terrace' },
  });
  return id;
}

for (const view of LOOKS)
  test(`each view shows its answer (${view.name})`, { skip: noBrowser }, async () => {
    const places = await ViewHost.open(service, PARTNER_MCP, headers, view);
    let frame = await places.show('search_places', { destination: 'bali', category: 'restaurant' });
    await frame.locator('.cards > li').first().waitFor();
    assert.equal(await frame.locator('.cards > li').count(), await frame.locator('.map .pin').count());
    assert.match(await frame.locator('footer').innerText(), /OpenStreetMap contributors/);
    assert.deepEqual(await places.barriers(), []);
    await places.picture('places');
    frame = await places.show('open_places', { destination: 'bali' });
    const card = await frame.locator('.cards h2').first().innerText();
    await frame.getByRole('button', { name: 'Details' }).first().click();
    await frame.getByRole('heading', { level: 1, name: card }).waitFor();
    assert.deepEqual(await places.barriers(), []);
    await places.picture('place');

    const tables = await ViewHost.open(service, CONCIERGE_MCP, headers, view);
    frame = await tables.show('booking_status', { booking_id: await offeredTable() });
    await frame.getByRole('status').getByText('The venue offers another table').waitFor();
    assert.deepEqual(await tables.barriers(), []);
    await tables.picture('table');
    const place = await addVenue(service, { phone: '+62361234568' });
    const wanted = { place_id: place, date: '2026-11-20', time: '19:30', party_size: 4 };
    frame = await tables.show('check_availability', wanted);
    await frame.getByLabel('Name').waitFor();
    assert.deepEqual(await tables.barriers(), []);
    await tables.picture('reservation');

    const reserve = await ViewHost.open(service, '/api/reserve/mcp', headers, view);
    frame = await reserve.show('restaurant_reservation', { restaurant_id: place });
    await frame.getByLabel('Name').waitFor();
    // It is the form of before, in which nobody found a barrier.
    if (LONG) assert.deepEqual(await reserve.barriers(), []);
    await reserve.picture('reserve');

    const buyer = await makeBuyer(service, 5_000, 'test');
    const bearer = { authorization: `Bearer ${buyer.apiKey}` };
    const photos = await ViewHost.open(service, '/mcp', bearer, view);
    frame = await photos.show('svc_search_photos', { city: 'bali' });
    await frame
      .getByRole('button', { name: /License for/ })
      .first()
      .waitFor();
    await photos.until(EVERY_IMAGE);
    assert.equal(await photos.inside(BROKEN), 0, photos.faults.join());
    assert.deepEqual(await photos.barriers(), []);
    await photos.picture('photos');

    for (const host of [places, tables, reserve, photos]) {
      assert.deepEqual(
        host.faults.filter((fault) => !fault.includes(`foreign request: ${baseUrl}/photos/`)),
        [],
      );
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await host.inside(wide), 0, 'the view is wider than its frame');
    }
  });
