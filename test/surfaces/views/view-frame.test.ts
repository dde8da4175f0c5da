import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { CONCIERGE_MCP, AskingPartner, addVenue } from '../../bookings/asking-partner.ts';
import { noBrowser, VIEWS } from '../../harness/browser/browser.ts';
import { modernRpc, rpc } from '../../harness/clients/mcp.ts';
import { PARTNER_MCP } from '../../harness/people/partner.ts';
import { until } from '../../harness/service/jobs.ts';
import { BASE_URL, signUpAgent, startTestService } from '../../harness/service/service.ts';
import { addMadePhoto } from '../../licensing/made-photo.ts';
import { LONG } from '../../harness/tier.ts';
import { bundleViews } from '../../../src/surfaces/views/make-bundle.ts';
import { ViewHost } from './view-host.ts';

interface Listed {
  name: string;
  _meta?: { ui?: { resourceUri: string } };
}

interface Content {
  uri: string;
  mimeType: string;
  text: string;
  _meta: { ui: { csp: { resourceDomains: string[]; connectDomains: string[] } } };
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
/** Most of it is the official bridge. Some hosts refuse more than 1 MiB. */
const VIEW_MAX_BYTES = 480 * 1024;
const RESERVE_MCP = '/api/reserve/mcp';
const service = await startTestService({ demoPlaces: 3000, settings: { RESERVE: 'on' } });
const partner = await AskingPartner.add(service);
const { headers } = partner.partner;
const [view] = VIEWS;
const SEARCH = { destination: 'bali' };

test('the committed bundle is that of the sources', async () => {
  const bundle = await readFile(new URL('../../../src/surfaces/views/bundle.js', import.meta.url), 'utf8');
  assert.ok(bundle === (await bundleViews()), 'run `npm run views` and commit the result');
});

for (const [path, views] of [
  ['/mcp', ['place', 'places', 'photos']],
  [PARTNER_MCP, ['place', 'places']],
  [CONCIERGE_MCP, ['restaurant-reservation', 'table']],
] as const)
  test(`${path} serves the views of its tools in both eras, and each declares what it loads`, async () => {
    const eras = {
      legacy: async (method: string, params: object = {}) =>
        (await rpc(service, path, { id: 1, method, params })).body.result ?? {},
      modern: async (method: string, params: Record<string, unknown> = {}) =>
        (await modernRpc(service, path, method, params, nameOf(params))).body.result ?? {},
    };
    const nameOf = ({ uri }: Record<string, unknown>) => (typeof uri === 'string' ? { 'mcp-name': uri } : {});
    for (const ask of Object.values(eras)) {
      const tools = (await ask('tools/list'))['tools'] as Listed[];
      const linked = new Set(tools.flatMap(({ _meta }) => _meta?.ui?.resourceUri ?? []));
      const listed = (await ask('resources/list'))['resources'] as { uri: string }[];
      const uris = listed.map(({ uri }) => uri);
      for (const uri of linked) assert.ok(uris.includes(uri), uri);
      assert.deepEqual([...linked].sort(), views.map((name) => `ui://widget/${name}.html`).sort());
      for (const uri of linked) {
        const [content] = (await ask('resources/read', { uri }))['contents'] as [Content];
        assert.equal(content.mimeType, 'text/html;profile=mcp-app');
        assert.ok(Buffer.byteLength(content.text) <= VIEW_MAX_BYTES, `${uri} is small`);
        const { resourceDomains, connectDomains } = content._meta.ui.csp;
        assert.ok(resourceDomains.every((origin) => origin === BASE_URL));
        assert.deepEqual(connectDomains, /place/.test(uri) ? [BASE_URL] : []);
      }
    }
    const client = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const { capabilities } = await eras.legacy('initialize', client);
    const discovered = (await eras.modern('server/discover'))['capabilities'];
    for (const told of [capabilities, discovered] as { extensions: Record<string, unknown> }[])
      assert.deepEqual(told.extensions['io.modelcontextprotocol/ui'], {
        mimeTypes: ['text/html;profile=mcp-app'],
      });
  });

test(
  'a view follows the theme, the styles, the language and the safe area of its host',
  { skip: noBrowser },
  async () => {
    const host = await ViewHost.open(service, PARTNER_MCP, headers, view);
    const frame = await host.show('search_places', SEARCH);
    const style = (name: string) => host.inside(`getComputedStyle(document.body).${name}`);
    await frame.locator('.cards > li').first().waitFor();
    const light = await style('backgroundColor');
    await host.changeContext({ theme: 'dark' });
    await host.until('document.documentElement.dataset.theme === "dark"');
    assert.notEqual(await style('backgroundColor'), light);
    const variables = { '--color-background-primary': 'rgb(1, 2, 3)', '--font-sans': 'serif' };
    await host.changeContext({
      styles: { variables },
      safeAreaInsets: { top: 40, right: 0, bottom: 0, left: 0 },
    });
    await until('the colour of the host', async () => (await style('backgroundColor')) === 'rgb(1, 2, 3)');
    assert.deepEqual([await style('fontFamily'), await style('paddingTop')], ['serif', '56px']);
    for (const [locale, words] of [
      ['de-AT', 'Nichts ist gebucht, bis das Lokal zusagt.'],
      ['fr-FR', 'Rien n’est réservé tant que l’établissement n’a pas accepté.'],
      ['es', 'Nada está reservado hasta que el local lo confirme.'],
      ['ja-JP', 'お店が承諾するまで、予約は成立しません。'],
      ['sw-KE', 'Nothing is booked until the venue says so.'],
    ] as const) {
      await host.changeContext({ locale });
      await frame.getByText(words).waitFor();
    }
    assert.equal(await host.inside('document.documentElement.lang'), 'en');
  },
);

test('a view tells its size as it grows, and changes how it is displayed', { skip: noBrowser }, async () => {
  const host = await ViewHost.open(service, PARTNER_MCP, headers, VIEWS[2]);
  const frame = await host.show('search_places', SEARCH);
  const height = () => Number(host.told('size').at(-1));
  const grown = 'Math.ceil(document.documentElement.getBoundingClientRect().height)';
  await frame.locator('.cards > li').nth(5).waitFor();
  await until('the first size', async () => height() === (await host.inside(grown)));
  const before = height();
  await frame.getByRole('button', { name: 'Show more' }).click();
  await frame.locator('.cards > li').nth(11).waitFor();
  await until('a larger size', () => height() > before);
  await frame.getByRole('button', { name: 'Full screen' }).click();
  await host.until('document.documentElement.dataset.mode === "fullscreen"');
  assert.deepEqual(host.told('mode'), ['fullscreen']);
  await frame.locator('.cards > li').nth(19).waitFor();
  await frame.getByRole('button', { name: 'Show more' }).click();
  await frame.locator('.cards > li').nth(20).waitFor();
  assert.equal(host.called.at(-1)?.name, 'search_places', 'the next page came through the host');
  await host.page.evaluate('teardown()');
});

test(
  'an answer that was made for a model alone gets its map from a second call',
  { skip: noBrowser },
  async () => {
    const host = await ViewHost.open(service, PARTNER_MCP, headers, view);
    const brief = ({ places, ...rest }: Record<string, unknown>) => ({
      ...rest,
      places: (places as Record<string, unknown>[]).map(({ place_id, name, category }) => ({
        place_id,
        name,
        category,
      })),
    });
    const frame = await host.show('search_places', SEARCH, { answer: brief });
    await frame.locator('.map .pin').first().waitFor();
    const [call] = host.called;
    assert.equal(call?.name, 'search_places');
    assert.ok((call.arguments?.['fields'] as string[]).includes('lat'));
  },
);

test(
  'where a search costs a read, the view makes none until somebody wants the map',
  { skip: noBrowser },
  async () => {
    const { apiKey } = await signUpAgent(service);
    const host = await ViewHost.open(service, '/mcp', { authorization: `Bearer ${apiKey}` }, view);
    const frame = await host.show('svc_search_places', { city: 'bali' });
    await frame.locator('.cards > li').first().waitFor();
    assert.equal(await frame.locator('.map').count(), 0);
    assert.deepEqual(host.called, []);
    await frame.getByRole('button', { name: 'Show map' }).click();
    await frame.locator('.map .pin').first().waitFor();
    assert.deepEqual(
      host.called.map(({ name }) => name),
      ['svc_search_places'],
    );
    assert.equal(await frame.getByRole('button', { name: 'Show map' }).count(), 0);
  },
);

test('a view cannot load an origin that it did not declare', { skip: noBrowser }, async () => {
  const place = await addVenue(service, { phone: '+62361230009' });
  const wanted = { place_id: place, date: '2026-11-20', time: '19:30', party_size: 4 };
  await addMadePhoto(service.database.pool, service.clock);
  const { apiKey } = await signUpAgent(service);
  const shown = [
    ['/mcp', 'svc_search_photos', {}],
    [RESERVE_MCP, 'restaurant_reservation', { restaurant_id: place }],
    [PARTNER_MCP, 'search_places', SEARCH],
    [PARTNER_MCP, 'place_details', { place_id: place }],
    [CONCIERGE_MCP, 'check_availability', wanted],
    [CONCIERGE_MCP, 'booking_status', {}],
  ] as const;
  for (const [path, tool, input] of LONG ? shown : shown.slice(0, 2)) {
    const own = path === '/mcp' ? { authorization: `Bearer ${apiKey}` } : headers;
    const host = await ViewHost.open(service, path, own, view);
    const frame = await host.show(tool, input);
    await frame.locator('main > *').first().waitFor();
    // Previews come from the address of the service, which is declared and not on this machine.
    const refused = host.faults.filter(
      (fault) => path !== '/mcp' || fault.includes('Content Security Policy'),
    );
    assert.equal(refused.join(), '', `${tool}: nothing was refused by itself`);
    // Somebody is there and would answer anyone: only the policy is in the way.
    await host.page
      .context()
      .route('https://undeclared.example/**', (route) =>
        route.fulfill({
          contentType: 'image/svg+xml',
          headers: { 'access-control-allow-origin': '*' },
          body: SVG,
        }),
      );
    const tries = `Promise.all([
      fetch('https://undeclared.example/a').then(() => 'loaded', () => 'refused'),
      new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('refused');
        image.src = 'https://undeclared.example/b.svg';
      }),
    ])`;
    assert.deepEqual(await host.inside(tries), ['refused', 'refused']);
    assert.ok(host.faults.some((fault) => fault.includes('Content Security Policy')));
    assert.deepEqual(await host.page.evaluate(tries), ['loaded', 'loaded'], 'outside of the frame they load');
  }
});
