import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PHOTO_FOLDER } from '../../src/backup/manifest.ts';
import { addPartner } from '../../src/accounts/partners/partner.ts';
import { createNewId } from '../../src/core/ids.ts';
import { openPhotoStorage } from '../../src/photos/storage/open-storage.ts';
import { licensedFileOf } from '../../src/photos/photo-storage.ts';
import { makeTimelines } from '../bookings/timeline/made-timelines.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { TestClock } from '../harness/service/service.ts';
import { LONG } from '../harness/tier.ts';
import { addMadePhoto, fillWallet } from '../licensing/made-photo.ts';
import { waypostHere, type Said } from './commands.ts';
import { changeRows, changeRowsUnseen, rebuilt, type Contents } from './rebuilt.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-verify-test-'));
const scratch = join(folder, 'scratch');
mkdirSync(scratch);
const { TMPDIR } = process.env;
process.env['TMPDIR'] = scratch;
const FILE = join(folder, 'waypost.tar');
const source = await createTestDatabase();
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await source.drop();
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
});

async function verify(name: string, change: (contents: Contents) => void): Promise<Said> {
  const path = await rebuilt(FILE, join(folder, name), change);
  const said = await waypostHere(['backup', 'verify', path], {});
  const left = readdirSync(scratch).filter((entry) => entry.startsWith('waypost'));
  assert.deepEqual(left, [], 'nothing stays of it');
  return said;
}

describe('backup verify reports a backup whose hashes match', () => {
  let photoId = '';

  before(async () => {
    const { pool } = source;
    const clock = new TestClock();
    const newId = createNewId(clock);
    const account = { email: 'ann@partner.example', name: 'Ann' };
    const { partnerId } = await addPartner(pool, newId, clock.now(), 'svc', account);
    await makeTimelines(pool, newId, { partnerId, bookings: 2 });
    const storage = openPhotoStorage({ photoDir: join(folder, 'photos'), photoS3: undefined });
    photoId = await addMadePhoto(pool, clock);
    for (const key of [licensedFileOf(photoId), licensedFileOf(await addMadePhoto(pool, clock))])
      await storage.put(key, Buffer.from(key), 'image/jpeg');
    const agentId = newId('agt');
    await pool`
      insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at)
      values (${agentId}, 'Agent', 'Ann', 'ann@agent.example', 'Looks for tables.', now())`;
    await fillWallet(pool, clock, agentId, 5_000);
    const settings = { DATABASE_URL: source.url, DATA_DIR: folder };
    const { code, error } = await waypostHere(['backup', FILE], settings);
    assert.equal(code, 0, error);
  });

  test('and whose rows, files, ledger, timelines or answers do not', async () => {
    const { code, out, error } = await verify('changed.tar', (contents) => {
      changeRows(contents, 'place', (rows) =>
        // No index can be made of such hours.
        rows.map((row) => ({
          ...row,
          hours: '{"source": "map", "observed_at": "2026-01-01", "compiled": "none"}',
        })),
      );
      const { members, manifest } = contents;
      members.delete(PHOTO_FOLDER + licensedFileOf(photoId));
      manifest.photos.files--;
      changeRowsUnseen(contents, 'ledger_entry', (rows) =>
        rows.map((row) => ({ ...row, amount_cents: `${row['amount_cents'] ?? ''}0` })),
      );
      changeRowsUnseen(contents, 'booking_entry', (rows) => rows.slice(0, -1));
    });
    assert.equal(code, 1, out);
    assert.match(out, /^ {2}place +2 rows {2}DIFFERENT$/m);
    assert.match(out, /^Photos: 1 of 1 files? match\.\n {2}Not in the backup: full\/pho_\w+\.jpg\.$/m);
    assert.match(out, /^Timelines: 2 bookings with \d+ entries, 1 broken\.$/m);
    assert.match(out, /^Service: the search index could not be built\.$/m);
    const told =
      'the rows of place, files of photos, sums of the ledger, timelines of bookings, answers of the service';
    assert.ok(error.endsWith(` is not a reliable backup: ${told}.\n`), error);
  });

  test('as of one whose bytes were changed', async () => {
    const bytes = readFileSync(FILE);
    bytes[520] = (bytes[520] ?? 0) ^ 1;
    writeFileSync(join(folder, 'damaged.tar'), bytes);
    const { code, error } = await waypostHere(['backup', 'verify', join(folder, 'damaged.tar')], {});
    assert.equal(code, 1);
    assert.match(error, /^\S+damaged\.tar is damaged: \S+ does not match its hash\.\n$/);
  });

  if (LONG)
    test('and a row of which is gone', async () => {
      const { code, error } = await verify('gone.tar', (contents) => {
        changeRows(contents, 'booking', (rows) => rows.slice(1));
      });
      assert.equal(code, 1);
      assert.match(error, /^\S+gone\.tar is damaged: booking has 1 rows instead of 2\.\n$/);
    });
});
