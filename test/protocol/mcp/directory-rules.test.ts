import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../../src/surfaces/operations.ts';
import { rpc } from '../../harness/clients/mcp.ts';
import { sharedService } from '../../harness/service/shared-service.ts';

const service = await sharedService();

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  annotations: Record<string, unknown>;
}

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** With all that they have: what only the full profile lists is held to the same. */
const ENDPOINTS = ['/mcp', '/api/partner/mcp', '/api/concierge/mcp'].map((path) => `${path}?profile=full`);

const tools: (Listed & { endpoint: string })[] = [];
for (const endpoint of ENDPOINTS) {
  const { body } = await rpc(service, endpoint, { id: 1, method: 'tools/list', params: {} });
  for (const tool of body.result?.['tools'] as Listed[]) tools.push({ ...tool, endpoint });
}

/** Every text that a model reads of a tool before it calls it. */
function textsOf({ description, inputSchema }: Listed): string[] {
  return [description, ...parametersOf(inputSchema).map(([, schema]) => schema.description ?? '')];
}

function parametersOf(schema: Schema, path = ''): [string, Schema][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]): [string, Schema][] => [
    [path + name, part],
    ...parametersOf(part, `${path + name}.`),
  ]);
  return [
    ...own,
    ...[schema.items ?? [], schema.anyOf ?? []].flat().flatMap((part) => parametersOf(part, path)),
  ];
}

/** The effects of each tool that is more than a local read, written down from its code and not from its declaration. */
const HINTS: Record<string, { destructive: boolean; openWorld: boolean; idempotent: boolean; read?: true }> =
  {
    svc_submit_business: { destructive: true, openWorld: true, idempotent: false },
    svc_submit_promo: { destructive: true, openWorld: true, idempotent: false },
    svc_license_photo: { destructive: true, openWorld: false, idempotent: false },
    svc_sign_up: { destructive: false, openWorld: false, idempotent: false },
    svc_rotate_key: { destructive: true, openWorld: false, idempotent: false },
    svc_recover_key: { destructive: false, openWorld: true, idempotent: false },
    svc_change_plan: { destructive: true, openWorld: false, idempotent: false },
    svc_link_photo: { destructive: false, openWorld: false, idempotent: false },
    svc_top_up_wallet: { destructive: false, openWorld: false, idempotent: false },
    sign_up_partner: { destructive: true, openWorld: true, idempotent: false },
    check_availability: { destructive: false, openWorld: true, idempotent: true, read: true },
    request_table: { destructive: false, openWorld: true, idempotent: false },
    modify_booking: { destructive: true, openWorld: true, idempotent: false },
    cancel_booking: { destructive: true, openWorld: true, idempotent: true },
    set_webhook: { destructive: true, openWorld: true, idempotent: false },
    message_venue: { destructive: false, openWorld: true, idempotent: false },
    test_webhook: { destructive: false, openWorld: true, idempotent: false },
    redeliver_webhook: { destructive: false, openWorld: true, idempotent: false },
  };

test('every tool states the hints that mean something, and they are true', () => {
  for (const { name, annotations } of tools) {
    const told = HINTS[name];
    assert.deepEqual(
      annotations,
      {
        readOnlyHint: told === undefined || told.read === true,
        destructiveHint: told?.destructive ?? false,
        // Whether it can be repeated means something for a write only.
        ...(told === undefined || told.read === true ? {} : { idempotentHint: told.idempotent }),
        openWorldHint: told?.openWorld ?? false,
      },
      name,
    );
  }
  assert.deepEqual(
    Object.keys(HINTS).filter((name) => !tools.some((tool) => tool.name === name)),
    [],
  );
});

test('every write that is a tool declares what it does, so that no hint is left to a default', () => {
  for (const { name, effect, acts, tools: listed, furtherTools = [] } of OPERATIONS)
    if (effect !== 'read' && listed.length + furtherTools.length > 0) assert.ok(acts !== undefined, name);
});

test('tools have short names, each once on its endpoint, and titles', () => {
  for (const endpoint of ENDPOINTS) {
    const names = tools.filter((tool) => tool.endpoint === endpoint).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  }
  for (const { name, title } of tools) {
    assert.match(name, /^[a-z][a-z0-9_]{0,63}$/);
    assert.match(title, /^\S.{2,40}$/);
  }
});

test('every parameter has a description, also inside of objects', () => {
  const bare = tools.flatMap(({ name, inputSchema }) =>
    parametersOf(inputSchema)
      .filter(([, { description = '' }]) => description.trim() === '')
      .map(([path]) => `${name}.${path}`),
  );
  assert.deepEqual(bare, []);
});

test('a parameter that says what null does can be null by its own schema', () => {
  const said = tools.flatMap(({ inputSchema }) =>
    parametersOf(inputSchema).filter(([, { description = '' }]) => /\bnull\b/.test(description)),
  );
  assert.deepEqual(
    said.map(([path]) => path),
    ['url'],
  );
  for (const [path, { anyOf = [] }] of said)
    assert.ok(
      anyOf.some(({ type }) => type === 'null'),
      path,
    );
});

/** Orders to the model, and words about other tools than our own. What is to be done stands in the skills. */
const STEERING = [
  /(?:^|[.:;]\s+)(?:always|never (?!the\b)|do not|don't|prefer|use|call|make sure|ensure|begin|start|ask|show|tell|avoid|remember|leave|send|name the|wait|declare|guess)\b/i,
  /\b(?:must first|you must|you should|other tools|ignore|important|best|instead of (?:any|other|your))\b/i,
];

test('descriptions tell and do not steer, and hide nothing', () => {
  for (const tool of tools) {
    for (const text of textsOf(tool)) {
      for (const pattern of STEERING) assert.doesNotMatch(text, pattern, tool.name);
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Co}]|<!--|https?:/u, tool.name);
    }
    assert.ok(tool.description.length >= 20 && tool.description.length <= 1024, tool.name);
  }
});
