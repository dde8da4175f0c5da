import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rpc } from '../../harness/clients/mcp.ts';
import { CHECKOUT } from '../../harness/service/program.ts';
import { startTestService } from '../../harness/service/service.ts';
import { describedTexts, FREE_TEXTS } from './described-values.ts';

const service = await startTestService({ settings: { SERVICE_PREFIX: 'wpt' } });

interface Schema {
  enum?: string[];
  const?: string;
  $ref?: string;
  'x-enumDescriptions'?: Record<string, string>;
}

interface Document {
  info: { description: string };
  paths: Record<string, Record<string, { description: string }>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { description: string }> };
}

const openApiText = await (await service.request('/openapi.json')).text();
const document = JSON.parse(openApiText) as Document;

test('closed sets are enums in openapi.json, with one sentence for each value', () => {
  const { schemas } = document.components;
  const expected = {
    BookingMethod: ['request', 'venue_system', 'phone', 'closed', 'not_through_wpt'],
    Relationship: ['owner', 'authorized_agent', 'third_party'],
    SubmissionStatus: ['pending_review', 'approved', 'rejected', 'expired'],
    PromoKind: ['promo', 'special', 'event', 'ad'],
    Use: ['social', 'web', 'ad', 'ai_training'],
    Badge: ['mapped', 'claimed'],
    ClosureEvidence: ['website_dead', 'published_report', 'venue_said'],
    DeliveryState: ['pending', 'delivered', 'given_up'],
  };
  for (const [name, values] of Object.entries(expected)) assert.deepEqual(schemas[name]?.enum, values, name);
  for (const name of [
    'Vertical',
    'BookingStatus',
    'BookingActor',
    'ReasonCode',
    'ErrorCode',
    'FieldErrorCode',
  ])
    assert.ok((schemas[name]?.enum?.length ?? 0) > 4, name);
  for (const [name, { enum: values, 'x-enumDescriptions': sentences }] of Object.entries(schemas)) {
    if (sentences === undefined) continue;
    assert.deepEqual(Object.keys(sentences), values, name);
    for (const sentence of Object.values(sentences)) assert.match(sentence, /^\p{L}|^\d.*/u, name);
    for (const sentence of Object.values(sentences)) assert.match(sentence, /\.$/, `${name}: ${sentence}`);
  }
  assert.doesNotMatch(openApiText, /x-closed-set|\{prefix\}/);
  assert.match(document.info.description, /may grow/);
});

test('every text of every surface is a closed set with one sentence for each value, or one that nobody can list', () => {
  const texts = describedTexts('wpt');
  assert.ok(texts.length > 500);
  for (const { name, path, schema } of texts) {
    const { enum: values, const: only, 'x-enumDescriptions': sentences } = schema as Schema;
    if (values !== undefined) assert.deepEqual(Object.keys(sentences ?? {}), values, path);
    else if (only !== undefined) assert.ok(schema.description, `${path}: ${only}`);
    else if (schema['format'] === undefined && schema['pattern'] === undefined)
      assert.ok(
        FREE_TEXTS.has(name) || FREE_TEXTS.has(path),
        `${path} is a plain text: declare its values with closedSet(), or name it in FREE_TEXTS`,
      );
  }
  const met = new Set(texts.flatMap(({ name, path }) => [name, path]));
  assert.deepEqual(
    [...FREE_TEXTS].filter((text) => !met.has(text)),
    [],
    'FREE_TEXTS names what is no more',
  );
});

test('every enum of openapi.json has one sentence for each value, and is written once', () => {
  const enums: [string, Schema][] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('enum' in node && Array.isArray(node.enum)) enums.push([path, node as Schema]);
    for (const [key, value] of Object.entries(node))
      if (key !== 'example' && key !== 'examples') walk(value, `${path}/${key}`);
  };
  walk(document, '');
  assert.ok(enums.length > 40);
  for (const [path, { enum: values, 'x-enumDescriptions': sentences }] of enums) {
    assert.deepEqual(Object.keys(sentences ?? {}), values, path);
    assert.match(path, /^\/components\/schemas\/\w+$/);
  }
});

test('scopes are explained in openapi.json and in the reference', async () => {
  const { api_key: agent, partner_key: partner } = document.components.securitySchemes;
  assert.match(agent?.description ?? '', /wpt\.read: Search .* wpt\.write: Submit /);
  assert.match(partner?.description ?? '', /wpt\.partner\.read: .* wpt\.bookings: Ask /);
  const docs = await (await service.request('/docs')).text();
  for (const scope of ['wpt.read', 'wpt.write', 'wpt.partner.read', 'wpt.bookings'])
    assert.ok(docs.includes(`<code>${scope}</code>`), scope);
});

test('the reference shows the values of a closed set with their sentences', async () => {
  const docs = (await (await service.request('/docs.md')).text()).replaceAll(/\s+/g, ' ');
  assert.match(docs, /`not_through_wpt`: The venue asked not to be sent bookings/);
  assert.match(docs, /`authorized_agent`: It gave you permission/);
  assert.match(docs, /`no_answer`: The venue did not answer in time/);
  assert.match(docs, /`gluten_free`: It has dishes without gluten/);
  assert.match(docs, /`offer_lapsed`: The offer was not accepted in time/);
  assert.match(docs, /`channel_failed`: One channel to the venue failed/);
  assert.match(docs, /`unknown_field`: We do not know this field and ignored it/);
});

test('submitting says that a business must never be invented and what that costs, as a tool and over REST', async () => {
  const { body } = await rpc(service, '/mcp', { id: 1, method: 'tools/list', params: {} });
  const { tools } = body.result as unknown as {
    tools: {
      name: string;
      description: string;
      inputSchema: { properties: Record<string, { enum?: string[]; description?: string }> };
    }[];
  };
  const tool = tools.find(({ name }) => name === 'wpt_submit_business');
  const words = [tool?.description, document.paths['/api/agent/business']?.['post']?.description];
  for (const text of words) assert.match(text ?? '', /never invent a business: a key that does is revoked/);
  const { relationship } = tool?.inputSchema.properties ?? {};
  assert.deepEqual(relationship?.enum, ['owner', 'authorized_agent', 'third_party']);
  assert.match(relationship.description ?? '', /authorized_agent: It gave you permission/);
});

test('the typed client has unions of the values, with their sentences', () => {
  const types = readFileSync(join(CHECKOUT, 'packages/client/src/generated/api.ts'), 'utf8');
  assert.match(types, /BookingMethod:\s+\|? ?'request'/);
  assert.match(types, /'not_through_svc'/);
  assert.match(types, /not_through_svc: The venue asked not to be sent bookings/);
  assert.match(types, /gluten_free: It has dishes without gluten/);
  assert.match(types, /WarningCode:\s+\|? ?'unknown_field'/);
});
