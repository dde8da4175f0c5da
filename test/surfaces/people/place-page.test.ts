import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assertSoundPage,
  noBrowser,
  openBrowser,
  screenshot,
  LOOKS,
  VIEWS,
} from '../../harness/browser/browser.ts';
import { barriersIn } from '../../harness/browser/barriers.ts';
import { LONG } from '../../harness/tier.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const service = await sharedService({ demoPlaces: 3000 });
const { pool } = service.database;
const [phone, , desktop] = VIEWS;
const WEIGHT_MAX = 100_000;
const ACCEPT = { headers: { accept: 'text/html' } };

async function pick(condition: string): Promise<string> {
  const [row] = await pool.unsafe<{ id: string }[]>(
    `select p.id from place p where source = 'demo' and ${condition} order by p.id limit 1`,
  );
  return row?.id ?? assert.fail(`no demonstration place where ${condition}`);
}

const SAMPLES = {
  request: await pick(
    "p.closed_at is null and p.hours->>'source' = 'owner' and booking_method = 'request' and exists (select 1 from menu m where m.place_id = p.id)",
  ),
  'venue page': await pick(`p.closed_at is null and booking_method = 'venue_system'`),
  phone: await pick(
    `p.closed_at is null and booking_method = 'phone' and phone is not null and names ? 'ja'`,
  ),
  'not through': await pick(`p.closed_at is null and booking_method = 'not_through'`),
  call: await pick(
    "p.closed_at is null and vertical = 'restaurant' and booking_method = 'phone' and phone is not null",
  ),
  sight: await pick(
    "p.closed_at is null and vertical = 'attraction' and booking_method = 'phone' and phone is not null",
  ),
  closed: await pick('p.closed_at is not null'),
  bare: await pick(
    'p.closed_at is null and hours is null and phone is null and website is null and about is null',
  ),
};

await pool`
  insert into accolade (place_id, title, year, source_name, source_url)
  values (${SAMPLES.request}, 'Best Kitchen of the Coast', 2025, 'The Coast Guide', 'https://guide.example/2025')
  on conflict do nothing`;

/** Pages with nothing on them that the others lack, so that `npm test` looks for barriers on those alone. */
const LIKE_OTHERS = new Set(['venue page', 'not through', 'call', 'sight', 'bare']);

for (const view of LOOKS) {
  test(
    `every kind of place page is sound, and axe finds nothing on it, on ${view.name}`,
    { skip: noBrowser },
    async () => {
      const visit = await openBrowser(service.url, view);
      for (const [name, id] of Object.entries(SAMPLES)) {
        const response = await visit.page.goto(`${service.url}/p/${id}`);
        assert.equal(response?.status(), 200);
        await assertSoundPage(visit);
        if (LONG || !LIKE_OTHERS.has(name))
          assert.deepEqual(await barriersIn(visit.page), [], visit.page.url());
        await screenshot(visit.page, `place ${name} ${view.name}`);
      }
    },
  );
}

interface LinkedPlace {
  '@type': string;
  name: string;
  url: string;
  telephone?: string;
  geo?: { latitude: number; longitude: number };
  openingHoursSpecification?: { dayOfWeek: string; opens: string; closes: string }[];
  award?: string[];
}

function linkedData(markup: string): LinkedPlace {
  const [, text = assert.fail('no linked data')] =
    /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(markup) ?? [];
  return JSON.parse(text) as LinkedPlace;
}

async function markupOf(id: string): Promise<string> {
  const response = await service.request(`/p/${id}`, ACCEPT);
  assert.equal(response.status, 200);
  return response.text();
}

test('each way of booking is said in words and leads where the venue wants it', async () => {
  /** The booking section of the page, and its button. */
  const bookingOf = async (id: string) => {
    const [section = ''] = /<section[^>]* class="booking[^]*?<\/section>/.exec(await markupOf(id)) ?? [];
    const [button = ''] = /<a [^>]*class="button[^>]*>/.exec(section) ?? [];
    return { text: section.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), button };
  };
  assert.match((await bookingOf(SAMPLES.request)).text, /not a booking until the venue accepts/);
  const [venue] = await pool<{ booking_url: string }[]>`
    select booking_url from place where id = ${SAMPLES['venue page']}`;
  const { text, button } = await bookingOf(SAMPLES['venue page']);
  assert.ok(button.includes(`href="${venue?.booking_url.replaceAll('&', '&amp;') ?? ''}"`), button);
  assert.match(button, /rel="nofollow noopener"/);
  assert.match(text, /Nothing is booked until you finish there/);
  const called = await bookingOf(SAMPLES.call);
  assert.match(called.text, /By telephone: \+\d/);
  assert.equal(called.button, '', 'one action calls: the one in the head of the page');
  for (const id of [SAMPLES.call, SAMPLES.request, SAMPLES.phone]) {
    const [{ phone: number } = { phone: null }] = await pool<{ phone: string | null }[]>`
      select phone from place where id = ${id}`;
    assert.equal((await markupOf(id)).split('href="tel:').length - 1, number === null ? 0 : 1);
  }
  assert.equal((await bookingOf(SAMPLES.sight)).text, '', 'nobody books a sight');
  assert.match((await bookingOf(SAMPLES['not through'])).text, /asked not to be sent bookings through us/);
});

const CLOSED_SOMETIMES = await pick(
  `p.closed_at is null and booking_method = 'request'
    and exists (select 1 from jsonb_array_elements(p.hours->'compiled'->'week') day where day = '[]')`,
);

test(
  'day and time of a table are chosen by chips, with a warning on a day on which the place is closed',
  { skip: noBrowser },
  async () => {
    const visit = await openBrowser(service.url, phone);
    const { page } = visit;
    await page.goto(`${service.url}/p/${CLOSED_SOMETIMES}`);
    const days = page.getByRole('group', { name: 'Day' });
    const [date, time] = [page.locator('[name="date"]'), page.locator('[name="time"]')];
    const open = days.locator('button:not(.closed)').filter({ hasText: /\d|Tomorrow/ });
    const before = await date.inputValue();
    assert.equal(await date.isVisible(), false, 'the chips stand for the fields');
    await open.last().click();
    assert.notEqual(await date.inputValue(), before);
    const times = page.getByRole('group', { name: 'Time' }).getByRole('button');
    const last = (await times.last().innerText()).trim();
    await times.last().click();
    assert.equal(await time.inputValue(), last);
    assert.equal(await page.locator('.chips-note').innerText(), '');
    await days.locator('.closed').first().click();
    assert.match(await page.locator('.chips-note').innerText(), /losed on \w+day/);
    await screenshot(page, 'chips of a closed day phone');
    await assertSoundPage(visit);
    await days.getByRole('button', { name: 'Another day or time' }).click();
    assert.ok((await date.isVisible()) && (await time.isVisible()));
    const map = await page.locator('.place-main > .where').boundingBox();
    const hours = await page.locator('.hours').boundingBox();
    assert.ok(map === null || (hours !== null && map.y < hours.y), 'the map comes before the hours');
    const { page: plain } = await openBrowser(service.url, phone, { script: false });
    await plain.goto(`${service.url}/p/${CLOSED_SOMETIMES}`);
    assert.ok(await plain.locator('[name="date"]').isVisible());
  },
);

/** The page of a venue that takes requests, on a desk, with how many bytes came for it. */
async function openRequest(): Promise<{ page: Page; received: number }> {
  const { page, context } = await openBrowser(service.url, desktop);
  const session = await context.newCDPSession(page);
  let received = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (received += encodedDataLength));
  await session.send('Network.enable');
  await page.goto(`${service.url}/p/${SAMPLES.request}`, { waitUntil: 'networkidle' });
  return { page, received };
}
const requested = noBrowser === false ? await openRequest() : undefined;

test('the week is shown with today marked in the zone of the place', { skip: noBrowser }, async () => {
  const { page } = requested ?? assert.fail();
  assert.equal(await page.locator('.hours tr').count(), 7);
  const [zone] = await pool<{ timezone: string }[]>`
    select d.timezone from place p join destination d on d.id = p.destination_id where p.id = ${SAMPLES.request}`;
  const today = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: zone?.timezone }).format(
    service.clock.now(),
  );
  assert.match(await page.locator('.hours .today').innerText(), new RegExp(`^${today}`));
  const practical = await page.locator('#hours').innerText();
  assert.ok(practical.includes(zone?.timezone ?? ''));
  assert.match(practical, /Verified: stated by the venue/);
});

test(
  'the menu keeps the order of the venue and its prices as written, and an accolade names its source',
  { skip: noBrowser },
  async () => {
    const { page } = requested ?? assert.fail();
    const [menu] = await pool<{ sections: { name: string; items: { name: string; price: string }[] }[] }[]>`
    select sections from menu where place_id = ${SAMPLES.request}`;
    const items = menu?.sections.flatMap((section) => section.items) ?? [];
    assert.ok(items.length > 0);
    assert.deepEqual(
      await page.locator('.dish > bdi:first-child').allInnerTexts(),
      items.map(({ name }) => name),
    );
    assert.deepEqual(
      await page.locator('.dish .number').allInnerTexts(),
      items.map(({ price }) => price),
    );
    const source = page.locator('.accolades a', { hasText: 'The Coast Guide' });
    assert.equal(await source.getAttribute('href'), 'https://guide.example/2025');
  },
);

test('the linked data parses and says what the page says', async () => {
  for (const id of Object.values(SAMPLES)) {
    const markup = await markupOf(id);
    const linked = linkedData(markup);
    const [place] = await pool<{ name: string; phone: string | null; lat: number | null; closed: boolean }[]>`
      select name, phone, lat, closed_at is not null as closed from place where id = ${id}`;
    assert.ok(place);
    assert.equal(linked.name, place.name);
    assert.equal(linked.url, `https://waypost.example/p/${id}`);
    assert.equal(linked.geo?.latitude, place.lat ?? undefined);
    assert.equal(linked.telephone, place.closed ? undefined : (place.phone ?? undefined));
  }
  const markup = await markupOf(SAMPLES.request);
  const { award, openingHoursSpecification = [] } = linkedData(markup);
  assert.ok(award?.includes('Best Kitchen of the Coast 2025'));
  assert.ok(openingHoursSpecification.length > 0);
  for (const { opens, closes } of openingHoursSpecification) assert.ok(markup.includes(`${opens}–${closes}`));
});

test(
  'on every width the name stands above the table, the hours and the map',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, desktop);
    for (const width of [390, 768, 1280])
      for (const id of [SAMPLES.request, SAMPLES.closed]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${service.url}/p/${id}`);
        const topOf = async (selector: string) =>
          (await page.locator(selector).first().boundingBox())?.y ?? assert.fail(selector);
        const name = await topOf('h1');
        // The sections, because on a phone the two columns are one.
        assert.ok(name < (await topOf('.place-main > section')), `main on ${width}`);
        if (width < 1024) assert.ok(name < (await topOf('.place-side > section')), `side on ${width}`);
        if (id === SAMPLES.closed) assert.ok((await topOf('.notice')) < name, `notice on ${width}`);
      }
  },
);

test('a place can be shared: it has a title, a description and one address', async () => {
  const markup = await markupOf(SAMPLES.request);
  assert.match(
    markup,
    new RegExp(`<link rel="canonical" href="https://waypost.example/p/${SAMPLES.request}"`),
  );
  for (const name of ['og:title', 'og:description', 'og:url', 'og:site_name'])
    assert.match(markup, new RegExp(`<meta property="${name}" content="[^"]+"`));
});

test(
  'a closed place is shown with the evidence, and offers no booking, telephone or hours',
  { skip: noBrowser },
  async () => {
    const { page } = await openBrowser(service.url, phone);
    const response = await page.goto(`${service.url}/p/${SAMPLES.closed}`);
    assert.equal(response?.status(), 200);
    assert.match(
      await page.locator('.notice').innerText(),
      /appears to have closed[^]*(?:website is gone|published report|venue itself said)/,
    );
    assert.equal(await page.locator('.booking, .hours, a[href^="tel:"]').count(), 0);
    assert.equal(await page.locator('meta[name=robots][content=noindex]').count(), 1);
  },
);

test('places nearby are listed by distance, and a closed place offers three others, its own kind first', async () => {
  const listOf = async (id: string) => {
    const [list = ''] = /<section[^>]* class="alternatives[^]*?<\/section>/.exec(await markupOf(id)) ?? [];
    const metres = [...list.matchAll(/([\d.]+) (k?m)(?:\)|<)/g)].map(
      ([, far, unit]) => Number(far) * (unit === 'km' ? 1000 : 1),
    );
    return { metres, ids: [...list.matchAll(/data-place="(\w+)"/g)].map(([, place]) => place ?? '') };
  };
  const near = await listOf(SAMPLES.request);
  assert.equal(near.metres.length, near.ids.length);
  assert.deepEqual(
    near.metres,
    near.metres.toSorted((a, b) => a - b),
  );
  const { ids } = await listOf(SAMPLES.closed);
  const [reach] = await pool<{ places: number; category: string }[]>`
    select count(*)::int as places, p.category from place o, place p
    where p.id = ${SAMPLES.closed} and o.id <> p.id and o.closed_at is null and o.vertical = p.vertical
      and 6371000 * 2 * asin(sqrt(sin(radians(o.lat - p.lat) / 2) ^ 2
        + cos(radians(o.lat)) * cos(radians(p.lat)) * sin(radians(o.lng - p.lng) / 2) ^ 2)) < 4950
    group by p.category`;
  assert.ok(ids.length >= Math.min(3, reach?.places ?? 0), `${ids.length} of ${reach?.places ?? 0}`);
  const kinds = await pool<{ own: boolean }[]>`
    select category = ${reach?.category ?? ''} as own from unnest(${ids}::text[]) with ordinality as i (id, at)
    join place using (id) order by at`;
  assert.deepEqual(
    kinds,
    kinds.toSorted((a, b) => Number(b.own) - Number(a.own)),
  );
});

test('a name in another script carries its language, and every name keeps its own direction', async () => {
  const [named] = await pool<{ name: string; names: Record<string, string> }[]>`
    select name, names from place where id = ${SAMPLES.phone}`;
  const [language, text] =
    Object.entries(named?.names ?? {}).find(([, other]) => other !== named?.name) ?? [];
  const markup = await markupOf(SAMPLES.phone);
  assert.match(markup, new RegExp(`<bdi lang="${language ?? ''}" dir="auto"\\s*>${text ?? ''}</bdi`));
});

test('a place that is not there, and hostile text in its address, give a plain page with status 404', async () => {
  for (const id of [
    'plc_00000000000000000000000000',
    '%00',
    encodeURIComponent('<script>alert(1)</script>'),
  ]) {
    const response = await service.request(`/p/${id}`, ACCEPT);
    assert.equal(response.status, 404, id);
    assert.match(await response.text(), /Page not found/);
  }
});

test(
  'hostile text in every field of a place is text, and no address is made of it',
  { skip: noBrowser },
  async () => {
    const hostile = `</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">\u202Egnp`;
    const id = SAMPLES['not through'];
    await pool`
    update place set name = ${hostile}, names = ${pool.json({ [hostile]: `${hostile}2` })}, about = ${hostile},
      address = ${hostile}, area = ${hostile}, price_range = ${hostile}, cuisine = ${[hostile]}, languages = ${[hostile]},
      price_line = ${pool.json({ text: hostile, read_at: hostile, source_url: 'javascript:document.title="owned"' })}
    where id = ${id}`;
    const visit = await openBrowser(service.url, desktop);
    await visit.page.goto(`${service.url}/p/${id}`);
    await assertSoundPage(visit);
    assert.ok((await visit.page.locator('h1').innerText()).startsWith('</script><script>'));
    assert.doesNotMatch(await visit.page.title(), /^owned/);
    assert.equal(await visit.page.locator('a[href^="javascript:"]').count(), 0);
    assert.equal(linkedData(await markupOf(id)).name, hostile);
  },
);

test('the page of a place with all that it loads stays below 100 kB', { skip: noBrowser }, () => {
  const { received } = requested ?? assert.fail();
  assert.ok(received > 20_000 && received < WEIGHT_MAX, `${received} bytes`);
});
