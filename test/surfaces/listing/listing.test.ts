import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parseConfig } from '../../../src/config.ts';
import { OPERATIONS } from '../../../src/surfaces/operations.ts';
import { chatgptSubmission } from '../../../src/surfaces/listing/chatgpt-submission.ts';
import { installLinks } from '../../../src/surfaces/listing/install-links.ts';
import { listingOf } from '../../../src/surfaces/listing/listing.ts';
import { packet } from '../../../src/surfaces/listing/packet.ts';
import { serverJson } from '../../../src/surfaces/listing/server-json.ts';
import testCases from '../../../src/surfaces/listing/test-cases.json' with { type: 'json' };
import { describeSurfaces } from '../../../src/surfaces/surface-list.ts';

const config = parseConfig({
  BASE_URL: 'https://places.example.com',
  PARTNER_URL: 'https://partners.example.com',
  OPERATOR_NAME: 'Example Travel Ltd',
});
const listings = describeSurfaces(config).map((described) => listingOf(config, described));

const rules = JSON.parse(readFileSync(new URL('registry-rules.json', import.meta.url), 'utf8')) as object;
const ajv = new Ajv({ strict: false });
// The types of the package say that its default is a module, which it is not when Node loads it.
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
const followsRules = ajv.compile(rules);

test('server.json of every endpoint follows the rules of the registry', () => {
  const names = listings.map((listing) => {
    const made = serverJson(config, listing);
    assert.ok(followsRules(made), JSON.stringify(followsRules.errors));
    return made['name'];
  });
  assert.deepEqual(names, [
    'com.example.places/waypost-agent',
    'com.example.places/waypost-partner',
    'com.example.places/waypost-concierge',
  ]);
});

test('the rules refuse what the registry refuses', () => {
  const [listing] = listings;
  assert.ok(listing !== undefined);
  const made = serverJson(config, listing);
  for (const broken of [
    { ...made, description: 'x'.repeat(101) },
    { ...made, name: 'without-a-namespace' },
    { ...made, remotes: [{ type: 'streamable-http' }] },
    { ...made, version: undefined },
  ])
    assert.equal(followsRules(broken), false);
});

test('install links carry name and address in the format of each client', () => {
  for (const listing of listings) {
    const { name, title, url } = listing;
    const links = Object.fromEntries(installLinks(listing).map(({ client, href }) => [client, href]));
    const claude = new URL(links['Claude'] ?? '');
    assert.equal(claude.origin + claude.pathname, 'https://claude.ai/customize/connectors');
    assert.deepEqual(Object.fromEntries(claude.searchParams), {
      modal: 'add-custom-connector',
      connectorName: title,
      connectorUrl: url,
    });
    const [, code = ''] = /^vscode:mcp\/install\?(.*)$/.exec(links['VS Code'] ?? '') ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(code)), { name, type: 'http', url });
    const cursor = new URL(links['Cursor'] ?? '');
    assert.equal(
      cursor.protocol + cursor.host + cursor.pathname,
      'cursor:anysphere.cursor-deeplink/mcp/install',
    );
    assert.equal(cursor.searchParams.get('name'), name);
    const given = Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString();
    assert.deepEqual(JSON.parse(given), { url });
    const goose = new URL(links['Goose'] ?? '');
    assert.deepEqual(
      [goose.protocol, goose.host, goose.searchParams.get('type'), goose.searchParams.get('url')],
      ['goose:', 'extension', 'streamable_http', url],
    );
    assert.ok(!Object.values(links).some((href) => /[\s+]/.test(href)));
  }
});

test('the prompts for reviewers call every tool of their endpoint, and no other', () => {
  for (const { surface } of listings) {
    const there = OPERATIONS.filter(({ tools }) => tools.includes(surface)).map(({ name }) => name);
    const called = new Set(testCases.cases[surface].flatMap(({ tools }) => tools));
    assert.deepEqual([...called].sort(), there.sort(), surface);
  }
});

test('the file for ChatGPT holds what its form asks for', () => {
  for (const listing of listings) {
    const made = chatgptSubmission(config, listing, OPERATIONS) as {
      schema_version: number;
      app_info: { display_name: string; subtitle: string; description: string };
      tools: Record<string, { annotations: object; justifications: Record<string, string> }>;
      test_cases: { user_prompt: string; tools_triggered: string }[];
      negative_test_cases: { tools_triggered: null }[];
    };
    assert.equal(made.schema_version, 1);
    const { display_name, subtitle, description } = made.app_info;
    assert.ok(display_name.length <= 30 && subtitle.length <= 30 && description.length <= 4000);
    assert.ok(made.test_cases.length >= 5 && made.negative_test_cases.length >= 3);
    for (const { tools_triggered } of made.test_cases)
      for (const name of tools_triggered.split(', ')) assert.ok(name in made.tools, name);
    for (const { annotations, justifications } of Object.values(made.tools)) {
      assert.deepEqual(Object.keys(annotations), ['readOnlyHint', 'openWorldHint', 'destructiveHint']);
      assert.ok(Object.values(justifications).every((words) => words.length > 20));
    }
  }
});

test('the packet holds addresses, contact, every tool and every prompt', () => {
  for (const listing of listings) {
    const text = packet(config, listing, OPERATIONS);
    for (const part of [
      listing.url,
      'https://places.example.com/privacy',
      'https://places.example.com/terms',
      'https://places.example.com/support',
      'hello@waypost.example',
      'Example Travel Ltd',
      ...testCases.negative.map(({ prompt }) => prompt),
      ...testCases.cases[listing.surface].map(({ prompt }) => prompt),
    ])
      assert.ok(text.includes(part), part);
  }
});
