import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The version of this program, and the commit it was taken from where that is known. */
export const RELEASE: { version: string; commit: string } = {
  version: (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version,
  commit: readCommit(),
};

/** The image has a file COMMIT, a checkout its own notes. */
function readCommit(): string {
  const given = textOf(join(ROOT, 'COMMIT'));
  if (given) return given;
  const checkout = /^gitdir: (.*)$/.exec(textOf(join(ROOT, '.git')))?.[1] ?? join(ROOT, '.git');
  const head = textOf(join(checkout, 'HEAD'));
  const ref = /^ref: (.*)$/.exec(head)?.[1];
  if (ref === undefined) return head || 'unknown';
  const shared = join(checkout, textOf(join(checkout, 'commondir')) || '.');
  const packed = textOf(join(shared, 'packed-refs')).split('\n');
  return (
    textOf(join(shared, ref)) || packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] || 'unknown'
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
