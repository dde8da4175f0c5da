import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { after, describe, test } from 'node:test';
import { EgressError, type EgressErrorCode } from '../../src/core/egress-error.ts';
import { vetUrl, type EgressPolicy, type Resolve } from '../../src/core/egress-target.ts';
import { safeRequest, type EgressRequest } from '../../src/core/egress.ts';
import { isPublicAddress } from '../../src/core/public-address.ts';

const GET: EgressRequest = { method: 'GET', headers: { 'user-agent': 'WaypostTests/1.0' } };
/** Long enough for a busy machine to connect; only answers that never end wait for it. */
const SHORT_MS = 1_000;

function answering(...answers: string[][]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve = (host: string) => {
    const answer = answers[Math.min(asked.push(host), answers.length) - 1] ?? [];
    return Promise.resolve(
      answer.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) })),
    );
  };
  return Object.assign(resolve, { asked });
}

const neverAsked: Resolve = (host) => assert.fail(`${host} was looked up`);
const PUBLIC = '93.184.216.34';

function policy(more: Partial<EgressPolicy> = {}): EgressPolicy {
  return { allow: [], resolve: neverAsked, ...more };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Seen {
  port: number;
  requests: { method: string; path: string; host: string; body: string }[];
}

/** A real server on loopback, with a note of every request that reached it. */
async function serve(answer: RequestListener): Promise<Seen> {
  const requests: Seen['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      requests.push({ method, path, host: headers.host ?? '', body });
      answer(request, response);
    });
  });
  const port = await listen(server);
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, requests };
}

async function refusal(work: Promise<unknown>, code: EgressErrorCode, what?: string): Promise<EgressError> {
  try {
    await work;
  } catch (thrown) {
    assert.ok(thrown instanceof EgressError, String(thrown));
    assert.equal(thrown.code, code, `${what ?? ''} ${thrown.message}`);
    return thrown;
  }
  return assert.fail(`${what ?? 'it'} was not refused`);
}

describe('an address outside the public internet is refused', () => {
  const inside = {
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    unspecified: ['0.0.0.0', '0.1.2.3', '::'],
    private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254'],
    'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%lo', 'fec0::1'],
    'carrier-grade NAT': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
    documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'],
    benchmark: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
    multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1'],
    reserved: ['240.0.0.1', '255.255.255.255', '192.0.0.192', '192.88.99.1', '4000::1', '100::1'],
    mapped: ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', `::ffff:${PUBLIC}`],
    compatible: ['::127.0.0.1', '::ffff:0:127.0.0.1'],
    '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:5db8:d822::1'],
    NAT64: ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1'],
    Teredo: ['2001:0:7f00:1::1'],
    'cloud host': ['168.63.129.16'],
    nonsense: ['', 'localhost', '1.2.3', '256.1.1.1'],
  };
  for (const [range, addresses] of Object.entries(inside))
    test(range, async () => {
      for (const address of addresses) {
        assert.equal(isPublicAddress(address), false, address);
        const named = policy({ resolve: answering([address]) });
        await refusal(safeRequest(named, 'https://venue.example.org/', GET), 'blocked_address', address);
      }
    });

  test('and one of the public internet is not', () => {
    for (const address of [
      PUBLIC,
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '198.20.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
    ])
      assert.equal(isPublicAddress(address), true, address);
  });
});

test('every way to write an address as a host is seen for what it is, without a lookup', async () => {
  const spellings = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
  ];
  for (const host of spellings)
    for (const url of [`https://${host}/`, `http://${host}/`])
      await refusal(safeRequest(policy(), url, { ...GET, plainHttp: true }), 'blocked_address', url);
});

test('only https without a user, on a port of the web, to a host with a public name, is called', async () => {
  const refused = [
    'http://venue.example.org/',
    'ftp://venue.example.org/',
    'file:///etc/passwd',
    'gopher://venue.example.org/',
    'data:text/plain,x',
    'javascript:1',
    'not a url',
    '//venue.example.org/',
    'https://user@venue.example.org/',
    'https://user:secret@venue.example.org/',
    'https://:secret@venue.example.org/',
    'https://venue.example.org:22/',
    'https://venue.example.org:25/',
    'https://venue.example.org:80/',
    'https://venue.example.org:5432/',
    'https://venue.example.org:6379/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://app.localhost/',
    'https://printer.local/',
    'https://printer.local./',
    'https://metadata.google.internal/',
    'https://hidden.onion/',
    'https://router.home.arpa/',
    'https://intranet/',
    'https://intranet./',
  ];
  for (const url of refused) await refusal(vetUrl(policy(), url), 'blocked_address', url);
  const resolve = answering([PUBLIC]);
  for (const url of [
    'https://venue.example.org/',
    'https://venue.example.org:8443/x',
    'https://VENUE.example.org./',
  ])
    assert.deepEqual(
      (await vetUrl(policy({ resolve }), url)).addresses,
      [{ address: PUBLIC, family: 4 }],
      url,
    );
  assert.deepEqual(new Set(resolve.asked), new Set(['venue.example.org']));
});

test('further ports come from the settings, but never one of a well-known service', async () => {
  const more = policy({ resolve: answering([PUBLIC]), ports: [9443, 22, 25] });
  assert.equal((await vetUrl(more, 'https://venue.example.org:9443/')).port, 9443);
  for (const port of [22, 25, 9444])
    await refusal(vetUrl(more, `https://venue.example.org:${port}/`), 'blocked_address', String(port));
});

test('plain http is let through for looking at websites only, and to the ports of the web', async () => {
  const resolve = answering([PUBLIC]);
  for (const url of ['http://venue.example.org/', 'http://venue.example.org:8080/'])
    assert.equal((await vetUrl(policy({ resolve }), url, { plainHttp: true })).host, 'venue.example.org');
  await refusal(
    vetUrl(policy({ resolve }), 'http://venue.example.org:23/', { plainHttp: true }),
    'blocked_address',
  );
});

test('a name that leads inside, as of 127.0.0.1.nip.io, is refused, even when only one of its addresses does', async () => {
  for (const answer of [
    ['127.0.0.1'],
    ['10.0.0.5'],
    [PUBLIC, '127.0.0.1'],
    ['2606:4700::1111', '::1'],
    ['::ffff:10.0.0.1'],
  ]) {
    const named = policy({ resolve: answering(answer) });
    await refusal(safeRequest(named, 'https://127.0.0.1.nip.io/', GET), 'blocked_address', answer.join());
  }
});

test('a name that was public when it was handed in and is private later is refused then', async () => {
  const resolve = answering([PUBLIC], ['127.0.0.1']);
  const changing = policy({ resolve });
  assert.equal((await vetUrl(changing, 'https://rebind.example.org/')).addresses[0]?.address, PUBLIC);
  await refusal(safeRequest(changing, 'https://rebind.example.org/', GET), 'blocked_address');
  assert.equal(resolve.asked.length, 2);
});

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

test('an answer that drips ends with a timeout that still tells its status', async () => {
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

test('a port where nobody listens, a line that is hung up and a name that does not exist are told apart', async () => {
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

test('a server that cannot make a safe connection is told apart from one that is not there', async () => {
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
