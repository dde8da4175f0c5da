import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '../../src/core/errors.ts';
import { requestText, sendRaw, type RawAnswer } from '../harness/clients/raw-http.ts';
import { LONG } from '../harness/tier.ts';
import { startTestService, USER_AGENT } from '../harness/service/service.ts';
import { BODY_CASES, HEADER_CASES, MARKER, PATH_TAILS, QUERIES, type BodyCase } from './malformed-cases.ts';

const COMMON = ['Host: localhost', `User-Agent: ${USER_AGENT}`];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** One route of each kind, which meets every case in both tiers. Each other route meets one of them in the quick one. */
const IN_FULL = ['/mcp', '/api/agent/signup', '/api/agent/destinations', '/d/x', '/oauth/token'];
/** Addresses for monitoring. */
const HEALTH = ['/healthz', '/readyz'];

const service = await startTestService({
  mount: (http) => {
    http.get('/api/broken/:secret', ({ params }) => {
      throw new Error(`connection to ${JSON.stringify(params)} failed`);
    });
  },
});
/** Every path of the router, so that a new route is walked without being named here. */
const paths = listPaths(service.app.http.printRoutes({ commonPrefix: false })).filter(
  (path) => !path.startsWith('/api/broken/'),
);
const routes = await Promise.all(paths.map(async (path) => ({ path, allow: await allowedMethods(path) })));
/** For what is refused before a route is looked for: in the quick tier every fourth, and those of each kind. */
const someRoutes = routes.filter(
  ({ path }, at) => LONG || at % 4 === 0 || IN_FULL.includes(path) || HEALTH.includes(path),
);
const mcpPaths = routes.flatMap(({ path, allow }) =>
  /\/mcp$/.test(path) && allow.has('POST') ? [path] : [],
);

test('the walk knows every kind of route', () => {
  for (const known of [...IN_FULL, '/', '/openapi.json'])
    assert.ok(paths.includes(known), `${known} in ${paths.join(' ')}`);
  assert.equal(mcpPaths.length, 3);
});

test('a method that a route does not have is 405 with the methods that it has', async () => {
  for (const { path, allow } of routes) {
    const missing = METHODS.filter((one) => !allow.has(one));
    for (const method of casesFor(path, missing)) {
      const answer = await ask(method, path);
      assert.equal(answer.status, 405, `${method} ${path}`);
      assert.deepEqual(new Set(answer.headers.get('allow')?.split(', ')), allow);
      if (method !== 'HEAD') assertRefused(answer, `${method} ${path}`);
    }
    for (const method of casesFor(path, ['TRACE', 'PROPFIND', 'PURGE', 'QUERY', 'CONNECT', 'BREW', 'get']))
      assertRefused(await ask(method, path), `${method} ${path}`);
  }
});

test('a malformed body is refused on every route, whether it reads one or not', async () => {
  // Two tests below send every body to these, and check more.
  const checkedBelow = new Set(LONG ? [] : ['/api/agent/signup', '/mcp']);
  for (const { path, allow } of routes.filter((route) => !checkedBelow.has(route.path)))
    for (const method of ['POST', ...(allow.has('DELETE') ? ['DELETE'] : [])])
      for (const given of casesFor(path, BODY_CASES, ['/oauth/token'])) {
        const where = `${method} ${path} with ${given.title}`;
        assertRefused(await ask(method, path, bodyHeaders(given), bodyBytes(given)), where, path);
      }
  await assertAlive();
});

test('a malformed body to the sign-up has the status that names its fault', async () => {
  for (const given of BODY_CASES) {
    const answer = await ask('POST', '/api/agent/signup', bodyHeaders(given), bodyBytes(given));
    assert.equal(answer.status, given.rest, given.title);
    assertRefused(answer, given.title, '/api/agent/signup');
  }
});

test('a malformed body to an MCP endpoint is a JSON-RPC error with a fitting status', async () => {
  for (const path of mcpPaths)
    for (const given of casesFor(path, BODY_CASES)) {
      const answer = await ask('POST', path, bodyHeaders(given), bodyBytes(given));
      assertRefused(answer, `${path} with ${given.title}`, path);
      const { id, error } = JSON.parse(answer.body) as { id: unknown; error?: { code: number } };
      assert.deepEqual([answer.status, error?.code], given.mcp, `${path} with ${given.title}`);
      assert.equal(id, given.mcp[0] === 200 ? 1 : null, given.title);
    }
});

test('a body is JSON in every spelling of its type, and ignored where none is read', async () => {
  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json ; charset=us-ascii',
  ]) {
    const given = ['Content-Type: ' + type, 'Content-Length: 40'];
    const answer = await ask('POST', '/mcp', given, '{"jsonrpc":"2.0","id":1,"method":"ping"}');
    assert.equal(answer.status, 200, type);
  }
  const answer = await ask('GET', '/api/agent/destinations', ['Content-Length: 2'], '{"');
  assert.equal(answer.status, 200);
});

test('a malformed header never breaks a route', async () => {
  for (const { path, allow } of routes)
    for (const method of withoutHead(allow))
      for (const { title, lines } of casesFor(path, HEADER_CASES)) {
        const answer = method === 'POST' ? await list(path, lines) : await ask(method, path, lines);
        assertHarmless(answer, `${method} ${path} with ${title}`, path);
      }
  await assertAlive();
});

test('a header that cannot be right has, where it counts, the status that names its fault', async () => {
  for (const { title, lines, refused } of HEADER_CASES)
    if (refused !== undefined) assert.equal((await list(refused.path, lines)).status, refused.status, title);
});

test('a malformed query or path never breaks a route', async () => {
  for (const { path, allow } of routes)
    for (const method of withoutHead(allow))
      for (const tail of casesFor(path, [...QUERIES, ...PATH_TAILS]))
        assertHarmless(await ask(method, path + tail), `${method} ${path}${tail}`, path);
  await assertAlive();
});

test('an address that is too long, and headers that are too large, say so', async () => {
  const long = await ask('GET', `/d/${'x'.repeat(300)}`);
  assert.deepEqual([long.status, problem(long).code], [414, 'uri_too_long']);
  const tooMuch: { query?: string; lines?: string[] }[] = [
    { query: `?${'x'.repeat(20_000)}` },
    { lines: [`X-Long: ${'x'.repeat(20_000)}`] },
    { lines: Array.from({ length: 3000 }, (_, at) => `X-${at}: ${at}`) },
  ];
  for (const { path } of someRoutes)
    for (const { query = '', lines = [] } of casesFor(path, tooMuch)) {
      const answer = await ask('GET', path + query, lines);
      assert.deepEqual([answer.status, problem(answer).code], [431, 'headers_too_large'], path);
    }
});

test('bytes that are not HTTP get a problem document, on every kind of route', async () => {
  for (const { path } of someRoutes) {
    const head = `POST ${path} HTTP/1.1\r\n${COMMON.join('\r\n')}\r\nContent-Type: application/json\r\n`;
    for (const text of casesFor(path, [
      `GET ${path} HTTP/3.7\r\nHost: localhost\r\n\r\n`,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nNo colon here\r\n\r\n`,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n`,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n`,
      `${head}Content-Length: -1\r\n\r\n`,
      `${head}Content-Length: many\r\n\r\n{}`,
      `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      `${head}Content-Length: 50\r\n\r\n{"a":`,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{}`,
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}`,
      `${head}Transfer-Encoding: gzip\r\n\r\n{}`,
    ])) {
      const answer = await sendRaw(service, Buffer.from(text, 'latin1'), { halfClose: true });
      assertRefused(answer, JSON.stringify(text), path);
    }
  }
  for (const text of ['\u0016\u0003\u0001\u0002', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'hello\r\n\r\n'])
    assertRefused(await sendRaw(service, Buffer.from(text, 'latin1')), JSON.stringify(text));
  await assertAlive();
});

test('a request of HTTP/0.9 is refused where the host counts', async () => {
  for (const { path } of someRoutes) {
    const answer = await sendRaw(service, `GET ${path}\r\n\r\n`);
    assertHarmless(answer, path, path);
    assert.equal(answer.status >= 400, !HEALTH.includes(path), path);
  }
});

test('an answer to one request stays whole when garbage follows it', async () => {
  const first = requestText('GET', '/healthz', COMMON);
  const answer = await sendRaw(service, Buffer.concat([first, Buffer.from('garbage\r\n\r\n')]));
  assert.deepEqual([answer.status, answer.body], [200, '{"status":"ok"}']);
});

test('a failure of our own says nothing of its cause or of what was sent', async () => {
  const answer = await ask('GET', `/api/broken/${MARKER}`);
  assert.equal(answer.status, 500);
  assert.equal(problem(answer).code, 'internal_error');
  assert.doesNotMatch(answer.body, /zq7marker|connection|Error:|\.ts/);
});

/** All of them in the long tier and on a route of IN_FULL, else one: another one on the next route. */
function casesFor<T>(path: string, cases: readonly T[], inFull = IN_FULL): readonly T[] {
  if (LONG || inFull.includes(path)) return cases;
  const at = paths.indexOf(path) % cases.length;
  return cases.slice(at, at + 1);
}

function listPaths(tree: string): string[] {
  const stack: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^(?<indent>[│ ]*)[└├]── (?<part>\S+)(?<methods> \()?/u.exec(line)?.groups;
    if (found === undefined) return [];
    const depth = (found['indent'] ?? '').length / 4;
    stack.length = depth;
    stack.push(found['part'] ?? '');
    const path = stack.join('').replaceAll(/:\w+/g, 'x');
    return found['methods'] === undefined ? [] : [path];
  });
}

/** No route has PATCH: what it says instead is what it has. */
async function allowedMethods(path: string): Promise<Set<string>> {
  const answer = await ask('PATCH', path);
  return new Set(answer.headers.get('allow')?.split(', '));
}

function withoutHead(methods: Set<string>): Set<string> {
  return methods.difference(new Set(['HEAD']));
}

function ask(
  method: string,
  target: string,
  lines: readonly string[] = [],
  body?: string | Buffer,
): Promise<RawAnswer> {
  return sendRaw(service, requestText(method, target, [...COMMON, ...lines], body), {
    head: method === 'HEAD',
  });
}

/** A request that is right but for these headers: on MCP it is a ping, elsewhere its members are unknown. */
function list(path: string, lines: readonly string[]): Promise<RawAnswer> {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  return ask(
    'POST',
    path,
    ['Content-Type: application/json', `Content-Length: ${body.length}`, ...lines],
    body,
  );
}

function bodyHeaders({ body, types = ['application/json'], chunked }: BodyCase): string[] {
  const length =
    chunked === true ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`;
  return [...types.map((type) => `Content-Type: ${type}`), length];
}

function bodyBytes({ body, chunked }: BodyCase): string | Buffer {
  return chunked === true
    ? `${Buffer.byteLength(body).toString(16)}\r\n${body.toString()}\r\n0\r\n\r\n`
    : body;
}

interface Problem {
  status: number;
  code: string;
  error: string;
  title: string;
  detail: string;
  instance: string;
}

function problem(answer: RawAnswer, where = ''): Problem {
  const type = answer.headers.get('content-type');
  assert.equal(type, 'application/problem+json; charset=utf-8', `${where} is ${answer.status}`);
  return JSON.parse(answer.body) as Problem;
}

/** A 4xx in the form that its reader expects, which repeats nothing of what was sent. */
function assertRefused(answer: RawAnswer, where: string, path = ''): void {
  const type = answer.headers.get('content-type') ?? '';
  assert.ok(answer.headers.has('x-request-id'), `${where} has an id`);
  assert.doesNotMatch(answer.body, /zq7marker|node_modules|\.ts:|Error:/, where);
  if (mcpPaths.includes(path) && type.startsWith('application/json')) {
    const { jsonrpc, error } = JSON.parse(answer.body) as {
      jsonrpc: string;
      error?: { code: number; message: string };
    };
    assert.equal(jsonrpc, '2.0', where);
    assert.ok(error !== undefined && Number.isInteger(error.code) && error.message.length > 0, where);
    assert.ok((answer.status >= 400 && answer.status < 500) || answer.status === 200, where);
    return;
  }
  if (path.startsWith('/oauth/') && type.startsWith('application/json')) {
    // OAuth has its own form of an error (RFC 6749, 7591), and its clients read no other.
    assert.match((JSON.parse(answer.body) as { error: string }).error, /^[a-z_]+$/, where);
    assert.ok(answer.status >= 400 && answer.status < 500, `${where} is ${answer.status}`);
    return;
  }
  const { status, code, error, title, detail, instance } = problem(answer, where);
  assert.ok(answer.status >= 400 && answer.status < 500, `${where} is ${answer.status}`);
  assert.equal(status, answer.status, where);
  assert.ok(Object.hasOwn(ERRORS, code) && error === code, where);
  assert.ok(title.length > 0 && detail.length > 0, where);
  assert.equal(instance, answer.headers.get('x-request-id'), where);
}

/** Either it was of no importance to the route, or it was refused well. */
function assertHarmless(answer: RawAnswer, where: string, path: string): void {
  assert.ok(answer.headers.has('x-request-id'), `${where} has an id`);
  assert.ok(answer.status < 500, `${where} is ${answer.status}`);
  if (answer.status >= 400) assertRefused(answer, where, path);
}

async function assertAlive(): Promise<void> {
  const failures = service.logged.filter(({ level }) => level === 'error');
  assert.deepEqual(failures, [], 'nothing was logged as a failure of ours');
  assert.equal((await ask('GET', '/readyz')).status, 200);
  assert.equal((await ask('GET', '/api/agent/destinations')).status, 200);
}
