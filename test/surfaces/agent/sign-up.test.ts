import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { startTestService } from '../../harness/service/service.ts';
import { tries } from '../../harness/tier.ts';
import { HOUR_MS } from '../../../src/core/time.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HOSTILE = `Robert'); DROP TABLE agent;-- <script>alert(1)</script> \${7*7} {{7*7}} %s \\ "'\` 🦜`;

const service = await startTestService();
const { pool } = service.database;
let operators = 0;

interface FieldFault {
  pointer: string;
  code: string;
  detail: string;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown> & {
    code?: string;
    errors?: FieldFault[];
    api_key?: string;
    agent_id?: string;
  };
}

function valid(): Record<string, unknown> {
  operators += 1;
  return {
    agent_name: 'TripPlanner',
    operator_name: 'Example Travel Ltd',
    operator_email: `ops${operators}@travel.example`,
    homepage: 'https://travel.example/agent',
    purpose: 'Plans weekend trips for our customers.',
  };
}

async function signUp(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await service.request('/api/agent/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text) as Answer['body'],
  };
}

async function faults(change: Record<string, unknown>): Promise<[string, string][]> {
  const { status, body } = await signUp({ ...valid(), ...change });
  assert.deepEqual([status, body.code], [422, 'validation_failed'], JSON.stringify(change).slice(0, 100));
  return (body.errors ?? []).map(({ pointer, code }) => [pointer, code]);
}

/** Every sign-up that succeeds counts; the next hour has a new allowance. */
function nextHour(): void {
  service.clock.advance(HOUR_MS);
}

test('a sign-up answers with the agent, its key, its plan, its quota and the rules', async () => {
  const { status, headers, body } = await signUp(valid());
  assert.equal(status, 201);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store', 'nothing on the way may keep a key');
  const { agent_id, api_key, attribution, attribution_links, ...rest } = body;
  assert.match(agent_id ?? '', /^agt_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.match(api_key ?? '', /^svc_live_[0-9A-Za-z]{36}$/);
  assert.ok(typeof attribution === 'string' && attribution.includes('OpenStreetMap'));
  assert.ok(Array.isArray(attribution_links) && attribution_links.length > 0);
  assert.deepEqual(rest, {
    key_shown_once: true,
    plan: { name: 'free', price_cents: 0, reads_per_day: 100, reads_per_minute: 120, beta: false },
    quota: { date: '2026-11-14', limit: 100, used: 0, remaining: 100, resets_at: '2026-11-15T00:00:00Z' },
    rules_url: 'https://waypost.example/docs/rules',
  });
});

test('the key has 30 random characters and a checksum that tells a typo offline', async () => {
  const keys = [(await signUp(valid())).body.api_key ?? '', (await signUp(valid())).body.api_key ?? ''];
  assert.notEqual(keys[0], keys[1]);
  for (const key of keys) {
    assert.match(key, /^svc_(live|partner)_[0-9A-Za-z]{36}$/);
    let value = crc32(key.slice(0, -6));
    let checksum = '';
    for (let at = 0; at < 6; at += 1) {
      checksum = BASE62.charAt(value % 62) + checksum;
      value = Math.floor(value / 62);
    }
    assert.equal(key.slice(-6), checksum);
  }
});

test('the key opens the agent surface at once, and a key with one wrong character does not', async () => {
  const key = (await signUp(valid())).body.api_key ?? '';
  const status = async (given: string) =>
    (await service.request('/api/agent/destinations', { headers: { authorization: `Bearer ${given}` } }))
      .status;
  assert.equal(await status(key), 200);
  assert.equal(await status(key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)), 401);
  assert.equal(await status(key.slice(0, -1)), 401);
});

test('only the hash of the key and its first characters are stored', async () => {
  const { api_key: key = '', agent_id: id = '' } = (await signUp(valid())).body;
  const [row] = await pool`select * from api_key where agent_id = ${id}`;
  assert.ok(row);
  assert.deepEqual(row['hash'], createHash('sha256').update(key).digest());
  assert.equal(row['prefix'], key.slice(0, 12));
  assert.ok(!JSON.stringify(row).includes(key.slice(12)));
});

test('a sign-up leaves one row in the audit trail, a refused one leaves none', async () => {
  const trail = () => pool`select * from audit_log where operation = 'sign_up' order by sequence`;
  const before = (await trail()).length;
  const { headers, body } = await signUp(valid());
  await signUp({ ...valid(), purpose: 'short' });
  const rows = await trail();
  assert.equal(rows.length, before + 1);
  const row = rows.at(-1);
  assert.deepEqual(
    [row?.['actor'], row?.['request_id'], row?.['subject'], row?.['detail'], row?.['at']],
    [
      'address:127.0.0.1',
      headers.get('x-request-id'),
      body.agent_id,
      { agent_name: 'TripPlanner' },
      service.clock.now(),
    ],
  );
});

test('every field that is missing is named at once', async () => {
  const { status, body } = await signUp({});
  assert.equal(status, 422);
  assert.deepEqual(
    body.errors?.map(({ pointer, code, detail }) => [pointer, code, detail]),
    ['/agent_name', '/operator_name', '/operator_email', '/purpose'].map((name) => [
      name,
      'required',
      'is required',
    ]),
  );
});

test('a field of the wrong type is refused, never converted', async () => {
  for (const name of ['agent_name', 'operator_name', 'operator_email', 'homepage', 'purpose'])
    for (const value of [7, true, ...(name === 'homepage' ? [] : [null]), [], ['text'], {}, { length: 20 }])
      assert.deepEqual(await faults({ [name]: value }), [[`/${name}`, 'wrong_type']]);
});

test('length is counted in code points after trimming, at both ends', async () => {
  const bounds: [string, number, number][] = [
    ['agent_name', 2, 80],
    ['operator_name', 2, 120],
    ['purpose', 12, 500],
  ];
  for (const [name, min, max] of bounds) {
    for (const letter of ['a', '🦜']) {
      const of = (length: number) => `${letter.repeat(length - 1)}é`;
      nextHour();
      assert.deepEqual(await faults({ [name]: of(min - 1) }), [[`/${name}`, 'too_short']]);
      assert.deepEqual(await faults({ [name]: ` ${of(min - 1)}\n\u3000` }), [[`/${name}`, 'too_short']]);
      assert.deepEqual(await faults({ [name]: of(max + 1) }), [[`/${name}`, 'too_long']]);
      for (const value of [of(min), ` \t${of(max)} \u00a0`])
        assert.equal((await signUp({ ...valid(), [name]: value })).status, 201, `${name}: ${value}`);
    }
    assert.deepEqual(await faults({ [name]: '' }), [[`/${name}`, 'too_short']]);
  }
});

test('a purpose is a sentence, not one repeated character', async () => {
  for (const purpose of ['aaaaaaaaaaaaaaaa', '................', '🦜'.repeat(12)])
    assert.deepEqual(await faults({ purpose }), [['/purpose', 'bad_format']]);
});

test('control characters and broken characters are refused in every text', async () => {
  const broken = ['\u0000', '\u0007', '\u001b[31m', '\u007f', '\u0085', '\ud800', '\udc00 x'];
  for (const name of ['agent_name', 'operator_name', 'purpose', 'homepage', 'operator_email'])
    for (const character of broken) {
      const value = `https://a.example/${character} and more words`;
      assert.deepEqual(await faults({ [name]: value }), [[`/${name}`, 'bad_format']]);
    }
});

test('hostile text is text: it is stored as it was sent', async () => {
  const texts = { agent_name: HOSTILE.slice(0, 60), operator_name: HOSTILE, purpose: HOSTILE };
  const answer = await signUp({ ...valid(), ...texts });
  assert.equal(answer.status, 201, answer.text);
  const [row] = await pool`
    select agent_name, operator_name, purpose from agent where id = ${answer.body.agent_id ?? ''}`;
  assert.deepEqual({ ...row }, texts);
});

test('an email address must be one', async () => {
  for (const operator_email of [
    '',
    'ops',
    'ops@',
    '@travel.example',
    'a b@travel.example',
    'ops@travel',
    'ops@@travel.example',
    'Ops <ops@travel.example>',
    'ops@travel.example, x@y.example',
  ])
    assert.deepEqual(await faults({ operator_email }), [['/operator_email', 'bad_format']], operator_email);
  const long = `${'a'.repeat(250)}@travel.example`;
  assert.ok((await faults({ operator_email: long })).some(([, code]) => code === 'too_long'));
});

test('a homepage is an address of the web, or left out, or empty', async () => {
  nextHour();
  for (const homepage of [
    'travel.example',
    'ftp://travel.example',
    'javascript:alert(1)',
    'http://',
    'https://[',
    'data:text/html,x',
  ])
    assert.deepEqual(await faults({ homepage }), [['/homepage', 'bad_format']], homepage);
  assert.deepEqual(await faults({ homepage: `https://a.example/${'x'.repeat(2000)}` }), [
    ['/homepage', 'too_long'],
  ]);
  for (const homepage of ['', '  ', undefined, 'HTTP://travel.example']) {
    const answer = await signUp({ ...valid(), homepage });
    assert.equal(answer.status, 201);
    const [row] = await pool`select homepage from agent where id = ${answer.body.agent_id ?? ''}`;
    assert.equal(row?.['homepage'], homepage === 'HTTP://travel.example' ? homepage : null);
  }
});

test('an operator has one agent and one key, in whatever case the address is written', async () => {
  nextHour();
  const body = valid();
  const email = String(body['operator_email']);
  assert.equal((await signUp({ ...body, operator_email: ` ${email.toUpperCase()} ` })).status, 201);
  const [row] = await pool`select operator_email from agent where operator_email = ${email}`;
  assert.equal(row?.['operator_email'], email);
  for (const operator_email of [email, email.toUpperCase(), `Ops${email.slice(3)}`]) {
    const { status, text, body: problem } = await signUp({ ...body, operator_email });
    assert.deepEqual([status, problem.code], [409, 'operator_exists']);
    assert.doesNotMatch(text, /svc_live_|api_key|agt_/);
    assert.match(text, /replaced|rotate|recover/i, 'it says what to do');
  }
});

test('of many sign-ups of one operator at once exactly one succeeds', async () => {
  nextHour();
  const body = valid();
  const answers = await Promise.all(Array.from({ length: 12 }, () => signUp(body)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array<number>(11).fill(409)]);
});

test('fields that are not known are accepted and named in the warnings', async () => {
  const { status, body } = await signUp({ ...valid(), phone_number: '1', 'a/b~c': 2, constructor: { x: 1 } });
  assert.equal(status, 201);
  assert.deepEqual(body['warnings'], [
    { code: 'unknown_field', pointer: '/phone_number' },
    { code: 'unknown_field', pointer: '/a~1b~0c' },
    { code: 'unknown_field', pointer: '/constructor' },
  ]);
});

test('an address has 60 sign-ups an hour, whatever credential it sends, and the next hour is free again', async () => {
  nextHour();
  const first = await signUp(valid());
  const credential = { authorization: `Bearer ${first.body.api_key ?? ''}` };
  const made = tries({ quick: 3, long: 59 });
  // As if there had been the rest of 60 from this address.
  const counted = await pool`
    update rate_window set used = used + ${59 - made} where name = 'sign-ups/address:127.0.0.1' and used = 1`;
  assert.equal(counted.count, 1);
  const others = await Promise.all(
    Array.from({ length: made }, (_, at) => signUp(valid(), at % 2 === 0 ? credential : {})),
  );
  assert.ok(others.every(({ status }) => status === 201));
  for (const headers of [{}, credential]) {
    const refused = await signUp(valid(), headers);
    assert.deepEqual([refused.status, refused.body.code], [429, 'signup_rate_limited']);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= HOUR_MS / 1000, String(wait));
  }
  assert.equal((await signUp({})).status, 422, 'what could never succeed is told so, and counts for nothing');
  nextHour();
  assert.equal((await signUp(valid())).status, 201);
});
