import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { callbackStateOf } from '../../src/callbacks/callback-state.ts';
import { callbackDelivery } from '../../src/callbacks/deliver-callback.ts';
import { queueCallback } from '../../src/callbacks/queue-callback.ts';
import { vetUrl, type Resolve } from '../../src/core/egress/egress-target.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { BASE_URL, signUpAgent, startTestService } from '../harness/service/service.ts';
import { startReceiver, type Received } from './receiver.ts';
import { DAY_MS } from '../../src/core/time.ts';

const receiver = await startReceiver();
const inside = await startReceiver();
const service = await startTestService({ settings: { EGRESS_ALLOW: receiver.pair } });
const { deps } = service.app;
const { pool } = service.database;
const { agentId } = await signUpAgent(service);
const allowed = { ...deps.egress };

let subjects = 0;
const DATA = { type: 'business', status: 'approved', revision: 1, external_ref: 'r1 – ümlaut' };

async function callBack(url: string): Promise<string> {
  const subjectId = `sub_${++subjects}`;
  const ctx = { newId: deps.newId, now: deps.clock.now() };
  const callback = { url, agentId, subjectId, event: 'submission.approved', payload: DATA };
  await pool.begin((sql) => queueCallback(sql, ctx, callback));
  return subjectId;
}

async function stateOf(subjectId: string) {
  const state = (await callbackStateOf(pool, [subjectId])).get(subjectId);
  assert.ok(state);
  return state;
}

/** The state once so many attempts have ended. */
function untilAttempted(subjectId: string, attempts: number) {
  return until(`attempt ${attempts} of ${subjectId} has ended`, async () => {
    const [row] = await pool`
      select 1 from callback_delivery
      where subject_id = ${subjectId} and attempts = ${attempts} and (leased_until is null)`;
    return row !== undefined && stateOf(subjectId);
  });
}

function receivedAt(path: string): Received[] {
  return receiver.received.filter((one) => one.path === path);
}

function header({ headers }: Received, name: string): string {
  const value = headers[name];
  assert.ok(typeof value === 'string', name);
  return value;
}

test('a callback arrives once, with its id, its data and the attribution', async () => {
  const subject = await callBack(`${receiver.url}/ok?a=b`);
  assert.deepEqual(await untilAttempted(subject, 1), {
    url: `${receiver.url}/ok?a=b`,
    state: 'delivered',
    attempts: 1,
    last_http_status: 200,
  });
  const [one, ...more] = receivedAt('/ok?a=b');
  assert.ok(one);
  assert.equal(more.length, 0);
  const body = JSON.parse(one.body) as Record<string, unknown>;
  assert.match(String(body['id']), /^msg_[0-9a-z]{26}$/);
  assert.equal(body['type'], 'submission.approved');
  assert.equal(body['timestamp'], '2026-11-14T12:00:00.000Z');
  assert.deepEqual(body['data'], DATA);
  assert.match(String(body['attribution']), /OpenStreetMap/);
  assert.equal(header(one, 'webhook-id'), body['id']);
  assert.equal(header(one, 'user-agent'), `svc-callbacks/1.0 (+${BASE_URL})`);
  assert.equal(header(one, 'content-type'), 'application/json');
});

test('both signatures are verified with the published key, and with no other text', async () => {
  await untilAttempted(await callBack(`${receiver.url}/signed`), 1);
  const [one] = receivedAt('/signed');
  assert.ok(one);
  const answer = await service.request('/.well-known/svc-webhook-keys.json', {
    headers: { 'user-agent': 'curl/8.5.0' },
  });
  assert.equal(answer.status, 200);
  const { keys } = (await answer.json()) as { keys: { kid: string; x: string; whpk: string }[] };
  const [jwk] = keys;
  assert.ok(jwk !== undefined && keys.length === 1);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, format: 'jwk' });
  assert.equal(jwk.whpk, `whpk_${Buffer.from(jwk.x, 'base64url').toString('base64')}`);

  const [, time = '', own = ''] = /^t=(\d+),v1a=(\S+)$/.exec(header(one, 'svc-signature')) ?? [];
  assert.equal(Number(time), Date.parse('2026-11-14T12:00:00Z') / 1000);
  const id = header(one, 'webhook-id');
  assert.equal(header(one, 'webhook-timestamp'), time);
  const standard = /^v1a,(\S+)$/.exec(header(one, 'webhook-signature'))?.[1] ?? '';
  const fits = (text: string, signature: string) =>
    verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  assert.ok(fits(`${time}.${one.body}`, own));
  assert.ok(fits(`${id}.${time}.${one.body}`, standard));
  assert.ok(!fits(`${time}.${one.body} `, own));
});

test('all nodes sign with one key, made once', async () => {
  const second = await startTestService({ database: service.database });
  const keys = await Promise.all(
    [service, second].map(async (node) => (await node.request('/.well-known/svc-webhook-keys.json')).json()),
  );
  assert.deepEqual(keys[0], keys[1]);
  await second.close();
});

test('a receiver that is down is tried again by plan, with the same id and a fresh signature', async () => {
  await receiver.down();
  const subject = await callBack(`${receiver.url}/down`);
  const state = await untilAttempted(subject, 1);
  assert.deepEqual([state.state, state.last_http_status], ['pending', null]);
  await passTime(service, 5_000);
  assert.equal((await untilAttempted(subject, 2)).state, 'pending');
  await receiver.up();
  receiver.answer = (response) => response.writeHead(500).end();
  await passTime(service, 330_000);
  assert.equal((await untilAttempted(subject, 3)).last_http_status, 500);
  receiver.answer = (response) => response.writeHead(204).end();
  await passTime(service, 2_000_000);
  assert.deepEqual([(await untilAttempted(subject, 4)).state], ['delivered']);
  const [third, fourth] = receivedAt('/down');
  assert.ok(third && fourth);
  assert.equal(third.body, fourth.body);
  assert.equal(header(third, 'webhook-id'), header(fourth, 'webhook-id'));
  assert.notEqual(header(third, 'svc-signature'), header(fourth, 'svc-signature'));
});

test('after eight attempts within a day a callback is given up', async () => {
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '9' }).end();
  const started = service.clock.now().getTime();
  const subject = await callBack(`${receiver.url}/day`);
  for (let attempts = 1; attempts < 8; attempts++) {
    assert.equal((await untilAttempted(subject, attempts)).state, 'pending');
    const [job] = await pool<{ ms: number }[]>`
      select (extract(epoch from run_at - now()) * 1000)::float8 as ms
      from graphile_worker._private_jobs j join callback_delivery d on d.id = j.payload->>'delivery_id'
      where d.subject_id = ${subject} and j.locked_at is null`;
    assert.ok(job);
    if (attempts === 1) assert.ok(job.ms > 8_000 && job.ms <= 9_000, 'the receiver asked for nine seconds');
    await passTime(service, Math.max(0, job.ms) + 1_000);
  }
  const last = await untilAttempted(subject, 8);
  assert.deepEqual([last.state, last.last_http_status], ['given_up', 503]);
  assert.ok(service.clock.now().getTime() - started >= DAY_MS);
  receiver.answer = (response) => response.end();
});

test('a receiver that never answers, or never ends, is cut off and tried again', async () => {
  deps.egress = { ...allowed, timeoutMsMax: 400 };
  receiver.answer = (response, path) => {
    if (path === '/endless') response.writeHead(200).write('…');
  };
  const [silent, endless] = [
    await callBack(`${receiver.url}/silent`),
    await callBack(`${receiver.url}/endless`),
  ];
  assert.equal((await untilAttempted(silent, 1)).state, 'pending');
  assert.equal((await untilAttempted(endless, 1)).state, 'pending');
  receiver.answer = (response) => response.end('x'.repeat(1_000_000));
  deps.egress = allowed;
  await passTime(service, 5_000);
  assert.equal(
    (await untilAttempted(silent, 2)).state,
    'delivered',
    'and it does not matter how much it says',
  );
  receiver.answer = (response) => response.end();
});

test('a receiver that redirects is refused, and where it points to is never asked', async () => {
  receiver.answer = (response) => response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end();
  const subject = await callBack(`${receiver.url}/moved`);
  const state = await untilAttempted(subject, 1);
  assert.deepEqual([state.state, state.last_http_status], ['given_up', 307]);
  assert.equal(receivedAt('/elsewhere').length, 0);
  receiver.answer = (response) => response.end();
});

test('a receiver that wants no more of it gets no more', async () => {
  receiver.answer = (response) => response.writeHead(410).end();
  const subject = await callBack(`${receiver.url}/gone`);
  assert.equal((await untilAttempted(subject, 1)).state, 'given_up');
  receiver.answer = (response) => response.end();
});

test('private addresses, plain http and ports of other services are refused, and nothing connects', async () => {
  for (const url of [
    inside.url,
    inside.url.replace('http:', 'https:'),
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost/',
    'https://internal/',
    'http://example.com/',
    'https://example.com:25/',
    'https://user:pass@example.com/',
  ]) {
    const state = await untilAttempted(await callBack(url), 1);
    assert.deepEqual([state.state, state.last_http_status], ['given_up', null], url);
  }
  assert.equal(inside.received.length, 0);
});

test('a name that was public when it was handed in and private when it is called is refused', async () => {
  const answers = ['93.184.216.34', '127.0.0.1'];
  const resolve: Resolve = () => Promise.resolve([{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
  const port = Number(inside.pair.split(':')[1]);
  deps.egress = { allow: [], ports: [port], resolve };
  const url = `https://rebinding.example.org:${port}/hook`;
  await vetUrl(deps.egress, url);
  const state = await untilAttempted(await callBack(url), 1);
  assert.equal(state.state, 'given_up');
  assert.equal(inside.received.length, 0);
  deps.egress = allowed;
});

test('an attempt that died with its node is made again when its lease has run out', async () => {
  receiver.answer = (response) => response.end();
  const subject = await callBack(`${receiver.url}/lease`);
  await untilAttempted(subject, 1);
  await pool`
    update callback_delivery set state = 'pending', finished_at = null,
      leased_until = ${new Date(service.clock.now().getTime() + 30_000)} where subject_id = ${subject}`;
  await pool`
    select graphile_worker.add_job('deliver_callback', json_build_object('delivery_id', id))
    from callback_delivery where subject_id = ${subject}`;
  await until('the job waits for the end of the lease', async () => {
    const [job] = await pool`
      select 1 from graphile_worker._private_jobs j join callback_delivery d on d.id = j.payload->>'delivery_id'
      where d.subject_id = ${subject} and j.locked_at is null and run_at > now() + interval '30 seconds'`;
    return job !== undefined;
  });
  assert.equal(receivedAt('/lease').length, 1);
  await passTime(service, 60_000);
  assert.equal((await untilAttempted(subject, 2)).state, 'delivered');
});

test('the content of a callback is erased thirty days after its end; its state stays', async () => {
  const subject = await callBack(`${receiver.url}/old`);
  await untilAttempted(subject, 1);
  service.clock.advance(31 * DAY_MS);
  await callbackDelivery.forgetOld(pool, service.clock.now());
  const [row] = await pool`select data from callback_delivery where subject_id = ${subject}`;
  assert.equal(row?.['data'], null);
  assert.equal((await stateOf(subject)).state, 'delivered');
});
