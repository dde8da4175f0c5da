import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

const PACKAGE = join(import.meta.dirname, '../../packages/client');

interface Described {
  exports: Record<string, string | { types: string; default: string }>;
  files: string[];
}

test('the package depends on nothing, may be published, and every entry of it has a source', async () => {
  const described = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')) as Described;
  assert.ok(!('dependencies' in described) && !('private' in described));
  assert.deepEqual(described.files, ['dist']);
  for (const entry of Object.values(described.exports)) {
    if (typeof entry === 'string') continue;
    const [, name = ''] = /^\.\/dist\/(\w+)\.js$/.exec(entry.default) ?? [];
    assert.equal(entry.types, `./dist/${name}.d.ts`);
    assert.match(await readFile(join(PACKAGE, 'src', `${name}.ts`), 'utf8'), /^export /m);
  }
});
