import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rpc } from '../../harness/clients/mcp.ts';
import { addTestPartner, PARTNER_MCP } from '../../harness/people/partner.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { FormClient } from '../../harness/people/staff.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts';

const settings = { PARTNER_SIGNUPS_PER_HOUR: '1000', TRUSTED_PROXIES: '127.0.0.1' };
const service = await startTestService({ demoPlaces: 300, settings });
const { pool } = service.database;
const CALL = { id: 1, method: 'tools/call', params: { name: 'list_destinations', arguments: {} } };

let made = 0;
function newEmail(): string {
  return `person-${++made}@travel.example`;
}

interface SignedUp {
  partner_id?: string;
  api_key?: string;
  rotated?: true;
  delivery?: string;
  emailed_to?: string;
  [member: string]: unknown;
}

async function signUp(
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
  at: TestService = service,
): Promise<{ status: number; body: SignedUp; headers: Headers }> {
  const response = await at.request('/api/partner/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'Travel Desk', ...body }),
  });
  return { status: response.status, body: (await response.json()) as SignedUp, headers: response.headers };
}

/** The last mail to an address. */
async function lastMail(email: string, at: TestService = service): Promise<string> {
  const [message] = await at.database.pool<{ body: string }[]>`
    select body from message where recipient = ${email} order by sequence desc limit 1`;
  assert.ok(message);
  return message.body;
}

function keyIn(text: string): string {
  return /svc_partner_[0-9A-Za-z]{36}/.exec(text)?.[0] ?? '';
}

async function works(apiKey: string | undefined, at: TestService = service): Promise<boolean> {
  const { status } = await rpc(at, PARTNER_MCP, CALL, { 'x-partner-key': apiKey ?? '' });
  assert.ok(status === 200 || status === 401, String(status));
  return status === 200;
}

describe('a new address', () => {
  test('gets an account on the free plan and a key that is shown once and mailed; only its hash stays', async () => {
    const email = newEmail();
    const { status, body } = await signUp({
      email: ` ${email.toUpperCase()} `,
      company: 'Travel Ltd',
      website: 'https://travel.example',
      use_case: 'Trips.',
      plan: 'free',
    });
    assert.equal(status, 201);
    assert.match(body.partner_id ?? '', /^ptn_/);
    assert.match(body.api_key ?? '', /^svc_partner_[0-9A-Za-z]{36}$/);
    assert.deepEqual(
      { ...body, partner_id: '', api_key: '', attribution: '', attribution_links: '' },
      {
        partner_id: '',
        api_key: '',
        key_shown_once: true,
        emailed_to: 'p***@travel.example',
        plan: 'free',
        limits: { calls_per_minute: 30, calls_per_month: 10_000 },
        next: 'The first sign-in at https://waypost.example/partner verifies the mailbox. It ends this key and a webhook that was set with it, and shows a new key: sign in there before you set a webhook.',
        attribution: '',
        attribution_links: '',
      },
    );
    assert.equal(keyIn(await lastMail(email)), body.api_key);
    assert.ok(await works(body.api_key));
    const [row] = await pool`
      select p.company, p.website, p.use_case, p.bookings_enabled, k.prefix from partner p
      join api_key k on k.partner_id = p.id where p.id = ${body.partner_id ?? ''}`;
    assert.deepEqual(
      { ...row },
      {
        company: 'Travel Ltd',
        website: 'https://travel.example',
        use_case: 'Trips.',
        bookings_enabled: false,
        prefix: (body.api_key ?? '').slice(0, 15),
      },
    );
  });

  test('that two ask for at the same moment is one account, and one of them is only mailed', async () => {
    const email = newEmail();
    const both = await Promise.all([signUp({ email }), signUp({ email })]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201]);
    assert.equal(both.filter(({ body }) => body.api_key !== undefined).length, 1);
  });

  for (const [what, body, pointer, code] of [
    ['no email', {}, '/email', 'required'],
    ['an email that is none', { email: 'nobody' }, '/email', 'bad_format'],
    ['an email that is a number', { email: 5 }, '/email', 'wrong_type'],
    ['a name of one letter', { email: 'a@b.example', name: 'x' }, '/name', 'too_short'],
    ['a name of 121 letters', { email: 'a@b.example', name: 'x'.repeat(121) }, '/name', 'too_long'],
    ['a name with a control character', { email: 'a@b.example', name: 'a\u0000b' }, '/name', 'bad_format'],
    [
      'a website that is a script',
      { email: 'a@b.example', website: 'javascript:x' },
      '/website',
      'bad_format',
    ],
    [
      'a use case that is too long',
      { email: 'a@b.example', use_case: 'x'.repeat(501) },
      '/use_case',
      'too_long',
    ],
    ['a plan that must be paid', { email: 'a@b.example', plan: 'platform' }, '/plan', 'not_in_enum'],
  ] as const) {
    test(`with ${what} is refused with a pointer, and nothing is written`, async () => {
      const { status, body: answer } = await signUp(body);
      assert.equal(status, 422);
      const [fault] = answer['errors'] as { pointer: string; code: string }[];
      assert.equal(fault?.pointer, pointer);
      assert.equal(fault.code, code);
      assert.equal((await pool`select from partner where email = 'a@b.example'`).count, 0);
    });
  }
});

describe('a known address', () => {
  test('with its key: the new key is shown, the old one fails at once, everything carries over', async () => {
    const { email, apiKey, headers, partnerId } = await addTestPartner(service, { plan: 'partner' });
    await pool`update partner set bookings_from = null where id = ${partnerId}`;
    assert.ok(await works(apiKey));
    const { status, body } = await signUp({ email }, headers);
    assert.equal(status, 200);
    assert.equal(body.rotated, true);
    assert.equal(body.partner_id, partnerId);
    assert.equal(body['plan'], 'partner');
    assert.ok(!(await works(apiKey)));
    assert.ok(await works(body.api_key));
    assert.equal(keyIn(await lastMail(email)), body.api_key);
    const usage = await service.request('/api/partner/usage', {
      headers: { 'x-partner-key': body.api_key ?? '' },
    });
    assert.equal(((await usage.json()) as { calls: { used: number } }).calls.used, 2);
  });

  test('without its key: the answer has no key, the mailbox has, and the old key works until the new one is used', async () => {
    const { email, apiKey } = await addTestPartner(service);
    const { status, body } = await signUp({ email, name: 'A stranger' });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, attribution: '', attribution_links: '' },
      {
        rotated: true,
        delivery: 'email',
        emailed_to: 'p***@partner.example',
        attribution: '',
        attribution_links: '',
      },
    );
    const mailed = keyIn(await lastMail(email));
    assert.ok(await works(apiKey));
    assert.ok(await works(mailed));
    assert.ok(!(await works(apiKey)));
    assert.ok(await works(mailed));
  });

  test('with the key of another partner is treated as without one', async () => {
    const mine = await addTestPartner(service);
    const theirs = await addTestPartner(service);
    const { body } = await signUp({ email: theirs.email }, mine.headers);
    assert.equal(body.api_key, undefined);
    assert.ok((await works(mine.apiKey)) && (await works(theirs.apiKey)));
    assert.equal((await signUp({ email: theirs.email }, { 'x-partner-key': 'svc_partner_x' })).status, 401);
  });

  test('a stranger who asks three times breaks nothing: every mailed key is good until one is used', async () => {
    const { email, apiKey } = await addTestPartner(service);
    const mailed: string[] = [];
    for (let i = 0; i < 3; i++) {
      assert.equal((await signUp({ email })).status, 200);
      mailed.push(keyIn(await lastMail(email)));
    }
    const fourth = await signUp({ email });
    assert.equal(fourth.status, 429);
    assert.equal(fourth.body['code'], 'signup_rate_limited');
    assert.ok(Number(fourth.headers.get('retry-after')) > 0);
    assert.ok(await works(apiKey));
    assert.ok(await works(mailed[0]));
    for (const dead of [apiKey, mailed[1], mailed[2]]) assert.ok(!(await works(dead)));
  });

  test('a mailed key that nobody used in a week opens nothing', async () => {
    const { email, apiKey } = await addTestPartner(service);
    await signUp({ email });
    const mailed = keyIn(await lastMail(email));
    service.clock.advance(7 * DAY_MS);
    assert.ok(!(await works(mailed)));
    assert.ok(await works(apiKey));
  });

  test('a mailed key that is first used many times at once leaves one live key', async () => {
    const { email, partnerId } = await addTestPartner(service, { plan: 'platform' });
    await signUp({ email });
    const mailed = keyIn(await lastMail(email));
    const all = await Promise.all(Array.from({ length: 16 }, () => works(mailed)));
    assert.ok(all.every(Boolean));
    const rows = await pool`select from api_key where partner_id = ${partnerId} and revoked_at is null`;
    assert.equal(rows.count, 1);
    assert.equal(await takeOvers(partnerId), 1);
  });

  test('a closed account gets the same answer and no key', async () => {
    const { email, partnerId } = await addTestPartner(service);
    await pool`update partner set status = 'revoked' where id = ${partnerId}`;
    const { status, body } = await signUp({ email });
    assert.equal(status, 200);
    assert.equal(body.delivery, 'email');
    assert.equal(keyIn(await lastMail(email)), '');
  });
});

/** How often the audit log says that a mailed key of the partner took the place of another. */
async function takeOvers(partnerId: string): Promise<number> {
  const rows = await pool`
    select from audit_log
    where operation = 'take_over_partner_key' and actor = ${partnerId} and subject = ${partnerId}`;
  return rows.count;
}

describe('the link in the mail', () => {
  async function linkOf(email: string): Promise<string> {
    return /\/partner\/key\/[\w-]{43}/.exec(await lastMail(email))?.[0] ?? '';
  }

  test('changes nothing when it is opened, and stops the old key when its button is pressed, once', async () => {
    const { email, apiKey, partnerId } = await addTestPartner(service);
    await signUp({ email });
    const mailed = keyIn(await lastMail(email));
    const link = await linkOf(email);
    const person = new FormClient(service);
    for (let i = 0; i < 3; i++) assert.equal((await person.get(link)).status, 200);
    assert.ok(await works(apiKey));
    assert.equal((await person.postRaw(link, {})).status, 403);
    assert.ok(await works(apiKey));
    assert.equal((await person.post(link, {})).status, 200);
    assert.ok(!(await works(apiKey)));
    assert.ok(await works(mailed));
    assert.equal((await person.get(link)).status, 410);
    assert.equal(await takeOvers(partnerId), 1);
  });

  test('that is broken or of another kind is 410', async () => {
    const person = new FormClient(service);
    for (const token of ['x', 'A'.repeat(43)])
      assert.equal((await person.get(`/partner/key/${token}`)).status, 410);
    assert.equal((await person.get('/partner/key/%00')).status, 404, 'an address that nobody can type');
  });
});

const node = await startTestService({
  database: service.database,
  settings: { TRUSTED_PROXIES: '10.0.0.0/8', PARTNER_RESIGNUP_SHOWS_KEY: '1' },
});

test('an address may sign up ten times in an hour, wherever it says that it comes from', async () => {
  // The other tests of this file used up the hours before.
  node.clock.advance(30 * DAY_MS);
  const tries = [];
  for (let i = 0; i < 11; i++)
    tries.push((await signUp({ email: newEmail() }, { 'x-forwarded-for': `203.0.113.${i}` }, node)).status);
  assert.deepEqual(tries, [...Array<number>(10).fill(201), 429]);
});

test('where the setting says so the new key is shown to whoever asks, with bookings off and none to be seen', async () => {
  node.clock.advance(HOUR_MS);
  const { email, apiKey, partnerId } = await addTestPartner(node);
  const { status, body } = await signUp({ email }, {}, node);
  assert.equal(status, 200);
  assert.equal(body.rotated, true);
  assert.ok(!(await works(apiKey, node)));
  assert.ok(await works(body.api_key, node));
  const [row] = await pool`
    select bookings_enabled, bookings_from, email_verified_at from partner where id = ${partnerId}`;
  assert.equal(row?.['bookings_enabled'], false);
  assert.deepEqual(row['bookings_from'], node.clock.now());
  assert.equal(row['email_verified_at'], null, 'the next proof ends this key too');
});
