import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from './root.ts';

/** A file, a folder or a pattern of ours that a sentence names. */
const NAMED = /(?<![\w./-])(?:src|test)\/[\w./*-]*[\w/*]/g;
/** A decision that another one replaced may tell of what is gone; it says so in its first lines. */
const REPLACED = /^# .+\n+Replaced by \[decision \d+\]/;

test('every path that a document names exists, but in decisions that were replaced', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
  const texts = documents.map((document) => [document, readFileSync(ROOT + document, 'utf8')] as const);
  const named = texts
    .filter(([, text]) => !REPLACED.test(text))
    .flatMap(([document, text]) => [...new Set(text.match(NAMED))].map((path) => ({ document, path })));
  assert.ok(named.length > 50, 'paths are found');
  const exists = (path: string) =>
    path.includes('*') ? globSync(path, { cwd: ROOT }).length > 0 : existsSync(ROOT + path);
  const there = new Map([...new Set(named.map(({ path }) => path))].map((path) => [path, exists(path)]));
  assert.deepEqual(
    named.filter(({ path }) => there.get(path) !== true),
    [],
  );
});
