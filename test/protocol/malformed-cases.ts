/** A text in every request that shows whether an answer repeats the input. */
export const MARKER = 'zq7marker';

export interface BodyCase {
  title: string;
  body: string | Buffer;
  /** Content-Type headers; one of JSON when absent. */
  types?: readonly string[];
  chunked?: boolean;
  /** The status on a REST route that takes an object, and on an MCP endpoint with its JSON-RPC code. */
  rest: number;
  mcp: [status: number, code: number];
}

const PARSE_ERROR: [number, number] = [400, -32700];
const INVALID: [number, number] = [400, -32600];
const LARGE = `{"agent_name":"${MARKER.repeat(34_000)}"}`;

function unreadable(title: string, body: string | Buffer): BodyCase {
  return { title, body, rest: 400, mcp: PARSE_ERROR };
}

function wrongTop(title: string, body: string): BodyCase {
  return { title, body, rest: 400, mcp: INVALID };
}

function wrongType(title: string, types: readonly string[], body = `{"a":"${MARKER}"}`): BodyCase {
  return { title, body, types, rest: 415, mcp: [415, -32600] };
}

function nested(open: string, close: string, levels: number): string {
  return open.repeat(levels) + '1' + close.repeat(levels);
}

export const BODY_CASES: readonly BodyCase[] = [
  unreadable('JSON that breaks off', `{"agent_name":"${MARKER}`),
  unreadable('a JavaScript object that is not JSON', `{agent_name:'${MARKER}'}`),
  unreadable('two JSON values', `{} {}`),
  unreadable('a form', `agent_name=${MARKER}`),
  unreadable('an empty body with a type', ''),
  unreadable('white space only', ' \r\n\t '),
  unreadable('a number that JSON does not know', `{"a":NaN}`),
  unreadable('bytes that are not UTF-8', Buffer.from(`{"agent_name":"\xff\xfe${MARKER}"}`, 'latin1')),
  unreadable('an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0xae, 0x22, 0x3a, 0x31, 0x7d])),
  unreadable('a surrogate encoded as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
  unreadable('UTF-16 with its mark', Buffer.from(`\ufeff{"agent_name":"${MARKER}"}`, 'utf16le')),
  unreadable('UTF-16 without its mark', Buffer.from(`{"agent_name":"${MARKER}"}`, 'utf16le')),
  unreadable('a byte order mark', `\ufeff{"agent_name":"${MARKER}"}`),
  unreadable('raw control characters in a string', `{"agent_name":"\u0000\u0001"}`),
  unreadable('bytes that say they are compressed', Buffer.from('1f8b0800000000000003abae0500', 'hex')),
  unreadable('a member named __proto__', `{"__proto__":{"polluted":"${MARKER}"}}`),
  unreadable('a member named __proto__ in escapes', `{"\\u005f_proto_\\u005f":{"polluted":1}}`),
  unreadable('a member named __proto__ far inside', `{"a":[{"b":{"__proto__":null}}]}`),
  unreadable('arrays nested 100,000 deep', nested('[', ']', 100_000)),
  unreadable('objects nested 40,000 deep', nested('{"a":', '}', 40_000)),
  unreadable('nesting beside an escape', `{"a":"\\u0041","b":${nested('[', ']', 60_000)}}`),
  unreadable('nesting one level too deep', nested('[', ']', 33)),
  wrongTop('an array', `["${MARKER}"]`),
  wrongTop('a text', `"${MARKER}"`),
  wrongTop('null', 'null'),
  wrongTop('a number', '7'),
  wrongTop('a truth value', 'true'),
  { title: 'no body and no type', body: '', types: [], rest: 400, mcp: INVALID },
  { title: 'an empty object', body: '{}', rest: 422, mcp: INVALID },
  {
    title: 'members of the wrong type',
    body: `{"jsonrpc":2,"id":{},"method":[],"agent_name":7,"operator_name":["${MARKER}"],"operator_email":{},"purpose":null}`,
    rest: 422,
    mcp: INVALID,
  },
  {
    title: 'names that every object inherits',
    body: `{"constructor":{"prototype":{"polluted":"${MARKER}"}},"toString":1,"hasOwnProperty":2,"valueOf":3}`,
    rest: 422,
    mcp: INVALID,
  },
  {
    title: 'NUL and lone surrogates in strings',
    body: `{"jsonrpc":"2.0","id":1,"method":"\\u0000\\ud800${MARKER}","agent_name":"\\u0000\\udfff${MARKER}"}`,
    rest: 422,
    mcp: [200, -32601],
  },
  { title: 'a body of 300 kB', body: LARGE, rest: 413, mcp: [413, -32600] },
  {
    title: 'a body of 300 kB that hides its length',
    body: LARGE,
    chunked: true,
    rest: 413,
    mcp: [413, -32600],
  },
  wrongType('plain text', ['text/plain']),
  wrongType('XML', ['application/xml'], `<a>${MARKER}</a>`),
  wrongType('a form of files', ['multipart/form-data; boundary=x']),
  wrongType('another kind of JSON', ['application/json-patch+json']),
  wrongType('two types in one header', ['application/json, text/plain']),
  wrongType('two types in two headers', ['text/plain', 'application/json']),
  wrongType('a type that is none', [`;;;${MARKER}`]),
  wrongType('an empty type', ['']),
  wrongType('a body without a type', []),
];

export interface HeaderCase {
  title: string;
  lines: readonly string[];
  /** Where the header counts, and the status that its fault has there. */
  refused?: { path: string; status: number };
}

function values(name: string, given: readonly string[], refused?: HeaderCase['refused']): HeaderCase[] {
  return given.map((value) => {
    const title = `${name}: ${value.slice(0, 30)}`;
    return { title, lines: [`${name}: ${value}`], ...(refused && { refused }) };
  });
}

const AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer  ',
  `Basic ${MARKER}`,
  `Bearer ${MARKER} ${MARKER}`,
  `Bearer svc_live_${'0'.repeat(36)}`,
  'Bearer svc_partner_x',
  `Bearer ${'x'.repeat(9000)}`,
  'Bearer \xff\xfe',
  `Digest username="${MARKER}"`,
];

const PARTNER_KEYS = [
  '',
  MARKER,
  `svc_partner_${'0'.repeat(36)}`,
  `svc_live_${'0'.repeat(36)}`,
  '\xff',
  'x'.repeat(9000),
];

const IDEMPOTENCY_KEYS = ['', '"', '"never closed', '""', '"a", "b"', 'x'.repeat(256), '\xe9'];

/** Header lines that are wrong in themselves, whatever the route. */
export const HEADER_CASES: readonly HeaderCase[] = [
  ...values('Accept', ['text/plain', ';;;,,,=', 'application/json;q=0', 'application/jsonp', '*/', '\xff'], {
    path: '/mcp',
    status: 406,
  }),
  ...values('Authorization', AUTHORIZATIONS, { path: '/mcp', status: 401 }),
  ...values('X-Partner-Key', PARTNER_KEYS, { path: '/api/partner/mcp', status: 401 }),
  {
    title: 'two partner keys',
    lines: [`X-Partner-Key: ${MARKER}`, `X-Partner-Key: ${MARKER}`],
    refused: { path: '/api/concierge/mcp', status: 401 },
  },
  ...values('Mcp-Session-Id', ['', 'two words', '\xe9', 'x'.repeat(257)], { path: '/mcp', status: 400 }),
  ...values('Mcp-Session-Id', [MARKER], { path: '/mcp', status: 404 }),
  {
    title: 'two sessions',
    lines: ['Mcp-Session-Id: a', 'Mcp-Session-Id: b'],
    refused: { path: '/mcp', status: 400 },
  },
  ...values('Idempotency-Key', IDEMPOTENCY_KEYS, { path: '/api/agent/signup', status: 400 }),
  ...values('MCP-Protocol-Version', ['1999-01-01', '\xff', '2026-07-28'], { path: '/mcp', status: 400 }),
  ...values('Origin', ['null', 'not an origin', 'http://', '\xff'], { path: '/mcp', status: 403 }),
  { title: 'an expectation that nobody knows', lines: ['Expect: a-miracle'] },
  { title: 'an upgrade to another protocol', lines: ['Connection: Upgrade', 'Upgrade: websocket'] },
  {
    title: 'broken conditions',
    lines: ['If-None-Match: \xff', 'Range: bytes=9-1', 'If-Modified-Since: then'],
  },
  { title: 'broken encodings', lines: ['Accept-Encoding: \xff;q=x', 'Accept-Language: ;;;'] },
  { title: 'forwarding from nowhere', lines: [`X-Forwarded-For: ${MARKER}`, 'Forwarded: for=\xff'] },
];

/** Malformed and unusual queries. */
export const QUERIES: readonly string[] = [
  '?%zz',
  '?country=%',
  '?query=%ff%fe',
  '?query=%ed%a0%80',
  '?query=%00',
  '?country=ID&country=MC',
  '?q=1&q=2&q=3',
  '?__proto__=1&constructor=2&toString=3',
  '?__proto__[polluted]=1',
  '?&&==&=&',
  '?country=ID;DROP',
  `?${'a'.repeat(9000)}`,
  `?query=${encodeURIComponent('\u{1f600}'.repeat(81))}`,
];

/** Path tails that lead to another path, or to none. */
export const PATH_TAILS: readonly string[] = [
  '%zz',
  '%',
  '%ff',
  '/%00',
  '%2e%2e/%2e%2e',
  '//',
  '/../..',
  '\\',
  'x'.repeat(9000),
];
