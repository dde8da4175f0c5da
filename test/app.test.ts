import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
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

test('readiness reports a database that cannot be reached; liveness does not', async () => {
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

/** A proxy on this machine that adds no header of its own and names its upstream as the host, as nginx does by default. */
async function startProxy(upstream: string): Promise<string> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, host: new URL(upstream).host };
    httpRequest(upstream + (request.url ?? ''), { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  after(() => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test('metrics are for whoever has the token; to anybody else the address does not exist, on this machine and behind a proxy', async () => {
  const token = 'a-token-of-the-operator';
  const service = await startTestService({ settings: { METRICS_TOKEN: token } });
  await service.request('/api/agent/destinations');
  const proxy = await startProxy(service.url);
  for (const url of [service.url, proxy]) {
    const nothing = await fetch(`${url}/nothing-here`);
    for (const authorization of [undefined, 'Bearer a-token-of-the-operatoR', 'Bearer ', `Basic ${token}`]) {
      const refused = await fetch(`${url}/metrics`, { headers: authorization ? { authorization } : {} });
      assert.equal(refused.status, 404, `${url} ${authorization ?? ''}`);
      assert.equal(refused.headers.get('www-authenticate'), null);
      const shape = (text: string) => text.replaceAll(/req_\w+|\/(?:metrics|nothing-here)/g, '');
      assert.equal(shape(await refused.text()), shape(await nothing.clone().text()));
    }
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    assert.match(
      await answer.text(),
      /waypost_http_request_seconds_count\{route="\/api\/agent\/destinations",method="GET",status="200"\} 1/,
    );
  }
  assert.ok(
    !existsSync(join(service.app.deps.config.dataDir, 'metrics-token')),
    'a token of the settings is written nowhere',
  );
});

test('without METRICS_TOKEN the token for metrics lies in DATA_DIR, for its user alone, and is the same on every node', async () => {
  const service = await startTestService();
  const node = await startTestService({ database: service.database });
  const tokens = [service, node].map(({ app }) => {
    const file = join(app.deps.config.dataDir, 'metrics-token');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    return readFileSync(file, 'utf8');
  });
  assert.equal(tokens[0], tokens[1]);
  assert.ok((tokens[0] ?? '').length >= 40);
  for (const { url } of [service, node]) {
    const headers = { authorization: `Bearer ${tokens[0] ?? ''}` };
    assert.equal((await fetch(`${url}/metrics`, { headers })).status, 200);
    assert.equal((await fetch(`${url}/metrics`)).status, 404);
  }
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
