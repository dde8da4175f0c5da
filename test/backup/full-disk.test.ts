import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTestDatabase } from '../harness/service/database.ts';
import { LONG } from '../harness/tier.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';
import { waypost, waypostHere } from './commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-full-backup-'));
const FILE = join(folder, 'waypost.tar');
const source = await createTestDatabase();
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await source.drop();
});
const disk = mountSmallDisk('32k');
const { skip } = disk;
const from = { DATABASE_URL: source.url, PHOTO_DIR: join(folder, 'photos') };

test(
  'a disk that fills in the middle of a backup leaves none, and one with room gets it',
  { skip },
  async () => {
    const path = join(disk.folder, 'waypost.tar');
    const { code, error } = await waypostHere(['backup', path], from);
    assert.deepEqual([code, error], [1, `The disk of ${path} is full. The incomplete backup was deleted.\n`]);
    assert.deepEqual(readdirSync(disk.folder), []);
    assert.equal((await waypostHere(['backup', FILE], from)).code, 0);
  },
);

test(
  LONG
    ? 'one that fills at the first start, or in the middle of a restore, is told, and the next run mends it'
    : 'one that has no room for a restore is told before anything is made',
  { skip },
  async () => {
    disk.resize('20m');
    const settings = { DATA_DIR: join(disk.folder, 'data') };
    if (LONG) {
      const started = await waypost(['start'], settings);
      const told = `The disk of ${settings.DATA_DIR} is full. Free some space there and start again.\n`;
      assert.deepEqual([started.code, started.error], [1, told]);
    }

    const small = await waypostHere(['restore', FILE], settings);
    assert.equal(small.code, 1);
    assert.match(
      small.error,
      /^The disk of .* has \d+ MB free, and the restore needs about \d+ MB\. Nothing was restored\.\n$/,
    );

    if (!LONG) return;
    // Room for a new server, and not for what it writes before it answers.
    disk.resize('56m');
    const half = await waypost(['restore', FILE], settings);
    assert.deepEqual([half.code, half.error], [1, 'The disk is full. Nothing was restored.\n']);
    assert.ok(!existsSync(join(settings.DATA_DIR, 'postgres')), 'nothing is left of it');

    disk.resize('1g');
    const whole = await waypost(['restore', FILE], settings);
    assert.equal(whole.code, 0, whole.error);
    const migrated = await waypost(['migrate'], settings);
    assert.equal(migrated.code, 0, migrated.error);
    assert.match(migrated.out, /^The tables are up to date\.\nWritten to /);
  },
);
