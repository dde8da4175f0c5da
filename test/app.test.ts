import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from './harness/service/service.ts';

test('a request in flight is finished when the service is told to stop, and readiness falls at once', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let arrived = (): void => undefined;
  const arrival = new Promise<void>((resolve) => (arrived = resolve));
  const service = await startTestService({
    mount: (http) => {
      http.get('/slow', async () => {
        arrived();
        await held;
        return { finished: true };
      });
    },
  });
  const slow = service.request('/slow');
  await arrival;
  const closing = service.app.close();
  // A connection that is already open is still answered, a new one is not: neither finds the service ready.
  const ready = await fetch(`${service.url}/readyz`).catch(() => undefined);
  release();
  assert.ok(ready === undefined || ready.status === 503);
  assert.deepEqual(await (await slow).json(), { finished: true });
  await closing;
});

test('readiness tells a database that cannot be reached; liveness does not', async () => {
  const service = await startTestService();
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  await service.database.pool.end({ timeout: 0 });
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal(
    (await service.request('/api/agent/destinations')).status,
    200,
    'what is in memory is still served',
  );
});

test('a write without a database is a 503 that says when to come back', async () => {
  const service = await startTestService();
  await service.database.pool.end({ timeout: 0 });
  const response = await service.request('/api/agent/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      agent_name: 'Test',
      operator_name: 'Test',
      operator_email: 'a@b.example',
      purpose: 'Tests the service.',
    }),
  });
  assert.equal(response.status, 503);
  assert.equal(((await response.json()) as { code: string }).code, 'maintenance');
  assert.ok(Number(response.headers.get('retry-after')) > 0);
});

test('metrics are for this machine, or for whoever has the token', async () => {
  const token = 'a-token-of-the-operator';
  const service = await startTestService({ settings: { METRICS_TOKEN: token } });
  await service.request('/api/agent/destinations');
  const local = await fetch(`${service.url}/metrics`);
  assert.match(
    await local.text(),
    /waypost_http_request_seconds_count\{route="\/api\/agent\/destinations",method="GET",status="200"\} 1/,
  );
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  assert.equal((await fetch(`${service.url}/metrics`, { headers: forwarded })).status, 401);
  const wrong = { ...forwarded, authorization: 'Bearer a-token-of-the-operatoR' };
  assert.equal((await fetch(`${service.url}/metrics`, { headers: wrong })).status, 401);
  assert.equal(
    (await fetch(`${service.url}/metrics`, { headers: { ...forwarded, authorization: `Bearer ${token}` } }))
      .status,
    200,
  );
});

test('the log has one line for each request and no secret in it', async () => {
  const service = await startTestService();
  const key = 'svc_live_000000000000000000000000000000000000';
  await service.request('/api/agent/destinations?query=secret-question', {
    headers: { authorization: `Bearer ${key}` },
  });
  service.app.deps.log.info(
    { headers: { authorization: key, 'x-partner-key': key }, api_key: key },
    'a careless line',
  );
  const lines = service.logged.filter((line) => line['msg'] === 'request');
  assert.equal(lines.length, 1);
  assert.deepEqual([lines[0]?.['route'], lines[0]?.['status']], ['/api/agent/destinations', 401]);
  const text = JSON.stringify(service.logged);
  assert.ok(!text.includes(key) && !text.includes('secret-question'), text);
});
