import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { readRetryAfter, waitBeforeRetry } from '../../packages/client/src/retry.ts';
import {
  ConnectionError,
  ProblemError,
  UnexpectedAnswerError,
  Waypost,
} from '../../packages/client/src/waypost.ts';
import { signUpAgent, USER_AGENT } from '../harness/service/service.ts';
import { sharedService } from '../harness/service/shared-service.ts';
import { startRelay, type Turn } from './relay.ts';

const service = await sharedService();
const relay = await startRelay(service.url);
const { apiKey } = await signUpAgent(service);
let attempts = 0;
const client = new Waypost({
  baseUrl: relay.url,
  userAgent: USER_AGENT,
  apiKey,
  onAnswer: (seen) => (attempts = seen.attempts),
});

function turns(...next: Turn[]): void {
  relay.turns = next;
  relay.seen = [];
}

test('a write whose answer is lost is sent again with its key, and is done once', async () => {
  turns('lose', 'lose');
  const business = { relationship: 'third_party', name: 'Lost Once', country: 'ID', city: 'Bali' } as const;
  const { submission_id: id } = await client.submitBusiness(business);
  assert.equal(attempts, 3);
  const keys = new Set(relay.seen.map((headers) => headers['idempotency-key']));
  assert.equal(keys.size, 1);
  const { items } = await client.listSubmissions();
  assert.deepEqual(
    items.map((one) => one.submission_id),
    [id],
  );
  turns();
  await client.recoverKey({ operator_email: 'nobody@operator.example' }, { idempotencyKey: randomUUID() });
  await client.recoverKey({ operator_email: 'nobody@operator.example' });
  assert.ok(new Set([...keys, ...relay.seen.map((headers) => headers['idempotency-key'])]).size === 3);
});

test('a licence carries its key in the body too, where the service looks for it', async () => {
  const bodies: unknown[] = [];
  const looking = new Waypost({
    baseUrl: relay.url,
    userAgent: USER_AGENT,
    apiKey,
    fetch: (url, init) => {
      bodies.push(JSON.parse(init.body as string));
      return fetch(url, init);
    },
  });
  turns('lose');
  const call = looking.licensePhoto({ photo_id: 'pho_x', use: 'web', max_price_cents: 100 });
  await assert.rejects(call, { code: 'photo_not_found' });
  const [first, second] = bodies as { idempotency_key: string }[];
  assert.match(first?.idempotency_key ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual(first, second);
  assert.equal(relay.seen[0]?.['idempotency-key'], first?.idempotency_key);
});

test('transient failures are retried, permanent ones are thrown at once', async () => {
  turns({ status: 502, body: '<h1>Bad gateway</h1>' }, { status: 503, headers: { 'retry-after': '0' } });
  await client.listDestinations();
  assert.equal(attempts, 3);
  turns({ status: 502 }, { status: 502 }, { status: 502, body: '<h1>Bad gateway</h1>' });
  await assert.rejects(client.listDestinations(), (error: unknown) => {
    assert.ok(error instanceof UnexpectedAnswerError);
    assert.deepEqual([error.status, error.text], [502, '<h1>Bad gateway</h1>']);
    return true;
  });
  assert.equal(relay.seen.length, 3);
  turns({ status: 302, headers: { location: 'https://elsewhere.example/' } });
  await assert.rejects(client.listDestinations(), UnexpectedAnswerError);
  assert.equal(relay.seen.length, 1, 'a redirect is not followed: the key would go with it');
  turns();
  await assert.rejects(client.listDestinations({ country: 'XX' }), ProblemError);
  assert.equal(relay.seen.length, 1);
});

test('a page that says nothing of another is the last', async () => {
  const bare = { status: 200, body: '{"closures":[]}' };
  turns(bare, bare, bare);
  assert.deepEqual(await Array.fromAsync(client.pages('list_closures')), [{ closures: [] }]);
  assert.equal(relay.seen.length, 1);
  turns();
});

test('a wait that is too long is reported and not begun', async () => {
  const { apiKey: used } = await signUpAgent(service);
  const busy = new Waypost({ baseUrl: relay.url, userAgent: USER_AGENT, apiKey: used });
  const { quota } = await busy.getAccount();
  for (let reads = 0; reads < quota.limit; reads++) await busy.searchPlaces({ q: 'pizza' });
  turns();
  await assert.rejects(busy.searchPlaces({ q: 'pizza' }), {
    status: 429,
    code: 'daily_quota_exhausted',
    // The clock of the service stands at noon.
    retryAfterMs: 43_200_000,
  });
  assert.equal(relay.seen.length, 1);
});

test("a timeout, a refused connection and the caller's own signal give different errors", async () => {
  turns('hang', 'hang');
  await assert.rejects(client.listDestinations({}, { timeoutMs: 50, retries: 1 }), (error: unknown) => {
    assert.ok(error instanceof ConnectionError);
    assert.ok(error.timedOut);
    return true;
  });
  assert.equal(relay.seen.length, 2);
  const nobody = new Waypost({ baseUrl: 'http://127.0.0.1:9', userAgent: USER_AGENT, retries: 0 });
  await assert.rejects(nobody.listDestinations(), { name: 'ConnectionError', timedOut: false });
  const stop = new AbortController();
  turns({ status: 503, headers: { 'retry-after': '30' } });
  const call = client.listDestinations({}, { signal: stop.signal });
  setImmediate(() => {
    stop.abort(new Error('enough'));
  });
  await assert.rejects(call, { message: 'enough' });
  turns();
  await assert.rejects(client.listDestinations({}, { signal: stop.signal }), { message: 'enough' });
  assert.equal(relay.seen.length, 0);
});

test('waits are as the service asks, or grow; some refusals are final', () => {
  const plan = { attempt: 1, waitMaxMs: 60_000, random: 1 };
  assert.equal(waitBeforeRetry({ status: 429, retryAfterMs: 41_000 }, plan), 41_000);
  assert.equal(waitBeforeRetry({ status: 429, retryAfterMs: 61_000 }, plan), undefined);
  const month = { status: 429, retryAfterMs: 31 * 86_400_000 };
  assert.equal(waitBeforeRetry(month, { ...plan, waitMaxMs: Infinity }), undefined, 'no timer lasts so long');
  assert.equal(waitBeforeRetry({ status: 429 }, plan), undefined);
  assert.equal(waitBeforeRetry({ status: 409, code: 'idempotency_in_progress' }, plan), 250);
  assert.equal(waitBeforeRetry({ status: 409, code: 'price_moved' }, plan), undefined);
  assert.equal(waitBeforeRetry({ status: 422 }, plan), undefined);
  assert.deepEqual(
    [1, 2, 3, 9].map((attempt) => waitBeforeRetry({}, { ...plan, attempt })),
    [250, 500, 1_000, 8_000],
  );
  assert.equal(waitBeforeRetry({}, { ...plan, random: 0 }), 125);
  assert.equal(waitBeforeRetry({}, { ...plan, waitMaxMs: 100 }), 100);
});

test('Retry-After is read as seconds and as a date, and nothing else', () => {
  const now = Date.parse('2026-11-14T12:00:00Z');
  assert.equal(readRetryAfter('120', now), 120_000);
  assert.equal(readRetryAfter(' 0 ', now), 0);
  assert.equal(readRetryAfter('Sat, 14 Nov 2026 12:00:30 GMT', now), 30_000);
  assert.equal(readRetryAfter('Sat, 14 Nov 2026 11:00:00 GMT', now), 0);
  for (const value of [null, '', 'soon', '-1', '1.5', '2026-11-14'])
    assert.equal(readRetryAfter(value, now), undefined, String(value));
});
