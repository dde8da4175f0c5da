import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { tableMember } from '../../src/backup/manifest.ts';
import { tarHeader } from '../../src/backup/write-archive.ts';
import { createPlainDatabase, createTestDatabase } from '../harness/service/database.ts';
import { LONG } from '../harness/tier.ts';
import { waypostHere } from './commands.ts';
import { changeRowsUnseen, rebuilt, type Contents } from './rebuilt.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-hostile-'));
const FILE = join(folder, 'waypost.tar');
const source = await createTestDatabase();
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await source.drop();
});
before(async () => {
  const { code, error } = await waypostHere(['backup', FILE], { DATABASE_URL: source.url, DATA_DIR: folder });
  assert.equal(code, 0, error);
});

let made = 0;
function changed(change: (contents: Contents) => unknown): Promise<string> {
  return rebuilt(FILE, join(folder, `changed-${++made}.tar`), change);
}

function written(bytes: Buffer): string {
  const file = join(folder, `written-${++made}.tar`);
  writeFileSync(file, bytes);
  return file;
}

/** A header whose bytes were changed and whose sum fits them. */
async function header(change: (bytes: Buffer) => void): Promise<Buffer> {
  const bytes = await tarHeader('manifest.json', 0, new Date(0));
  change(bytes);
  bytes.fill(0x20, 148, 156);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** An extension header, which gives the next member another name. */
async function extension(type: 'L' | 'x' | 'g'): Promise<Buffer> {
  const name = Buffer.alloc(512);
  name.write('19 path=other.json\n');
  return Buffer.concat([
    await header((bytes) => {
      bytes.write('00000000023', 124);
      bytes.write(type, 156);
    }),
    name,
  ]);
}

/** Restores it where nothing is, and gives the one sentence with which that ends. */
async function refused(file: string, settings: Record<string, string> = {}): Promise<string> {
  const dataDir = join(folder, `untouched-${++made}`);
  const { code, out, error } = await waypostHere(['restore', file], { DATA_DIR: dataDir, ...settings });
  assert.equal(code, 1, out);
  assert.equal(error.trim().split('\n').length, 1, error);
  assert.doesNotMatch(error, /^\s+at /m);
  assert.ok(!existsSync(join(dataDir, 'postgres')), 'nothing was made');
  assert.ok(!existsSync(join(dataDir, 'photos', 'evil')), 'no photo was written');
  return error;
}

test('an entry that is no plain file, or has an impossible size or name, is refused before anything is written', async () => {
  const fifo = join(folder, 'pipe');
  execFileSync('mkfifo', [fifo]);
  const cases: [string, RegExp][] = [
    [fifo, /is not a backup: it is not a file/],
    [folder, /is not a backup: it is not a file/],
    ['/dev/zero', /is not a backup: it is not a file/],
    [written(Buffer.alloc(0)), /is not a backup/],
    [written(Buffer.alloc(2048)), /is damaged: SHA256SUMS is missing from it/],
    [written(await header((bytes) => bytes.write('-0000000001', 124))), /is not a backup/],
    [written(await header((bytes) => bytes.fill(0xff, 124, 136))), /is not a backup/],
    [written(await header((bytes) => bytes.write('77777777777', 124))), /is truncated/],
    // A symbolic link, a folder and a device.
    [written(await header((bytes) => bytes.write('2', 156))), /is not a backup/],
    [written(await header((bytes) => bytes.write('5', 156))), /is not a backup/],
    [written(await header((bytes) => bytes.write('3', 156))), /is not a backup/],
    // Headers that would give the next member another name or size, and a size in an unknown encoding.
    [written(await header((bytes) => bytes.fill(0x90, 124, 136))), /is not a backup/],
    [written(Buffer.concat([await extension('L'), readFileSync(FILE)])), /is not a backup/],
    [written(Buffer.concat([await extension('x'), readFileSync(FILE)])), /is not a backup/],
    [written(Buffer.concat([await extension('g'), readFileSync(FILE)])), /is not a backup/],
    [written(Buffer.concat([readFileSync(FILE), readFileSync(FILE)])), /is damaged at byte/],
    [written(readFileSync(FILE).subarray(0, -1024)), /is truncated/],
    [written(readFileSync(FILE).subarray(0, -1030)), /is truncated/],
    [await changed(({ members }) => members.set('../evil', Buffer.from('x'))), /has no usable name/],
    [
      await changed(({ members }) => members.set('photos/../../evil', Buffer.from('x'))),
      /has no usable name/,
    ],
    [await changed(({ members }) => members.set('/etc/evil', Buffer.from('x'))), /has no usable name/],
    [written(Buffer.concat([readFileSync(FILE).subarray(0, -1024), readFileSync(FILE)])), /twice/],
  ];
  for (const [file, sentence] of cases) assert.match(await refused(file), sentence, file);
});

test('a manifest that says what cannot be is refused with the name of what is wrong', async () => {
  const cases: [(contents: Contents) => unknown, RegExp][] = [
    [({ manifest }) => delete (manifest as Partial<typeof manifest>).tables, /no usable tables/],
    [({ manifest }) => (manifest.jobs.rows = -1), /no usable jobs\.rows/],
    [({ manifest }) => (manifest.made_at = '\u001b[2Jevil'), /no usable made_at/],
    [({ manifest }) => (manifest.service_prefix = '\n$(evil)'), /no usable service_prefix/],
    [({ manifest }) => manifest.photos.missing.push('../evil'), /no usable photos\.missing/],
    [
      ({ manifest }) => manifest.sequences.push({ name: 'x"; drop', last: '1', called: true }),
      /no usable sequences/,
    ],
    [
      ({ manifest: { tables } }) => Object.assign(tables[0] ?? {}, { bytes: 1e15 }),
      /the restore needs about/,
    ],
  ];
  for (const [change, sentence] of cases) assert.match(await refused(await changed(change)), sentence);
});

test('content that cannot be loaded leaves nothing, and one sentence says so', async () => {
  const first = 'destination';
  const { url, drop } = await createPlainDatabase();
  after(drop);
  const cases: [(contents: Contents) => unknown, RegExp][] = [
    // 64 MB out of a few bytes, without the end of a row at which the database could refuse them first.
    [
      ({ members }) => members.set(tableMember(first), zstdCompressSync(Buffer.alloc(2 ** 26, 'x'))),
      /unpacks to more than/,
    ],
    [({ members }) => members.set(tableMember(first), Buffer.from('no zstd')), /cannot be restored|unpack/],
    [({ members }) => void members.delete(tableMember(first)), /tables\/.* is missing from it/],
    [
      (all) => {
        changeRowsUnseen(all, first, (rows) => [{ ...rows[0], lat: '1000' }]);
      },
      /cannot be restored/,
    ],
    [({ members }) => members.set('photos/e.v/il', Buffer.from('x')), /is not a photo file/],
  ];
  /** Others that the database refuses. */
  const more: typeof cases = [
    [
      (all) => {
        changeRowsUnseen(all, first, (rows) => [{ ...rows[0], lat: 'evil' }]);
      },
      /cannot be restored/,
    ],
    [
      ({ manifest }) => manifest.tables.find(({ name }) => name === first)?.columns.push('evil'),
      /cannot be restored/,
    ],
    [
      ({ manifest }) => manifest.sequences.push({ name: 'evil', last: '1', called: true }),
      /cannot be restored/,
    ],
  ];
  for (const [change, sentence] of LONG ? [...cases, ...more] : cases)
    assert.match(await refused(await changed(change), { DATABASE_URL: url }), sentence);
  // Had one of them left anything, the whole backup would be refused now.
  const { code, error } = await waypostHere(['restore', FILE], {
    DATABASE_URL: url,
    DATA_DIR: join(folder, 'whole'),
  });
  assert.equal(code, 0, error);
});
