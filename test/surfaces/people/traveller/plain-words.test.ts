import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/core/errors.ts';
import { phoneInGroups } from '../../../../src/core/text/e164.ts';
import type { Facts } from '../../../../src/directory/place/facts.ts';
import { factsSection } from '../../../../src/surfaces/people/traveller/place/facts-section.ts';
import { hoursWords } from '../../../../src/surfaces/people/traveller/place/hours-words.ts';
import { needsNoHours } from '../../../../src/surfaces/people/traveller/place-list.ts';
import { startTestService } from '../../../harness/service/service.ts';

const service = await startTestService({
  demoPlaces: 300,
  mount: (http) => {
    http.get('/over', () => {
      throw new AppError('link_expired', 'This link has been used.');
    });
    http.get('/busy', () => {
      throw new AppError('maintenance', 'The search index is being rebuilt.', { retryAfterSeconds: 5 });
    });
  },
});
const { pool } = service.database;

test('only where guests do not sleep are unknown hours worth a word', () => {
  for (const vertical of ['hotel', 'guesthouse', 'hostel']) {
    assert.ok(needsNoHours({ vertical, hours: null }));
    assert.ok(!needsNoHours({ vertical, hours: { text: 'Mo-Su 15:00-23:00' } }));
  }
  assert.ok(!needsNoHours({ vertical: 'restaurant', hours: null }));
});

test('a telephone number is written in the groups of its country, and one that no country has as it is', () => {
  assert.equal(phoneInGroups('+37798061919'), '+377 98 06 19 19');
  assert.equal(phoneInGroups('+999011079624'), '+999011079624');
});

async function open(path: string): Promise<{ response: Response; text: string }> {
  const response = await service.request(path, { headers: { accept: 'text/html' } });
  return { response, text: await response.text() };
}

test('hours that a map wrote are told in words', () => {
  for (const [written, words] of [
    ['Mo-Fr 09:00-17:00; PH off', 'Monday to Friday 09:00–17:00; public holidays closed'],
    ['24/7', 'every day, all day'],
    ['Sa,Su 10:00+', 'Saturday, Sunday 10:00 or later'],
    ['Jun-Aug: We 10:00-12:00', 'June to August: Wednesday 10:00–12:00'],
    ['Sa[1] 10:00-sunset', 'first Saturday of the month 10:00–sunset'],
    ['Th[-1] sunrise-12:00', 'last Thursday of the month sunrise–12:00'],
    ['"by appointment, call Mo"', '“by appointment, call Mo”'],
    // Texts of people, which are not in the syntax of the map.
    ['We are open every day, Mo to Su', 'We are open every day, Mo to Su'],
    ['10-12, 20% off before noon', '10-12, 20% off before noon'],
  ] as const)
    assert.equal(hoursWords(written), words);
});

test('facts that a map wrote as codes are told in words', () => {
  const told = (facts: Facts) =>
    factsSection(facts, 'OpenStreetMap')
      .toString()
      .replaceAll(/<[^>]*>|\s+/g, ' ');
  assert.match(told({ level: '0', heritage: '2' }), /Floor\s+Ground floor\s.*Heritage\s+Protected\s/);
  assert.match(told({ level: '-1' }), /Floor\s+Basement\s.*Source: OpenStreetMap\./);
  assert.match(told({ level: '12' }), /Floor\s+12\s/);
});

test('a page of a place has no raw hours, and says no name twice', async () => {
  const [place = { id: '' }] = await pool<{ id: string }[]>`
    update place set area = 'Roppongi', city = 'Roppongi', areas = '{Roppongi}', address = '1 Main Street, Roppongi',
      hours = jsonb_build_object('text', 'Mo-Fr 09:00-17:00; PH off', 'compiled', null, 'source', 'map', 'observed_at', '2026-11-01T00:00:00Z')
    where id = (select min(id) from place where closed_at is null) returning id`;
  const { text } = await open(`/p/${place.id}`);
  assert.doesNotMatch(text, /Mo-Fr|PH off/);
  assert.match(text, /Monday to Friday 09:00–17:00; public holidays closed/);
  assert.doesNotMatch(text, /Roppongi, Roppongi/);
});

test('a page for something that is over or not available explains it and links onwards', async () => {
  const over = await open('/over');
  assert.equal(over.response.status, 410);
  assert.match(over.text, /This has expired[^]*This link has been used\.[^]*Ask the sender of the link/);
  const busy = await open('/busy');
  assert.equal(busy.response.status, 503);
  assert.equal(busy.response.headers.get('retry-after'), '5');
  assert.match(busy.text, /is not available at the moment[^]*Wait 5 seconds and open the page again/);
  assert.doesNotMatch(busy.text, /search index|Status 503/);
  const lost = await open('/no-such-page');
  assert.equal(lost.response.status, 404);
  assert.match(lost.text, /Page not found[^]*href="\/support"/);
  assert.doesNotMatch(lost.text.replace(/<footer[^]*/, ''), /API reference is at|Status 404/);
  assert.match(lost.text, /href="\/">All destinations</);
  const astray = await open('/console/nowhere');
  assert.equal(astray.response.status, 404);
  assert.match(astray.text, /href="\/console">Back to the console</);
  assert.doesNotMatch(astray.text, /Search for the destination/);
});
