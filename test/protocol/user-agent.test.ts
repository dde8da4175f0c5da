import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import knownUserAgents from '../../src/protocol/http/library-user-agents.json' with { type: 'json' };
import { isRealUserAgent } from '../../src/protocol/http/user-agent.ts';

const { libraries, specials } = knownUserAgents;

const REQUIRED_TOKENS = `
  curl libcurl wget wget2 aria2 libwww-perl lwp-request www-mechanize HTTPie xh insomnia PostmanRuntime RapidAPI
  Paw Bruno node undici node-fetch axios got node-superagent superagent needle request bent ky phin wretch Deno
  Bun Dart python-requests Python-urllib python-urllib3 urllib3 python-httpx httpx aiohttp Python pycurl tornado
  Scrapy httplib2 Go-http-client go-resty resty fasthttp req okhttp Java Java-http-client Apache-HttpClient
  Apache-HttpAsyncClient Jersey Jetty ReactorNetty unirest-java Ktor Ruby Faraday Typhoeus http.rb HTTPClient
  rest-client GuzzleHttp PHP Symfony WordPress reqwest hyper ureq isahc surf RestSharp Flurl hackney mint finch
  Tesla lua-resty-http nghttp2 OpenSSL zlib libidn brotli gnutls`;

function assertRefused(value: string | undefined): void {
  assert.equal(isRealUserAgent(value), false, `accepted: ${value?.slice(0, 200) ?? 'no value'}`);
}

function assertAccepted(value: string): void {
  assert.equal(isRealUserAgent(value), true, `refused: ${value.slice(0, 200)}`);
}

function assertBareDefault(example: string): void {
  assertRefused(example);
  assertAccepted(`${example} TripBot/1.0`);
  assertAccepted(`TripBot/1.0 ${example}`);
  assertAccepted(`${example} (+https://agent.example/contact)`);
  assertAccepted(`${example} (ops@agent.example)`);
}

describe('each library of the data file is refused until the caller adds a name or a contact', () => {
  for (const { token, example, urls = [] } of libraries) {
    test(token, () => {
      const products = example.toLowerCase().split(/[\s/:;,]+/);
      assert.ok(products.includes(token.toLowerCase()), 'the example must show the token');
      assertBareDefault(example);
      assertBareDefault(`${token}/1.0`);
      assertBareDefault(`${token.toUpperCase()}/99.9-beta`);
      for (const url of urls) assertRefused(`${token}/1.0 (+${url})`);
    });
  }
});

describe('each special value of the data file is refused until the caller adds a name or a contact', () => {
  for (const { example } of specials) {
    test(example, () => {
      assertBareDefault(example);
    });
  }
});

test('the data file holds every library that the contract names, and none twice', () => {
  const tokens = libraries.map(({ token }) => token.toLowerCase());
  const required = REQUIRED_TOKENS.trim().split(/\s+/);
  assert.deepEqual(
    required.filter((token) => !tokens.includes(token.toLowerCase())),
    [],
  );
  assert.equal(new Set(tokens).size, tokens.length);
});

test('the reverse-proxy document lists the same libraries as the data file', () => {
  const document = readFileSync(new URL('../../docs/user-agent-at-the-edge.md', import.meta.url), 'utf8');
  const map = /map \$sole_product \$is_library \{\n([^}]*)\}/.exec(document)?.[1] ?? '';
  const listed = [...map.matchAll(/^ +(\S+) 1;$/gm)].map((match) => match[1]);
  assert.deepEqual(
    listed,
    libraries.map(({ token }) => token),
  );
});

describe('the cases of the contract', () => {
  const refused = [
    'node',
    'undici',
    'axios/1.7.9',
    'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
    'got (https://github.com/sindresorhus/got)',
    'python-requests/2.32.3',
    'Python-urllib/3.12',
    'python-httpx/0.28.1',
    'Python/3.12 aiohttp/3.11.2',
    'Scrapy/2.11 (+https://scrapy.org)',
    'curl/8.5.0',
    'curl/7.88.1 libcurl/7.88.1 OpenSSL/3.0 zlib/1.2',
    'Wget/1.21.2 (linux-gnu)',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'Java/17.0.2',
    'Apache-HttpClient/4.5.14 (Java/17.0.9)',
    'PostmanRuntime/7.43.0',
    'libwww-perl/6.77',
    'Dart/3.5 (dart:io)',
    '',
    'abcd',
    '-',
    'Mozilla/5.0',
    'Thunder Client (https://www.thunderclient.com)',
    'Faraday v2.12.2',
    'Symfony HttpClient (Native)',
    'Symfony HttpClient/Curl',
    'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4894',
    'Mozilla/5.0 (Linux; Linux 4.18.0-305.3.1.el8.x86_64 #1 SMP Tue Jun 1 16:14:33 UTC 2021; en-US) PowerShell/7.3.1',
  ];
  const accepted = [
    'MyAgent/1.2 (+https://example.com/agent)',
    'MyAgent/1.0 python-httpx/0.28.1',
    'python-httpx/0.28.1 (ops@example.com)',
    'curl/8.5.0 TripBot/1.0',
    'node (+https://acme.dev/bot)',
    'Claude-User/1.0',
    'TravelCo Agent',
  ];
  for (const value of refused)
    test(`refused: ${value || '(empty)'}`, () => {
      assertRefused(value);
    });
  for (const value of accepted)
    test(`accepted: ${value}`, () => {
      assertAccepted(value);
    });
  test('refused: no User-Agent at all', () => {
    assertRefused(undefined);
  });
});

describe('browsers are accepted', () => {
  const browsers = {
    'Chrome on Windows':
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    'Firefox on Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    'Safari on a Mac':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Safari on a phone':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Chrome on a phone':
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Internet Explorer 8': 'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)',
    'Internet Explorer 11': 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
  };
  for (const [name, value] of Object.entries(browsers))
    test(name, () => {
      assertAccepted(value);
    });
});

test('a contact counts wherever it stands: in a comment, nested, bare, behind a plus, a label or a semicolon', () => {
  assertAccepted('curl/8.5.0 https://acme.dev/bot');
  assertAccepted('curl/8.5.0 +https://acme.dev/bot');
  assertAccepted('curl/8.5.0 ops@acme.dev');
  assertAccepted('curl/8.5.0 (linux; (contact: <mailto:ops@acme.dev>))');
  assertAccepted('curl/8.5.0 (url=HTTPS://ACME.DEV; by ops)');
  assertAccepted('curl/8.5.0 (ops@acme.dev,desk@acme.dev)');
  assertAccepted('WordPress/6.7.1; https://travel-blog.example');
  assertAccepted('Scrapy/2.11 (+https://scrapy.org) (+https://acme.dev/bot)');
  assertAccepted('https://acme.dev/bot');
});

test("a library's own URL is no contact, however it is written, and a neighbour's URL is one", () => {
  assertRefused('Scrapy/2.11 (+http://www.scrapy.org/)');
  assertRefused('Scrapy/2.11 (+HTTPS://SCRAPY.ORG:443/doc?page=1#top)');
  assertRefused('got (https://github.com/Sindresorhus/Got/issues)');
  assertRefused('axios/1.7.9 (+https://scrapy.org)');
  assertAccepted('got (https://github.com/sindresorhus/got-fork)');
  assertAccepted('got (https://github.com/acme/bot)');
  assertAccepted('Scrapy/2.11 (+https://scrapy.org.acme.dev)');
});

test('a text that only looks like a contact is none', () => {
  for (const text of [
    'https://',
    'http://localhost:3000',
    'https://[',
    'ops@',
    '@acme.dev',
    'ops@localhost',
    'a@b.dev@c',
  ]) {
    assertRefused(`curl/8.5.0 (${text})`);
  }
  assertRefused('curl/8.5.0 (ops@acme..dev)');
  assertRefused('axios@1.7.9');
  assertRefused('curl/8.5.0 https://');
});

test('versions, punctuation and comments name nobody', () => {
  for (const value of [
    '1.2.3.4',
    '12345',
    '-----',
    '/////',
    '(TripBot/1.0)',
    'curl 8.5.0',
    'curl; v8 - / + |',
  ])
    assertRefused(value);
  assertRefused('curl/8.5.0 (like TripBot/1.0)');
  assertRefused('  node  ');
  assertRefused('"curl/8.5.0"');
  assertRefused('Mozilla/5.0 ()');
});

test('products that only a semicolon or a comma parts are read apart', () => {
  assertAccepted('curl/8.5.0;TripBot/1.0');
  assertAccepted('curl/8.5.0,TripBot/1.0');
  assertRefused('curl/8.5.0;axios/1.7.9');
});

test('a name may have digits first, or be written in any script', () => {
  assertAccepted('360Travel');
  assertAccepted('curl/8.5.0 7seas/2');
  assertAccepted('Путник/1.0');
  assertAccepted(Buffer.from('旅行者/1.0').toString('latin1'));
});

test('parentheses that do not balance hide no library default and cost no caller a name', () => {
  assertRefused('curl/8.5.0 (unclosed TripBot/1.0');
  assertRefused('curl/8.5.0 (a (b (c) d) TripBot/1.0)');
  assertRefused('curl/8.5.0 (quoted \\) TripBot/1.0)');
  assertRefused('curl/8.5.0 (\\');
  assertRefused('curl/8.5.0 ) (TripBot/1.0)');
  assertAccepted('curl/8.5.0 ))) TripBot/1.0');
  assertAccepted('curl/8.5.0 (a (b)) TripBot/1.0');
  assertAccepted('curl/8.5.0 (unclosed https://acme.dev/bot');
});

test('control characters separate words and are nothing themselves', () => {
  assertRefused('\u0000\u0001\u0002\u0003\u0004\u001f\u007f');
  assertRefused('curl/8.5.0\u0000');
  assertRefused('curl/8.5.0\r\nnode\t');
  assertAccepted('curl/8.5.0\u0000TripBot/1.0');
});

describe('a value of 100 kB is judged like any other', () => {
  const LENGTH = 100_000;
  const fill = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length));
  const pieces = [
    '(',
    ')',
    '()',
    '(\\',
    '\\',
    '-',
    '.',
    '/',
    '@',
    ':',
    '://',
    '1',
    '1.',
    'v1 ',
    '\u0000',
    'curl ',
    'http://',
  ];
  for (const piece of [...pieces, '(https://scrapy.org ', 'https://github.com/sindresorhus/got ']) {
    test(`nothing but ${JSON.stringify(piece)} is refused, and accepted with a name before it`, () => {
      assertRefused(fill(piece));
      assertRefused(`curl/8.5.0 ${fill(piece)}`);
      assertAccepted(`TripBot/1.0 ${fill(piece)}`);
    });
  }
  for (const piece of ['a', 'a.', 'é', '\ud800', '💡']) {
    test(`one long word of ${JSON.stringify(piece)} does not throw`, () => {
      assert.equal(typeof isRealUserAgent(fill(piece)), 'boolean');
      assert.equal(typeof isRealUserAgent(`a@${fill(piece)}`), 'boolean');
      assert.equal(typeof isRealUserAgent(`curl (https://${fill(piece)}`), 'boolean');
      assert.equal(typeof isRealUserAgent(`curl (https://acme.dev/${fill(piece)}`), 'boolean');
    });
  }
});
