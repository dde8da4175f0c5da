import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript';
// Their tests run with those of this file, so that the source is read once.
import './architecture/channel-names.ts';
import './architecture/layout.ts';
import './architecture/rules.ts';
import { files, imports, sources, visitNodes, type Import } from './architecture/source.ts';

const DOMAIN = [
  'backup',
  'directory',
  'search',
  'feed',
  'demo',
  'answers',
  'import',
  'streets',
  'accounts',
  'metering',
  'submissions',
  'venue',
  'photos',
  'ledger',
  'wallet',
  'licensing',
  'bookings',
  'webhooks',
  'members',
  'messages',
  'twilio',
  'callbacks',
  'delivery',
  'oauth',
  'jobs',
  'retention',
];
const SURFACES = [
  'people',
  'discovery',
  'agent',
  'partner',
  'concierge',
  'reserve',
  'listing',
  'skills',
  'views',
];

/** Names that say nothing: whatever fits nowhere else would be put there. */
const DRAWERS =
  /^(index|types?|service|manager|repository|lib)\.ts$|(^|-)(utils?|helpers?|common|shared|misc)\.ts$/;

/** Imports that the protocol may make although the table does not allow them, and why. */
const PROTOCOL_EXCEPTIONS: Record<string, string> = {
  'src/directory/attribution.ts':
    'the runner puts the attribution into every answer, so that no operation can forget it',
};
const PROTOCOL_TYPE_EXCEPTIONS: Record<string, string> = {
  'src/config.ts': 'the guards and the descriptions are made from the settings; only their type is named',
};

/** The room of a file: `core`, `protocol`, a domain module, `surfaces/agent`; or its own name at the top. */
function roomOf(file: string): string {
  const [, first = '', second = '', third] = file.split('/');
  return first === 'surfaces' && third !== undefined ? `surfaces/${second}` : first;
}

/** The imports that leave a room and that the rule does not allow, in words. */
function trespasses(rooms: readonly string[], allowed: (room: string, one: Import) => boolean): string[] {
  return imports
    .filter((one) => rooms.includes(roomOf(one.from)) && roomOf(one.from) !== roomOf(one.to))
    .filter((one) => !allowed(roomOf(one.to), one))
    .map(({ from, to }) => `${from} imports ${to}`);
}

test('the table is held against files that exist', () => {
  const rooms = new Set(files.map(roomOf));
  for (const room of [
    'core',
    'protocol',
    'directory',
    'accounts',
    'metering',
    'surfaces/agent',
    'surfaces/people',
    'app.ts',
  ])
    assert.ok(rooms.has(room), room);
  assert.ok(imports.length > 100, 'imports are found');
  assert.ok(imports.some(({ typeOnly }) => typeOnly) && imports.some(({ typeOnly }) => !typeOnly));
});

test('every folder of the source is a room of the table', () => {
  const known = new Set([
    'core',
    'protocol',
    'surfaces',
    'commands',
    'node',
    ...DOMAIN,
    ...SURFACES.map((name) => `surfaces/${name}`),
  ]);
  const folders = new Set(files.filter((file) => file.split('/').length > 2).map(roomOf));
  assert.deepEqual(
    [...folders].filter((room) => !known.has(room) && !room.endsWith('.ts')),
    [],
  );
});

test('core imports nothing of ours', () => {
  assert.deepEqual(
    trespasses(['core'], () => false),
    [],
  );
});

test('a domain module imports core and other domain modules: no surface, no protocol, no wiring', () => {
  assert.deepEqual(
    trespasses(DOMAIN, (room) => room === 'core' || DOMAIN.includes(room)),
    [],
  );
});

test('the protocol imports core, accounts and metering, with exceptions that are written down here', () => {
  const allowed = new Set(['core', 'accounts', 'metering']);
  assert.deepEqual(
    trespasses(
      ['protocol'],
      (room, { to, typeOnly }) =>
        allowed.has(room) ||
        Object.hasOwn(PROTOCOL_EXCEPTIONS, to) ||
        (typeOnly && Object.hasOwn(PROTOCOL_TYPE_EXCEPTIONS, to)),
    ),
    [],
  );
  for (const to of Object.keys({ ...PROTOCOL_EXCEPTIONS, ...PROTOCOL_TYPE_EXCEPTIONS }))
    assert.ok(
      imports.some((one) => one.to === to && roomOf(one.from) === 'protocol'),
      `${to} is still needed`,
    );
});

test('a surface imports no other surface', () => {
  const rooms = SURFACES.map((name) => `surfaces/${name}`);
  assert.deepEqual(
    trespasses(rooms, (room) => !rooms.includes(room)),
    [],
  );
});

test('nothing but the top of the source and its commands imports the wiring at its top', () => {
  const isWiring = (file: string) => file.split('/').length === 2 || file.startsWith('src/node/');
  const inside = imports.filter(({ from }) => !isWiring(from) && !from.startsWith('src/commands/'));
  const reaching = inside.filter(({ to, typeOnly }) => isWiring(to) && !(typeOnly && to === 'src/config.ts'));
  assert.deepEqual(
    reaching.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

/** Whose each member of Deps is: the file that adds it to the interface. */
const ownersOfDeps = new Map<string, string>();
for (const file of files)
  visitNodes(file, (node) => {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'Deps')
      for (const { name } of node.members) if (name !== undefined) ownersOfDeps.set(name.getText(), file);
  });

/** The members of Deps that a file uses: `deps.mail`, or `{ mail }` of something that is Deps. */
function usedDeps(file: string): string[] {
  const used: string[] = [];
  visitNodes(file, (node) => {
    if (ts.isPropertyAccessExpression(node) && /(^|\.)deps$/.test(node.expression.getText()))
      used.push(node.name.text);
    if (!ts.isObjectBindingPattern(node)) return;
    const { parent } = node;
    if (!ts.isParameter(parent) && !ts.isVariableDeclaration(parent)) return;
    const source = `${parent.type?.getText() ?? ''} ${parent.initializer?.getText() ?? ''}`.trim();
    if (/\bDeps\b|(^|\W)deps$/.test(source))
      used.push(...node.elements.map(({ name, propertyName }) => (propertyName ?? name).getText()));
  });
  return used;
}

test('no file imports itself by way of others, imports of types included', () => {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const settled = new Set<string>();
  const visit = (file: string, way: readonly string[]): string[] => {
    if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file].join(' → ')];
    if (settled.has(file)) return [];
    const cycles = (graph.get(file) ?? []).flatMap(({ to }) => visit(to, [...way, file]));
    settled.add(file);
    return cycles;
  };
  assert.deepEqual(
    files.flatMap((file) => visit(file, [])),
    [],
  );
});

test('there is no barrel and no drawer', () => {
  assert.deepEqual(
    files.filter((file) => DRAWERS.test(file.split('/').at(-1) ?? '')),
    [],
  );
  const barrels = files.filter((file) => {
    const { statements = [] } = sources.get(file) ?? {};
    return statements.length > 0 && statements.every((one) => ts.isExportDeclaration(one));
  });
  assert.deepEqual(barrels, []);
});

test('files are named in kebab-case', () => {
  assert.deepEqual(
    files.filter((file) => !/^[a-z0-9-]+(?:\.d)?\.ts$/.test(file.split('/').at(-1) ?? '')),
    [],
  );
});

test('no module needs itself by way of others, what it has through Deps included', () => {
  const moduleOf = (file: string) => file.split('/')[1] ?? '';
  const needs = new Map<string, Set<string>>();
  const add = (from: string, to: string | undefined) => {
    if (to === undefined || from.split('/').length === 2 || moduleOf(from) === moduleOf(to)) return;
    const set = needs.get(moduleOf(from)) ?? new Set();
    needs.set(moduleOf(from), set.add(moduleOf(to)));
  };
  for (const { from, to } of imports) add(from, to);
  for (const file of files) for (const name of usedDeps(file)) add(file, ownersOfDeps.get(name));
  assert.ok(needs.get('messages')?.has('twilio'), 'what is had through Deps is found');
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of needs.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  assert.deepEqual(
    [...needs.keys()].filter((module) => reached(module).has(module)),
    [],
  );
});
