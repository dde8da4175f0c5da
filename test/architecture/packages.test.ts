import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { ROOT } from './root.ts';

const written = globSync('packages/*/{src,make}/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.includes('/generated/'))
  .sort();
const published = globSync('packages/*/src/**/*.ts', { cwd: ROOT });

function textOf(file: string): string {
  return readFileSync(ROOT + file, 'utf8');
}

test('files of packages are named in kebab-case, and generated files say so', () => {
  assert.ok(written.length > 5, 'packages are found');
  assert.deepEqual(
    written.filter((file) => !/\/[a-z0-9-]+\.ts$/.test(file)),
    [],
  );
  assert.deepEqual(
    published.filter(
      (file) => file.includes('/generated/') && !textOf(file).startsWith('// Made by `npm run '),
    ),
    [],
  );
});

test('the published package imports nothing but itself, and needs no package at run time', () => {
  const foreign = published.flatMap((file) =>
    ts
      .preProcessFile(textOf(file))
      .importedFiles.filter(({ fileName }) => !/^\.\.?\/[^.]/.test(fileName))
      .map(({ fileName }) => `${file} imports ${fileName}`),
  );
  assert.deepEqual(foreign, []);
  for (const file of globSync('packages/*/package.json', { cwd: ROOT })) {
    const described = JSON.parse(textOf(file)) as Record<string, unknown>;
    assert.deepEqual(
      ['dependencies', 'peerDependencies', 'optionalDependencies'].filter((kind) => kind in described),
      [],
    );
  }
});

test('the service imports nothing of a package', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT });
  assert.deepEqual(
    files.filter((file) => /from '[^']*packages\//.test(textOf(file))),
    [],
  );
});
