import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import ts from 'typescript';
import { ROOT } from './root.ts';
import { files, sources, specifiersOf, visitNodes } from './source.ts';

const FUNCTION_LINES_MAX = 150;

const SENT_TO_VIEWS =
  'browser code of views cannot import from the service; it declares the JSON members that it reads';
/** Exported names that two files may have, and the reason. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  Booking: SENT_TO_VIEWS,
  Licence: SENT_TO_VIEWS,
  MenuSection: SENT_TO_VIEWS,
  Photo: SENT_TO_VIEWS,
  PlaceRecord: SENT_TO_VIEWS,
  Quote: SENT_TO_VIEWS,
  fold: 'the search of the reference folds text in the browser, where the service cannot be imported',
};

function moduleOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function exportedNames(file: string): string[] {
  const { statements = [] } = sources.get(file) ?? {};
  return [...statements].flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    const modifiers = ts.getModifiers(statement) ?? [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.getText()];
  });
}

test('an exported name belongs to one file, with few exceptions', () => {
  const owners = new Map<string, Set<string>>();
  for (const file of files)
    for (const name of exportedNames(file)) owners.set(name, (owners.get(name) ?? new Set()).add(file));
  assert.ok(owners.size > 1000, 'exported names are found');
  const shared = [...owners].filter(([, { size }]) => size > 1);
  assert.deepEqual(
    shared.filter(([name]) => !Object.hasOwn(SHARED_NAMES, name)).map(([name, all]) => [name, ...all]),
    [],
  );
  assert.deepEqual(
    Object.keys(SHARED_NAMES).filter((name) => !shared.some(([one]) => one === name)),
    [],
    'every exception is needed',
  );
});

test(`no function is longer than ${FUNCTION_LINES_MAX} lines`, () => {
  const long: string[] = [];
  for (const file of files)
    visitNodes(file, (node) => {
      const source = sources.get(file);
      if (source === undefined || !ts.isFunctionLike(node)) return;
      const line = (at: number) => source.getLineAndCharacterOfPosition(at).line;
      const lines = line(node.end) - line(node.getStart()) + 1;
      if (lines > FUNCTION_LINES_MAX) long.push(`${file}:${line(node.getStart()) + 1}: ${lines} lines`);
    });
  assert.deepEqual(long, []);
});

test('no folder holds a single file', () => {
  const all = globSync('src/**/*.*', { cwd: ROOT });
  const folders = Map.groupBy(all, (file) => dirname(file));
  const hasSubfolder = (folder: string) => [...folders.keys()].some((one) => dirname(one) === folder);
  assert.deepEqual(
    [...folders]
      // The format of skills requires a folder for each SKILL.md.
      .filter(
        ([folder, [only, ...others]]) =>
          others.length === 0 && !only?.endsWith('/SKILL.md') && !hasSubfolder(folder),
      )
      .map(([folder]) => folder),
    [],
  );
});

test('a module names no path of another module except in an import', () => {
  const modules = new Set(files.map(moduleOf));
  const isInAnother = (file: string, path: string) =>
    path === 'src' ||
    (path.startsWith('src/') && modules.has(moduleOf(path)) && moduleOf(path) !== moduleOf(file));
  const crossing: string[] = [];
  for (const file of files) {
    const imported = new Set(specifiersOf(file).map(({ to }) => to));
    visitNodes(file, (node) => {
      if (!ts.isStringLiteralLike(node) || !node.text.startsWith('..') || imported.has(node.text)) return;
      if (ts.isModuleDeclaration(node.parent)) return;
      if (isInAnother(file, join(dirname(file), node.text))) crossing.push(`${file} names ${node.text}`);
    });
  }
  assert.deepEqual(crossing, []);
});
