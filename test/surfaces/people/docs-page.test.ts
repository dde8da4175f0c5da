import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ERRORS } from '../../../src/core/errors.ts';
import { docsPage } from '../../../src/surfaces/people/docs/docs-page.ts';
import { curl } from '../../../src/surfaces/people/docs/topics/examples.ts';
import { sampleOpenApi, sampleSurfaces } from './samples.ts';

const site = {
  serviceName: 'Waypost',
  providerName: 'Mapwright',
  baseUrl: 'http://127.0.0.1:3000',
  partnerUrl: 'http://127.0.0.1:3000',
  attribution: { text: 'Place data © OpenStreetMap contributors (ODbL).', links: [] },
  demo: false,
  testPayments: false,
};
const openapi = sampleOpenApi('words');
const surfaces = sampleSurfaces('words');
const model = { site, openapi, surfaces, prefix: 'svc', now: new Date('2026-11-14T12:00:00Z') };
const markup = docsPage(model);
const text = markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('Every operation and every tool has a topic of its own and an entry in the contents', () => {
  for (const path of Object.keys(openapi.paths ?? {})) {
    const [, , , id = ''] = path.split('/');
    assert.ok(markup.includes(`href="#${id}"`) && markup.includes(`id="${id}"`), id);
    assert.ok(markup.includes(`<code>${path}</code>`), path);
  }
  for (const { title, url, tools } of surfaces) {
    assert.ok(text.includes(url));
    for (const { name } of tools) {
      const id = `mcp-${title.toLowerCase()}-${name}`;
      assert.ok(markup.includes(`href="#${id}"`) && markup.includes(`id="${id}"`), id);
    }
  }
});

test('A field shows its type, whether it must be sent, its limits, its default and its allowed values', () => {
  assert.match(text, /place_id string required words matches \^plc_\[0-9a-z\]\{26\}\$/);
  assert.match(text, /limit integer 1 to 50; default 20/);
  assert.match(text, /rating number or null words/);
  assert.match(text, /method string one of request , phone , words/);
  assert.match(text, /places array of object at most 20 items places\[\]\.name string/);
});

test('The reader learns which key an operation needs, and the example sends it', () => {
  assert.match(text, /Needs: your key as a bearer token\./);
  assert.match(text, /-H &quot;Authorization: Bearer \$KEY&quot;/);
  const open = docsPage({ ...model, openapi: { ...openapi, security: [] } });
  assert.match(open, /No key needed\./);
  assert.doesNotMatch(open.slice(open.indexOf('id="rest-')), /\$KEY/);
});

test('Every error code stands in the table with its status', () => {
  for (const [code, [status]] of Object.entries(ERRORS)) {
    assert.match(markup, new RegExp(`id="error-${code}">\\s*<td>${status}</td>`), code);
  }
});

test('The guides explain the first call, credentials, every surface, errors, limits, repeats, sessions, attribution', () => {
  for (const id of [
    'quick-start',
    'running-examples',
    'user-agent',
    'credentials',
    'submissions',
    'partner-calls',
    'tables',
    'photo-licences',
    'errors',
    'rate-limits',
    'idempotency',
    'mcp',
    'attribution',
  ]) {
    assert.ok(markup.includes(`id="${id}"`), id);
  }
  assert.ok(text.includes(site.attribution.text));
});

test('An example command reaches the shell as it was meant, whatever quotes are in the data', () => {
  const body = { name: `it's "$(touch x)" \`id\` \\ ${'long '.repeat(20)}` };
  const command = curl({ url: `http://127.0.0.1/?a=1&b='`, headers: [`X: it's`], body });
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
    encoding: 'utf8',
  });
  const words = printed.split('\0');
  assert.equal(words[0], `http://127.0.0.1/?a=1&b='`);
  assert.ok(words.includes(`X: it's`));
  assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1] ?? ''), body);
});
