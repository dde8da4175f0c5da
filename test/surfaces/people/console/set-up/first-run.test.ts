import assert from 'node:assert/strict';
import { test } from 'node:test';
import { welcome } from '../../../../../src/node/welcome.ts';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  LOOKS,
  screenshot,
} from '../../../../harness/browser/browser.ts';
import { addTestStaff, signInBrowser, signInStaff } from '../../../../harness/people/staff.ts';
import { startTestService } from '../../../../harness/service/service.ts';
import { listSetUpItems } from '../../../../../src/surfaces/people/console/set-up/set-up.ts';

const COMMAND = 'npx waypost import osm extract.osm.pbf --auto-destinations';
const service = await startTestService({ settings: { DEMO: 'off' } });

test('without the demonstration, the first start and the console say how data comes in', async () => {
  const start = welcome(service.app.deps.config, service.app, 'here');
  assert.ok(start.includes(COMMAND));
  assert.match(start, /0 places in 0 destinations,/);
  const lead = await signInStaff(service, 'lead');
  const overview = await (await lead.get('/console')).text();
  assert.match(overview, /Places: not set up/);
  for (const path of ['/console', '/console/review', '/console/audit', '/venue'])
    assert.match(await (await lead.get(path)).text(), /No places yet\..*href="\/console\/set-up"/s, path);
  assert.match(overview, /href="\/console\/set-up"/);
});

test('the console shows what is set up and what is not, and what to do about each', async () => {
  const desk = await signInStaff(service, 'desk');
  const page = await (await desk.get('/console/set-up')).text();
  const states = [...page.matchAll(/<h2>([^<]+) <span class="badge \w+">([^<]+)</g)].map(
    ([, name = '', state = '']) => `${name.trim()}: ${state}`,
  );
  assert.deepEqual(states, [
    'Places: Not set up',
    'Address: Set up',
    'Mail: Not set up',
    'Texts and calls: Not set up',
    'Payments: Not set up',
    'Photo storage: Set up',
  ]);
  for (const name of ['SMTP_URL', 'TWILIO_ACCOUNT', 'STRIPE_SECRET_KEY', COMMAND])
    assert.ok(page.includes(name), name);
});

test('the line of the photo storage says where photos lie, and what a second node needs', () => {
  const { destinations, config } = service.app.deps;
  const line = (change: Partial<typeof config>) => {
    const all = listSetUpItems({ destinations, config: { ...config, ...change } });
    const { now, todo, env = [] } = all.find(({ name }) => name === 'Photo storage') ?? assert.fail();
    return `${now} ${todo ?? ''} ${env.join(' ')}`;
  };
  const own = { dataDir: '/data', photoDir: '/data/photos', databaseUrl: undefined };
  const server = { ...own, databaseUrl: 'postgres://db.example/waypost' };
  assert.match(line(own), /data directory of this machine, beside the database/);
  assert.doesNotMatch(line(own), /PHOTO_DIR/);
  assert.match(
    line(server),
    /data directory of this machine\..*Before you add a second one, name a folder.* PHOTO_DIR=/,
  );
  assert.match(line({ ...server, photoDir: '/mnt/photos' }), /the folder set by PHOTO_DIR/);
});

test('with senders and a payment provider set, only the data is left to do, and no value is told', async () => {
  const whole = await startTestService({
    database: service.database,
    settings: {
      DEMO: 'off',
      SMTP_URL: 'smtp://user:hush-hush@127.0.0.1:2525',
      TWILIO_ACCOUNT: 'AC0',
      TWILIO_TOKEN: 'hush-hush',
      TWILIO_FROM: '+15005550006',
      STRIPE_SECRET_KEY: 'sk_test_hush-hush',
      STRIPE_WEBHOOK_SECRET: 'whsec_hush-hush',
    },
  });
  const lead = await signInStaff(whole, 'lead');
  const page = await (await lead.get('/console/set-up')).text();
  assert.equal(page.match(/>Set up</g)?.length, 5);
  assert.doesNotMatch(page, /hush-hush/);
});

for (const view of LOOKS)
  test(`the first look at an empty installation, ${view.name}`, { skip: noBrowser }, async () => {
    const visit = await openBrowser(service.url, view);
    await signInBrowser(visit.page, service, await addTestStaff(service, 'lead'));
    await assertSoundPage(visit);
    await screenshot(visit.page, `first overview ${view.name}`);
    await visit.page.getByRole('link', { name: 'Set-up', exact: true }).click();
    await visit.page.getByRole('heading', { name: 'Places Not set up' }).waitFor();
    await assertSoundPage(visit);
    await screenshot(visit.page, `set-up ${view.name}`);
  });
