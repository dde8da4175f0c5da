import assert from 'node:assert/strict';
import { createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { safeRequest } from '../../src/core/egress/egress.ts';
import { GET, SHORT_MS, answering, policy, listen, serve, refusal } from './egress-receiver.ts';

test('the connection goes to the vetted address: the name is looked up once, and not by the socket', async () => {
  const { port, requests } = await serve((_request, response) => response.end('ok'));
  // The name does not exist: only the answer of this one lookup can lead to the server.
  const resolve = answering(['127.0.0.1'], ['192.0.2.1']);
  const allowed = policy({ allow: [`Pinned.Invalid:${port}`], resolve });
  const answer = await safeRequest(allowed, `http://pinned.invalid:${port}/a?b=c`, GET);
  assert.equal(answer.status, 200);
  assert.deepEqual(resolve.asked, ['pinned.invalid']);
  assert.deepEqual(requests, [{ method: 'GET', path: '/a?b=c', host: `pinned.invalid:${port}`, body: '' }]);
});

test('EGRESS_ALLOW opens exactly the pair that it names', async () => {
  const { port, requests } = await serve((_request, response) => response.end());
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  assert.equal((await safeRequest(allowed, `http://127.0.0.1:${port}/`, GET)).status, 200);
  for (const url of [
    `http://127.0.0.2:${port}/`,
    `http://127.0.0.1:${port === 65_535 ? 1 : port + 1}/`,
    'http://127.0.0.1/',
    `http://localhost:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://user@127.0.0.1:${port}/`,
  ])
    await refusal(safeRequest(allowed, url, GET), 'blocked_address', url);
  assert.equal(requests.length, 1);
});

test('a body is sent whole, and only the status and Retry-After come back', async () => {
  const { port, requests } = await serve((_request, response) => {
    response.writeHead(429, { 'retry-after': '30', 'x-secret': 'inside' }).end('secret');
  });
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  const body = '{"näme":"Ünïcode"}';
  const answer = await safeRequest(allowed, `http://127.0.0.1:${port}/hook`, {
    ...GET,
    method: 'POST',
    body,
  });
  assert.deepEqual(answer, { status: 429, retryAfter: '30' });
  assert.deepEqual([requests[0]?.method, requests[0]?.body], ['POST', body]);
});

test('a redirect, to the metadata address or elsewhere, is an answer and is not followed', async () => {
  const { port, requests } = await serve((_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  const answer = await safeRequest(allowed, `http://127.0.0.1:${port}/`, GET);
  assert.deepEqual(answer, { status: 302, retryAfter: undefined });
  assert.equal(requests.length, 1);
});

test('an answer that never begins ends with a timeout, and so does a name that never resolves', async () => {
  const { port } = await serve(() => undefined);
  const allowed = policy({ allow: [`127.0.0.1:${port}`], resolve: () => new Promise(() => undefined) });
  const hang = safeRequest(allowed, `http://127.0.0.1:${port}/`, { ...GET, timeoutMs: SHORT_MS });
  assert.equal((await refusal(hang, 'timeout')).status, undefined);
  await refusal(
    safeRequest(allowed, 'https://slow.example.org/', { ...GET, timeoutMs: SHORT_MS }),
    'timeout',
  );
});

test('an answer that arrives too slowly ends with a timeout that still has its status', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => {
      clearInterval(drip);
    });
  });
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  const drip = safeRequest(allowed, `http://127.0.0.1:${port}/`, { ...GET, timeoutMs: SHORT_MS });
  assert.equal((await refusal(drip, 'timeout')).status, 200);
});

test('an answer that is too large is cut off', async () => {
  const closed = Promise.withResolvers<undefined>();
  const { port } = await serve((_request, response) => {
    response.on('close', () => {
      closed.resolve(undefined);
    });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  });
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  const huge = safeRequest(allowed, `http://127.0.0.1:${port}/`, GET);
  assert.equal((await refusal(huge, 'too_large')).status, 200);
  await closed.promise;
});

test('headers without end are cut off', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'a'.repeat(1_000)}\r\n`.repeat(100)}`);
  });
  const port = await listen(server);
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  await refusal(safeRequest(allowed, `http://127.0.0.1:${port}/`, GET), 'refused');
  server.close();
});

test('a closed port, a dropped connection and an unknown name give different errors', async () => {
  const server = createTcpServer((socket) => socket.destroy());
  const port = await listen(server);
  const gone = () =>
    Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND gone.example.org'), { code: 'ENOTFOUND' }));
  const allowed = policy({ allow: [`127.0.0.1:${port}`], resolve: gone });
  const url = `http://127.0.0.1:${port}/`;
  assert.equal((await refusal(safeRequest(allowed, url, GET), 'refused')).systemCode, 'ECONNRESET');
  await new Promise((resolve) => server.close(resolve));
  assert.equal((await refusal(safeRequest(allowed, url, GET), 'refused')).systemCode, 'ECONNREFUSED');
  const nameless = await refusal(safeRequest(allowed, 'https://gone.example.org/', GET), 'dns');
  assert.equal(nameless.systemCode, 'ENOTFOUND');
  assert.doesNotMatch(nameless.message, /getaddrinfo/);
  await refusal(safeRequest(policy({ resolve: answering([]) }), 'https://empty.example.org/', GET), 'dns');
});

test('a server without a valid TLS connection and a missing server give different errors', async () => {
  const { port, requests } = await serve((_request, response) => response.end());
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  await refusal(safeRequest(allowed, `https://127.0.0.1:${port}/`, GET), 'tls');
  assert.equal(requests.length, 0);
});

test('a caller can call it off', async () => {
  const reached = Promise.withResolvers<undefined>();
  const { port } = await serve(() => {
    reached.resolve(undefined);
  });
  const stop = new AbortController();
  const allowed = policy({ allow: [`127.0.0.1:${port}`] });
  const call = safeRequest(allowed, `http://127.0.0.1:${port}/`, { ...GET, signal: stop.signal });
  await reached.promise;
  stop.abort();
  await assert.rejects(call, { name: 'AbortError' });
});
