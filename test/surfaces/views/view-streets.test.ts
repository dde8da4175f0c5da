import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildStreets } from '../../../src/streets/build/build-streets.ts';
import { LOOKS, noBrowser } from '../../harness/browser/browser.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { createTestDatabase } from '../../harness/service/database.ts';
import { until } from '../../harness/service/jobs.ts';
import { CHECKOUT } from '../../harness/service/program.ts';
import { startTestService } from '../../harness/service/service.ts';
import { importAt } from '../../import/import-directory.ts';
import { ViewHost } from './view-host.ts';

const MONACO = `${CHECKOUT}/maps/monaco.osm.pbf`;
const SEARCH = { destination: 'monaco', category: 'restaurant' };

// Frames load streets from where the service says that it is, which must be an address of this machine before it starts.
const front = createServer((request, response) => {
  void service.request(request.url ?? '/').then(async (answer) => {
    const headers = Object.fromEntries(answer.headers);
    delete headers['content-encoding'];
    delete headers['content-length'];
    response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  });
});
await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
const folder = mkdtempSync(join(tmpdir(), 'waypost-view-streets-'));
const database = await createTestDatabase();
after(async () => {
  front.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});
await importAt(database, MONACO, { autoDestinations: true });
await buildStreets({ file: MONACO, folder: join(folder, 'maps'), progress: () => () => undefined });
const service = await startTestService({ database, settings: { DATA_DIR: folder, BASE_URL: baseUrl } });
const { headers } = await addTestPartner(service, { plan: 'platform' });

const DRAWN = "document.querySelectorAll('.streets canvas.leaflet-tile-loaded').length > 0";

/** The colour in the middle of the first tile. */
const COLOUR = `(() => {
  const canvas = document.querySelector('.streets canvas.leaflet-tile-loaded');
  return canvas === null || canvas.width === 0 ? '' : canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, part) => sum + part, 0);
})()`;

for (const view of LOOKS)
  test(
    `search and place show the streets of our own origin on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const host = await ViewHost.open(service, PARTNER_MCP, headers, view);
      const frame = await host.show('search_places', SEARCH);
      await host.until(DRAWN);
      assert.equal(await frame.locator('.cards > li').count(), await frame.locator('.map .pin').count());
      assert.match(await frame.locator('.map-source').innerText(), /OpenStreetMap contributors/);
      const pin = frame.locator('.map .pin').first();
      const number = await pin.getAttribute('data-number');
      await pin.focus();
      await host.page.keyboard.press('Enter');
      await frame.locator(`#place-${number ?? ''}.chosen`).waitFor();
      assert.deepEqual(await host.barriers(), []);
      await host.picture('places with streets');
      const before = await host.inside(COLOUR);
      await host.changeContext({ theme: view.scheme === 'dark' ? 'light' : 'dark' });
      await until('the colours of the other theme', async () => (await host.inside(COLOUR)) !== before);
      await host.changeContext({ theme: view.scheme });
      await frame.locator('.map-source').click();
      await until('the host is asked', () => host.told('link').length > 0);
      assert.deepEqual(host.told('link'), ['https://www.openstreetmap.org/copyright']);

      await frame.getByRole('button', { name: 'Details' }).first().click();
      await frame.locator('.booking-way ~ .streets').waitFor();
      await host.until(DRAWN);
      assert.equal(await frame.locator('.streets .pin').count(), 1);
      assert.deepEqual(await host.barriers(), []);
      await host.picture('place with streets');
      const foreign = host.requested.filter(
        (url) => !url.startsWith(baseUrl) && !url.startsWith('http://127.0.0.1') && !url.startsWith('data:'),
      );
      assert.deepEqual(foreign, []);
      assert.deepEqual(
        host.faults.filter((fault) => !fault.startsWith(`foreign request: ${baseUrl}/`)),
        [],
      );
    },
  );

test('where the host lets a view load nothing, the drawn map stays', { skip: noBrowser }, async () => {
  const [view] = LOOKS;
  assert.ok(view);
  const host = await ViewHost.open(service, PARTNER_MCP, headers, view);
  const frame = await host.show('search_places', SEARCH, { loads: false });
  await until('the host has refused the streets', () =>
    host.faults.some((fault) => fault.includes('/tiles/map.json')),
  );
  await frame.locator('svg.map .pin').first().waitFor();
  assert.equal(await frame.locator('.streets .canvas').count(), 0);
  await frame.getByRole('button', { name: 'Details' }).first().click();
  await frame.locator('.booking-way').waitFor();
  assert.equal(await frame.locator('.streets:visible').count(), 0);
});
