import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedService } from '../harness/service/shared-service.ts';
import { business, SubmittingAgent } from '../harness/people/submissions.ts';

const service = await sharedService();
const agent = await SubmittingAgent.signUp(service);
const { pool } = service.database;

const HOSTILE = `Robert'); DROP TABLE submission;-- <script>alert(1)</script> \${7*7} {{7*7}} "'\` 🦜`;
const LONG = 'x'.repeat(5_000);

async function faultsOf(path: string, body: unknown): Promise<[string, string][]> {
  const answer = await agent.post(path, body);
  assert.equal(answer.status, 422, JSON.stringify(answer.body));
  assert.equal(answer.body.code, 'validation_failed');
  return (answer.body.errors ?? []).map(({ pointer, code }) => [pointer, code]);
}

async function countRevisions(): Promise<number> {
  const [row] = await pool<{ count: number }[]>`select count(*)::int as count from submission_revision`;
  return row?.count ?? 0;
}

const BUSINESS_FAULTS: [title: string, change: Record<string, unknown>, pointer: string, code: string][] = [
  ['no relationship', { relationship: undefined }, '/relationship', 'required'],
  ['an unknown relationship', { relationship: 'friend' }, '/relationship', 'not_in_enum'],
  ['no name', { name: undefined }, '/name', 'required'],
  ['a name of one letter', { name: 'x' }, '/name', 'too_short'],
  ['a name that is too long', { name: 'x'.repeat(161) }, '/name', 'too_long'],
  ['a name that is null', { name: null }, '/name', 'required'],
  ['a name with a NUL', { name: 'a\u0000b' }, '/name', 'bad_format'],
  ['a name with half a character', { name: 'ab\ud800' }, '/name', 'bad_format'],
  ['no country', { country: undefined }, '/country', 'required'],
  ['an unknown country', { country: 'Atlantis' }, '/country', 'unknown_country'],
  ['a country that two have', { country: 'Congo' }, '/country', 'unknown_country'],
  ['no city', { city: undefined }, '/city', 'required'],
  ['an empty city', { city: ' ' }, '/city', 'required'],
  ['a city that is too long', { city: 'x'.repeat(121) }, '/city', 'too_long'],
  ['an unknown vertical', { vertical: 'beach' }, '/vertical', 'not_in_enum'],
  ['an address that is too long', { address: 'x'.repeat(301) }, '/address', 'too_long'],
  ['a phone without its country', { phone: '0361 123456' }, '/phone', 'phone_not_e164'],
  ['a phone that is a number', { phone: 62361123456 }, '/phone', 'wrong_type'],
  ['a phone of words', { phone: 'call us' }, '/phone', 'phone_not_e164'],
  ['an email without its host', { email: 'owner@' }, '/email', 'bad_format'],
  ['an email with a NUL', { email: 'a\u0000@x.example' }, '/email', 'bad_format'],
  ['a website of another scheme', { website: 'javascript:alert(1)' }, '/website', 'bad_format'],
  ['a description that is too long', { description: 'x'.repeat(2_001) }, '/description', 'too_long'],
  ['a description that is a list', { description: ['x'] }, '/description', 'wrong_type'],
  ['languages that are a number', { languages: 7 }, '/languages', 'wrong_type'],
  ['a language that is none', { languages: ['en', 'not a language'] }, '/languages/1', 'bad_format'],
  ['too many languages', { languages: Array.from({ length: 21 }, () => 'en') }, '/languages', 'too_long'],
  ['a price range that is too long', { price_range: 'x'.repeat(41) }, '/price_range', 'too_long'],
  ['an unknown day', { hours: { someday: '9:00-17:00' } }, '/hours/someday', 'bad_hours'],
  ['a day with a slash in its name', { hours: { 'mon/tue': '9:00-17:00' } }, '/hours/mon~1tue', 'bad_hours'],
  ['hours of a day that say nothing', { hours: { mon: 'sometimes' } }, '/hours/mon', 'bad_hours'],
  ['hours without any day', { hours: {} }, '/hours', 'bad_hours'],
  ['hours that are a number', { hours: 9 }, '/hours', 'bad_hours'],
  ['hours that are too long', { hours: LONG }, '/hours', 'bad_hours'],
  ['a latitude off the globe', { lat: 91, lng: 0 }, '/lat', 'out_of_range'],
  ['a latitude of words', { lat: 'eight', lng: 115 }, '/lat', 'wrong_type'],
  ['a longitude alone', { lng: 115 }, '/lat', 'required'],
  ['a claim without a source', { claims: [{ text: 'Best of 2025' }] }, '/claims/0/source_url', 'required'],
  ['a reference with a space', { external_ref: 'a b' }, '/external_ref', 'bad_format'],
  ['a reference that is too long', { external_ref: 'x'.repeat(129) }, '/external_ref', 'too_long'],
  ['a callback that is no address', { callback_url: 'agent' }, '/callback_url', 'bad_format'],
  ['a callback without https', { callback_url: 'http://agent.example/x' }, '/callback_url', 'url_refused'],
  ['a callback to this machine', { callback_url: 'https://127.0.0.1/x' }, '/callback_url', 'url_refused'],
  [
    'a callback to a machine inside',
    { callback_url: 'https://169.254.169.254/' },
    '/callback_url',
    'url_refused',
  ],
  ['a dry run that is a text', { dry_run: 'yes' }, '/dry_run', 'wrong_type'],
];

for (const [title, change, pointer, code] of BUSINESS_FAULTS) {
  test(`a business with ${title} is refused at ${pointer}, and nothing is stored`, async () => {
    const before = await countRevisions();
    assert.deepEqual(await faultsOf('/api/agent/business', business(change)), [[pointer, code]]);
    assert.equal(await countRevisions(), before);
  });
}

test('all faults of a business are named at once', async () => {
  const faults = await faultsOf('/api/agent/business', business({ phone: '1', email: 'x', name: 'y' }));
  assert.deepEqual(faults.map(([pointer]) => pointer).sort(), ['/email', '/name', '/phone']);
});

test('text that would hurt elsewhere is stored as it is and told as it is', async () => {
  const hostile = { name: HOSTILE, city: HOSTILE.slice(0, 100), address: HOSTILE, description: HOSTILE };
  const { id } = await agent.business({ ...hostile, price_range: "'; --", languages: ['en'] });
  assert.equal((await agent.standing(id))['name'], HOSTILE);
  const [row] = await pool<{ content: Record<string, string> }[]>`
    select content from submission_revision where submission_id = ${id}`;
  assert.equal(row?.content['description'], HOSTILE);
});

test('an empty text stands for a field that is not known', async () => {
  const empty = {
    address: '',
    phone: '',
    email: '',
    website: '',
    description: '',
    hours: '',
    callback_url: '',
  };
  const { id } = await agent.business({ ...empty, external_ref: '' });
  const [row] = await pool<{ content: Record<string, unknown> }[]>`
    select content from submission_revision where submission_id = ${id}`;
  for (const field of Object.keys(empty)) assert.equal(row?.content[field], null, field);
});

test('countries are taken by code and by name, phones and languages in their plain form', async () => {
  const { id } = await agent.business({
    country: 'indonesia',
    phone: '+62 (361) 123-456',
    languages: ['EN', 'pt-br'],
  });
  const [row] = await pool<{ content: Record<string, unknown> }[]>`
    select content from submission_revision where submission_id = ${id}`;
  assert.equal(row?.content['country'], 'ID');
  assert.equal(row.content['phone'], '+62361123456');
  assert.deepEqual(row.content['languages'], ['en', 'pt-BR']);
});

const PROMO_FAULTS: [title: string, change: Record<string, unknown>, pointer: string, code: string][] = [
  ['no title', { title: undefined }, '/title', 'required'],
  ['a title of two letters', { title: 'ab' }, '/title', 'too_short'],
  ['a title that is too long', { title: 'x'.repeat(141) }, '/title', 'too_long'],
  ['an unknown kind', { kind: 'sale' }, '/kind', 'not_in_enum'],
  ['a detail that is too long', { detail: 'x'.repeat(2_001) }, '/detail', 'too_long'],
  ['terms with a NUL', { terms: 'a\u0000' }, '/terms', 'bad_format'],
  ['a start that is a day', { starts_at: '2026-12-01' }, '/starts_at', 'bad_format'],
  ['an end on a day that is none', { ends_at: '2026-02-30T10:00:00Z' }, '/ends_at', 'bad_format'],
  ['a start in a year that there was not', { starts_at: '0000-01-01T00:00:00Z' }, '/starts_at', 'bad_format'],
  ['an end after all years', { ends_at: '9999-12-31T23:59:59-14:00' }, '/ends_at', 'bad_format'],
  ['an end without a zone', { ends_at: '2026-12-01T10:00:00' }, '/ends_at', 'bad_format'],
  ['an end in the past', { ends_at: '2026-11-01T10:00:00Z' }, '/ends_at', 'out_of_range'],
  [
    'an end before its start',
    { starts_at: '2026-12-02T10:00:00Z', ends_at: '2026-12-01T10:00:00Z' },
    '/ends_at',
    'out_of_range',
  ],
  ['a discount of 91', { discount_pct: 91 }, '/discount_pct', 'out_of_range'],
  ['a discount below nothing', { discount_pct: -1 }, '/discount_pct', 'out_of_range'],
  ['a discount of words', { discount_pct: 'ten' }, '/discount_pct', 'wrong_type'],
  ['half a per cent', { discount_pct: 0.5 }, '/discount_pct', 'not_integer'],
  ['a reference with a space', { promo_ref: 'a b' }, '/promo_ref', 'bad_format'],
];

test('every field of a promotion that is wrong is refused where it stands, and nothing is stored', async (t) => {
  const { id } = await agent.business();
  for (const [title, change, pointer, code] of PROMO_FAULTS) {
    await t.test(title, async () => {
      const before = await countRevisions();
      const promo = { title: 'Half a pizza', submission_id: id, ...change };
      assert.deepEqual(await faultsOf('/api/agent/promo', promo), [[pointer, code]]);
      assert.equal(await countRevisions(), before);
    });
  }
});
