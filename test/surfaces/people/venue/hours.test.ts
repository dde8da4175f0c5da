import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addVenue } from '../../../bookings/asking-partner.ts';
import { signInVenue } from '../../../harness/people/venue.ts';
import { startTestService } from '../../../harness/service/service.ts';

const service = await startTestService({ settings: { BASE_URL: 'http://localhost:3000' } });
const placeId = await addVenue(service, { email: 'hours@venue.example' });
const venue = await signInVenue(service, placeId);

const PATH = '/venue/hours';
const CLOSED = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, 'closed']),
);

async function save(fields: Readonly<Record<string, string>>): Promise<void> {
  const answer = await venue.post(PATH, fields, PATH);
  assert.equal(answer.headers.get('location'), '/venue?done=hours', await answer.text());
}

async function storedText(): Promise<string | undefined> {
  const [place] = await service.database.pool<{ text: string }[]>`
    select hours ->> 'text' as text from place where id = ${placeId}`;
  return place?.text;
}

/** Returns the value of every field of the form, as a browser without scripts would send them. */
async function shownFields(): Promise<Record<string, string>> {
  const page = await (await venue.get(PATH)).text();
  const selects = [...page.matchAll(/<select\s+id="(\w+)"[^]*?<\/select>/g)].map(([select, name = '']) => [
    name,
    /<option value="(\w*)"\s+selected/.exec(select)?.[1] ?? '',
  ]);
  const times = [...page.matchAll(/name="([\w-]+)" type="time" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  return Object.fromEntries([...selects, ...times].filter(([name]) => name !== 'language')) as Record<
    string,
    string
  >;
}

test('rows of times are saved, past midnight and around the clock too, and are shown as they were', async () => {
  const rows = {
    ...CLOSED,
    mon: 'open',
    'mon-from': '11:00',
    'mon-to': '15:00',
    'mon-from2': '18:00',
    'mon-to2': '02:00',
    sat: 'always',
    sun: 'open',
    'sun-from': '17:00',
    'sun-to': '00:00',
    holidays: 'closed',
  };
  await save(rows);
  assert.equal(await storedText(), 'Mo 11:00-15:00,18:00-02:00, Sa 00:00-24:00, Su 17:00-00:00; PH off');
  const shown = await shownFields();
  assert.deepEqual({ ...shown, ...rows }, shown);
  assert.equal(shown['tue-from'], '');
  await save(shown);
  assert.equal(await storedText(), 'Mo 11:00-15:00,18:00-02:00, Sa 00:00-24:00, Su 17:00-00:00; PH off');
});

test('a day that is neither closed nor has both times is refused at its row, and nothing is saved', async () => {
  const before = await storedText();
  for (const [fields, day] of [
    [{ ...CLOSED, wed: 'open' }, 'wed'],
    [{ ...CLOSED, wed: 'open', 'wed-from': '11:00' }, 'wed'],
    [{ ...CLOSED, wed: 'open', 'wed-from': '11:00', 'wed-to': '12:00', 'wed-to2': '20:00' }, 'wed'],
    [{ ...CLOSED, wed: 'open', 'wed-from': 'noon', 'wed-to': 'late' }, 'wed'],
    [{ ...CLOSED, wed: 'sometimes' }, 'wed'],
    [{ ...CLOSED, holidays: 'open' }, 'holidays'],
  ] as const) {
    const refused = await venue.post(PATH, fields, PATH);
    assert.equal(refused.status, 422, day);
    assert.match(await refused.text(), new RegExp(`id="${day}-fault">Give both times, or choose “Closed”`));
  }
  assert.equal(await storedText(), before);
});

test('Monday is copied to the week without saving it, also without scripts', async () => {
  const before = await storedText();
  const copied = await venue.post(
    PATH,
    { ...CLOSED, mon: 'open', 'mon-from': '10:00', 'mon-to': '20:30', do: 'copy' },
    PATH,
  );
  assert.equal(copied.status, 200);
  const page = await copied.text();
  assert.match(page, /name="sun-to" type="time" value="20:30"/);
  assert.equal(await storedText(), before);
});

test('hours that rows cannot show are entered as text, and shown as text', async () => {
  const seasons = 'Mo-Su 10:00-18:00; Dec 25 off';
  await save({ as: 'text', text: seasons });
  assert.equal(await storedText(), seasons);
  const page = await (await venue.get(PATH)).text();
  assert.match(page, new RegExp(`<textarea[^>]*name="text"[^>]*>\\s*${seasons}`));
  await save({ as: 'text', text: 'Mo 08:00-10:00,12:00-14:00,18:00-22:00' });
  assert.match(await (await venue.get(PATH)).text(), /<textarea/);
  const rows = await (await venue.get(`${PATH}?as=rows`)).text();
  assert.match(rows, /name="mon-from" type="time"/);
  const refused = await venue.post(PATH, { as: 'text', text: 'whenever we like' }, PATH);
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /This could not be read/);
});
