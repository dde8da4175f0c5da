import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const FOLDER = new URL('../snapshots/', import.meta.url);

/** Compares with what is committed, so that a changed description shows in review. npm run snapshots writes it anew. */
export function matchSnapshot(name: string, value: unknown): void {
  const file = new URL(name, FOLDER);
  const text = typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`;
  if (process.env['UPDATE_SNAPSHOTS']) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, text);
    return;
  }
  assert.equal(
    text,
    readFileSync(file, 'utf8'),
    `${name} changed. If that is intended: npm run snapshots, and read the diff.`,
  );
}
