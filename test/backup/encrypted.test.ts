import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { addPartner } from '../../src/accounts/partners/partner.ts';
import { createNewId } from '../../src/core/ids.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { makeTimelines } from '../bookings/timeline/made-timelines.ts';
import { createPlainDatabase, createTestDatabase } from '../harness/service/database.ts';
import { TestClock } from '../harness/service/service.ts';
import { waypostHere } from './commands.ts';

const base = mkdtempSync(join(tmpdir(), 'waypost-encrypted-'));
const scratch = join(base, 'scratch');
mkdirSync(scratch);
const { TMPDIR } = process.env;
process.env['TMPDIR'] = scratch;
const source = await createTestDatabase();
after(async () => {
  rmSync(base, { recursive: true, force: true });
  await source.drop();
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
});
const { pool } = source;
const newId = createNewId(new TestClock());
const ann = { email: 'ann@partner.example', name: 'Ann' };
const { partnerId } = await addPartner(pool, newId, new Date(), 'svc', ann);
await makeTimelines(pool, newId, { partnerId, bookings: 2 });
const settings = { DATABASE_URL: source.url, DATA_DIR: base };
const OLD = 'waypost-2020-01-02T031000.tar';

function folderWith(name: string, ...files: string[]): string {
  const folder = join(base, name);
  mkdirSync(folder);
  for (const file of files) writeFileSync(join(folder, file), '');
  return folder;
}

const into = (folder: string, ...options: string[]) =>
  waypostHere(['backup', 'into', folder, ...options], settings);

describe('a backup that is encrypted for a recipient', async () => {
  const identity = join(base, 'identity.txt');
  const { out: keyOut } = await waypostHere(['backup', 'key', identity], settings);
  const recipient = /Recipient: (age1\S+)/.exec(keyOut)?.[1] ?? '';
  const other = join(base, 'other.txt');
  await waypostHere(['backup', 'key', other], settings);
  const folder = folderWith('encrypted', OLD, 'waypost-notes.tar', `${OLD}.age`, `${OLD}.part`);
  const taken = await into(folder, '--recipient', recipient);
  assert.equal(taken.code, 0, taken.error);
  const left = readdirSync(folder).sort();
  const [name = ''] = left;
  const file = join(folder, name);

  test('is verified before, is the only file that stays of it, and contains nothing that can be read', () => {
    assert.match(taken.out, /Everything matches/);
    assert.match(name, /^waypost-\d{4}-\d\d-\d\dT\d{6}\.tar\.age$/);
    assert.deepEqual(left, [name, 'waypost-notes.tar'], 'old backups are deleted, other files are not');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(identity).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file).includes('SHA256SUMS'));
  });

  test('is opened with its identity only', async () => {
    const bare = await waypostHere(['backup', 'verify', file], {});
    assert.deepEqual(
      [bare.code, bare.error],
      [1, `${file} is encrypted: name the file of its identity with --identity.\n`],
    );
    const wrong = await waypostHere(['backup', 'verify', file, '--identity', other], {});
    assert.equal(wrong.code, 1);
    assert.match(wrong.error, /cannot be opened with .*other\.txt/);
    const none = await waypostHere(['backup', 'verify', file, '--identity', file], {});
    assert.match(none.error, /contains no identity of age/);
    const target = await createPlainDatabase();
    const restored = await waypostHere(['restore', file, '--identity', identity], {
      DATABASE_URL: target.url,
      DATA_DIR: join(base, 'restored'),
    });
    assert.equal(restored.code, 0, restored.error);
    const pool = connect(target.url, { max: 1, statementTimeoutMs: 0 });
    const partners = await pool<{ email: string }[]>`select email from partner`;
    assert.deepEqual([...partners], [{ email: ann.email }]);
    await pool.end();
    await target.drop();
    assert.deepEqual(readdirSync(scratch), [], 'no decrypted copy stays');
  });

  test('is refused when a byte of it is damaged', async () => {
    const bytes = readFileSync(file);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    const damaged = join(base, 'damaged.tar.age');
    writeFileSync(damaged, bytes);
    const said = await waypostHere(['backup', 'verify', damaged, '--identity', identity], {});
    assert.deepEqual(
      [said.code, said.error],
      [1, `${damaged} is damaged: it cannot be decrypted to its end.\n`],
    );
  });
});

test('wrong arguments are refused before anything is written', async () => {
  const folder = folderWith('refused', OLD);
  for (const options of [
    ['--recipient', 'age1nobody'],
    ['--keep-days', '0'],
    ['--keep-days', 'all'],
  ])
    assert.notEqual((await into(folder, ...options)).code, 0, options.join(' '));
  assert.deepEqual(readdirSync(folder), [OLD]);
});

test('a backup that is not reliable is named so, and no older one is deleted', async () => {
  await pool`alter table booking_entry disable trigger user`;
  await pool`
    delete from booking_entry where ctid = (select ctid from booking_entry order by booking_id, sequence limit 1)`;
  await pool`alter table booking_entry enable trigger user`;
  const folder = folderWith('unreliable', OLD);
  const said = await into(folder);
  assert.equal(said.code, 1);
  assert.match(said.error, /is not a reliable backup: timelines of bookings/);
  const [kept, unverified, ...more] = readdirSync(folder).sort();
  assert.equal(kept, OLD);
  assert.match(unverified ?? '', /^waypost-\d{4}-\d\d-\d\dT\d{6}\.unverified\.tar$/);
  assert.deepEqual(more, []);
});
