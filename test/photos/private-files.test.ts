import assert from 'node:assert/strict';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waypostHere } from '../backup/commands.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { CHECKOUT, freePort, startProgram, untilReady } from '../harness/service/program.ts';

const CLI = [process.execPath, join(CHECKOUT, 'src/cli.ts')];
const folder = mkdtempSync(join(tmpdir(), 'waypost-private-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Everything below a folder that another user of the machine could read. */
function readableByOthers(root: string): string[] {
  return [
    root,
    ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name)),
  ].filter((path) => !lstatSync(path).isSocket() && (lstatSync(path).mode & 0o077) !== 0);
}

/** Folders and files as an earlier version left them. */
function leaveOpen(dataDir: string): void {
  for (const [name, file] of [
    ['photos/full/ab', 'pho_1.jpg'],
    ['photos/upload', 'pho_2'],
    ['uploads', 'left-over'],
    ['index', 'old'],
  ] as const) {
    const path = join(dataDir, name);
    mkdirSync(path, { recursive: true, mode: 0o755 });
    writeFileSync(join(path, file), 'private', { mode: 0o644 });
    chmodSync(path, 0o755);
    chmodSync(join(path, file), 0o644);
  }
  chmodSync(join(dataDir, 'photos'), 0o755);
}

test('photos, uploads and the index are closed to other users at the next start, and so is all that is written from then on', async () => {
  const database = await createTestDatabase();
  after(() => database.drop());
  const dataDir = join(folder, 'data');
  leaveOpen(dataDir);
  const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir, PHOTO_DIR: join(dataDir, 'photos') };
  assert.notDeepEqual(readableByOthers(join(dataDir, 'photos')), []);
  const program = startProgram([...CLI, 'start'], { ...settings, PORT: String(await freePort()) });
  await untilReady(program);
  for (const name of ['photos', 'uploads', 'index'])
    assert.deepEqual(readableByOthers(join(dataDir, name)), [], name);
  const open = readableByOthers(dataDir).filter((path) => path !== dataDir);
  assert.deepEqual(open, [], 'lock, token and whatever else lies there');
});

test('a backup is for its user alone', async () => {
  const database = await createTestDatabase();
  after(() => database.drop());
  const file = join(folder, 'waypost.backup');
  const settings = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'tool') };
  const { code, error } = await waypostHere(['backup', file], settings);
  assert.equal(code, 0, error);
  assert.equal(lstatSync(file).mode & 0o777, 0o600);
});
