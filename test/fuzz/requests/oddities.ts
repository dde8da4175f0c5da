import fc from 'fast-check';
import type { HttpRequest } from '../send.ts';
import { hostileText } from './hostile.ts';

/** Something about a request that no well-behaved client does: in how it is sent, not in what it asks. */
export interface Oddity {
  kind: 'method' | 'header' | 'type' | 'body' | 'target' | 'accept' | 'agent' | 'host';
  value: string;
}

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PURGE',
  'BREW',
];
const TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  ';;;',
  '',
  'application/x-www-form-urlencoded',
  'application/json, text/plain',
];
const ACCEPTS = [
  'text/plain',
  'application/xml',
  '*/',
  ';;;',
  'application/json;q=0',
  'text/html',
  'text/event-stream',
  '*/*',
];
const AGENTS = ['', '-', 'curl/8.5.0', 'python-requests/2.32.3', 'node'];
const HOSTS = ['evil.example', '', 'a b', '127.0.0.1:1@evil.example', 'localhost'];
const TAILS = [
  '%',
  '%zz',
  '%ff',
  '%00',
  '/',
  '//',
  '/../..',
  '?',
  '?%zz',
  '?a=1&a=2',
  '?__proto__=1',
  '?limit=5&limit=6',
  '#x',
  ';x=1',
  '%2e%2e',
  '\\',
];
const BODIES = [
  'truncated',
  'bytes',
  'overlong',
  'mark',
  'nul',
  'twice',
  'array',
  'text',
  'empty',
  'deep',
  'large',
  'proto',
  'duplicate',
  'utf16',
  'nan',
];
const NAMES = [
  'Idempotency-Key',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Origin',
  'If-None-Match',
  'Range',
  'Accept-Language',
  'X-Forwarded-For',
  'Forwarded',
  'X-Forwarded-Host',
  'Cookie',
  'Authorization',
  'X-Partner-Key',
  'Content-Encoding',
  'Sec-Fetch-Site',
  'X-HTTP-Method-Override',
  'Expect',
  'Api-User-Agent',
  'If-Modified-Since',
  'Referer',
];

const fixed = (kind: Oddity['kind'], values: readonly string[]) =>
  fc.constantFrom(...values).map((value): Oddity => ({ kind, value }));

export const oddity: fc.Arbitrary<Oddity> = fc.oneof(
  fixed('method', METHODS),
  fixed('type', TYPES),
  fixed('accept', ACCEPTS),
  fixed('agent', AGENTS),
  fixed('host', HOSTS),
  fixed('target', TAILS),
  { weight: 4, arbitrary: fixed('body', BODIES) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...NAMES),
        fc.oneof(hostileText, fc.constantFrom('null', '*', '"a"', '"a", "b"', 'bytes=9-1', 'x'.repeat(257))),
      )
      .map(([name, value]): Oddity => ({ kind: 'header', value: `${name}: ${headerText(value)}` })),
  },
);

/** No client and no server lets other characters into a header. */
function headerText(text: string): string {
  return text
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .trim()
    .slice(0, 3_000);
}

/** The same request, made odd. */
export function madeOdd(request: HttpRequest, { kind, value }: Oddity): HttpRequest {
  switch (kind) {
    case 'method':
      return { ...request, method: value };
    case 'target':
      return { ...request, target: request.target + value };
    case 'type':
      return withHeader(request, 'Content-Type', value);
    case 'accept':
      return withHeader(request, 'Accept', value);
    case 'agent':
      return withHeader(request, 'User-Agent', value);
    case 'host':
      return withHeader(request, 'Host', value);
    case 'header': {
      const at = value.indexOf(': ');
      return { ...request, headers: [...request.headers, [value.slice(0, at), value.slice(at + 2)]] };
    }
    case 'body':
      return request.body === undefined ? request : { ...request, body: spoiled(request.body, value) };
  }
}

function withHeader(request: HttpRequest, name: string, value: string): HttpRequest {
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  return { ...request, headers: [...others, [name, value]] };
}

function spoiled(body: Buffer, how: string): Buffer {
  const text = body.toString('utf8');
  switch (how) {
    case 'truncated':
      return body.subarray(0, Math.floor(body.length / 2));
    case 'bytes':
      return Buffer.concat([body.subarray(0, 5), Buffer.from([0xff, 0xfe, 0x80]), body.subarray(5)]);
    case 'overlong':
      return Buffer.concat([body.subarray(0, -1), Buffer.from([0xc0, 0xae]), body.subarray(-1)]);
    case 'mark':
      return Buffer.from(`\ufeff${text}`);
    case 'nul':
      return Buffer.concat([body, Buffer.from([0])]);
    case 'twice':
      return Buffer.from(text + text);
    case 'array':
      return Buffer.from(`[${text}]`);
    case 'text':
      return Buffer.from(JSON.stringify(text));
    case 'empty':
      return Buffer.alloc(0);
    case 'deep':
      return Buffer.from('{"a":'.repeat(3_000) + '1' + '}'.repeat(3_000));
    case 'large':
      return Buffer.from(text.replace(/\}$/, `,"z":"${'x'.repeat(300_000)}"}`));
    case 'proto':
      return Buffer.from(text.replace(/^\{/, '{"__proto__":{"admin":true},'));
    case 'duplicate':
      return Buffer.from(text.replace(/^\{("[^"]+"):/, '{$1:null,$1:'));
    case 'utf16':
      return Buffer.from(text, 'utf16le');
    default:
      return Buffer.from(text.replace(/:("[^"]*"|\d+)/, ':NaN'));
  }
}
