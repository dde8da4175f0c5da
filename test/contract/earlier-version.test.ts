import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRORS } from '../../src/core/errors.ts';
import { dereference } from '../harness/clients/dereference.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { sharedService } from '../harness/service/shared-service.ts';

interface Version {
  routes: Record<string, { takes: string[]; gives: string[] }>;
  tools: Record<string, Record<string, string[]>>;
  codes: string[];
}

interface Schema {
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Described {
  parameters?: { in: string; name: string }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

type Content = { content?: Record<string, { schema: Schema }> };

const earlier = JSON.parse(readFileSync(new URL('earlier-version.json', import.meta.url), 'utf8')) as Version;
const service = await sharedService();
const PATHS = { agent: '/mcp', partner: '/api/partner/mcp', concierge: '/api/concierge/mcp' };

function membersOf({ properties = {}, allOf = [], anyOf = [], oneOf = [] }: Schema): string[] {
  return [...Object.keys(properties), ...[...allOf, ...anyOf, ...oneOf].flatMap(membersOf)];
}

function bodyMembers({ content = {} }: Content): string[] {
  return Object.values(content).flatMap(({ schema }) => membersOf(schema));
}

/** The names by which a program calls and reads, each as one line. */
function namesOf({ routes, tools, codes }: Version): Set<string> {
  return new Set([
    ...Object.entries(routes).flatMap(([route, { takes, gives }]) => [
      route,
      ...takes.map((name) => `${route} takes ${name}`),
      ...gives.map((name) => `${route} gives ${name}`),
    ]),
    ...Object.entries(tools).flatMap(([surface, those]) =>
      Object.entries(those).flatMap(([tool, takes]) => [
        `${surface} ${tool}`,
        ...takes.map((name) => `${surface} ${tool} takes ${name}`),
      ]),
    ),
    ...codes.map((code) => `code ${code}`),
  ]);
}

async function currentVersion(): Promise<Version> {
  const document = (await (await service.request('/openapi.json')).json()) as object;
  const { paths } = dereference(document) as { paths: Record<string, Record<string, Described>> };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody = {}, responses }]) => {
      const asked = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const gives = answers.flatMap(([, answer]) => bodyMembers(answer));
      return [`${method.toUpperCase()} ${path}`, { takes: [...asked, ...bodyMembers(requestBody)], gives }];
    }),
  );
  const tools: Version['tools'] = {};
  for (const [surface, path] of Object.entries(PATHS)) {
    const { body } = await rpc(service, path, { id: 1, method: 'tools/list', params: {} });
    const listed = body.result?.['tools'] as { name: string; inputSchema: Schema }[];
    tools[surface] = Object.fromEntries(
      listed.map(({ name, inputSchema }) => [name, membersOf(inputSchema)]),
    );
  }
  return { routes: Object.fromEntries(routes) as Version['routes'], tools, codes: Object.keys(ERRORS) };
}

test('everything in an earlier version still exists, or has its line in /changelog.json', async () => {
  const current = namesOf(await currentVersion());
  const gone = [...namesOf(earlier)].filter((name) => !current.has(name));
  const { changes } = (await (await service.request('/changelog.json')).json()) as {
    changes: { kind: string; surface: string; what: string; instead?: string }[];
  };
  const told = changes.filter(({ kind }) => ['renamed', 'deprecated', 'removed'].includes(kind));
  // Leaves out members of a route or tool that is itself gone.
  const whole = gone.filter(
    (name) => !gone.some((other) => name.startsWith(`${other} takes `) || name.startsWith(`${other} gives `)),
  );
  const untold = whole.filter((name) => {
    const word = name.replace(/^(?:code|agent|partner|concierge) /, '');
    return !told.some(({ what, instead }) => what.includes(word) && instead !== undefined);
  });
  assert.deepEqual(untold, []);
  // So much is known to have gone: the comparison finds it.
  assert.ok(
    ['POST /api/agent/rotate', 'concierge list_destinations', 'code licence_refunded'].every((name) =>
      whole.includes(name),
    ),
  );
});
