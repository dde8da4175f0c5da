import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import ts from 'typescript';

const ROOT = new URL('../', import.meta.url).pathname;

const DOMAIN = [
  'directory',
  'answers',
  'import',
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
  'oauth',
  'jobs',
];
const SURFACES = ['people', 'discovery', 'agent', 'partner', 'concierge'];

/** Names that say nothing: whatever fits nowhere else would be put there. */
const DRAWERS =
  /^(index|types?|service|manager|repository|lib)\.ts$|(^|-)(utils?|helpers?|common|shared|misc)\.ts$/;

/** What the engine may import although the table does not say so, and why. */
const PROTOCOL_EXCEPTIONS: Record<string, string> = {
  'src/directory/attribution.ts':
    'the runner puts the attribution into every answer, so that no operation can forget it',
};
const PROTOCOL_TYPE_EXCEPTIONS: Record<string, string> = {
  'src/config.ts': 'the guards and the descriptions are made from the settings; only their type is named',
};

interface Import {
  from: string;
  to: string;
  /** Erased before the program runs. An import of types in braces only is not: the module is still loaded. */
  typeOnly: boolean;
}

const files = globSync('src/**/*.ts', { cwd: ROOT }).sort();
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(ROOT + file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
    if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return;
    found.push({ from: file, to: join(dirname(file), specifier.text), typeOnly });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

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

test('nothing but the top of the source imports the wiring at its top', () => {
  const inside = imports.filter(({ from }) => from.split('/').length > 2);
  const reaching = inside.filter(
    ({ to, typeOnly }) => to.split('/').length === 2 && !(typeOnly && to === 'src/config.ts'),
  );
  assert.deepEqual(
    reaching.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test('no module imports itself by way of others', () => {
  const graph = Map.groupBy(
    imports.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  );
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
    const source = ts.createSourceFile(file, readFileSync(ROOT + file, 'utf8'), ts.ScriptTarget.Latest);
    return source.statements.length > 0 && source.statements.every((one) => ts.isExportDeclaration(one));
  });
  assert.deepEqual(barrels, []);
});

test('files are named in kebab-case', () => {
  assert.deepEqual(
    files.filter((file) => !/^[a-z0-9-]+\.ts$/.test(file.split('/').at(-1) ?? '')),
    [],
  );
});
