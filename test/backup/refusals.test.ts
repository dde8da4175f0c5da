import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Manifest } from '../../src/backup/manifest.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { lockMigrations } from '../../src/core/postgres/migrate.ts';
import { addJob } from '../../src/jobs/add-job.ts';
import { createPlainDatabase, createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { CHECKOUT } from '../harness/service/program.ts';
import { waypostHere } from './commands.ts';
import { rebuilt } from './rebuilt.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-refusals-'));
const FILE = join(folder, 'waypost.tar');
const source = await createTestDatabase();
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await source.drop();
});

function changed(name: string, change: (manifest: Manifest) => void): Promise<string> {
  return rebuilt(FILE, join(folder, name), ({ manifest }) => {
    change(manifest);
  });
}

describe('a backup', () => {
  before(async () => {
    // One that waits, and one that a node was doing.
    await addJob(
      source.pool,
      'process_photo',
      { photoId: 'pho_waits' },
      { key: 'waits', delayMs: 86_400_000 },
    );
    await addJob(source.pool, 'process_photo', { photoId: 'pho_runs' }, { key: 'runs', delayMs: 86_400_000 });
    await source.pool`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = 'somebody', attempts = 25
      where key = 'runs'`;
    const { code, error } = await waypostHere(['backup', FILE], {
      DATABASE_URL: source.url,
      DATA_DIR: folder,
    });
    assert.equal(code, 0, error);
  });

  test('takes the place of no other file', async () => {
    const { code, error } = await waypostHere(['backup', FILE], {
      DATABASE_URL: source.url,
      DATA_DIR: folder,
    });
    assert.deepEqual([code, error], [1, `${FILE} already exists. Choose another file name.\n`]);
  });

  test('that is damaged, cut off, newer or too large is refused, and nothing is made', async () => {
    const whole = readFileSync(FILE);
    const broken = (name: string, bytes: Buffer) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const flipped = (at: number) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    };
    const migration = { name: '9999_later.sql', checksum: 'x' };
    const cases: [string, RegExp][] = [
      [broken('not.tar', Buffer.from('not a backup')), /is not a backup/],
      [broken('cut.tar', whole.subarray(0, whole.length / 2)), /is truncated/],
      [broken('end.tar', whole.subarray(0, whole.length - 1_024)), /is truncated/],
      [broken('table.tar', flipped(520)), /is damaged: tables\/.* does not match its hash/],
      [broken('manifest.tar', flipped(whole.indexOf('"made_at"'))), /manifest\.json does not match/],
      [broken('header.tar', flipped(0)), /is not a backup/],
      [await changed('newer.tar', ({ migrations }) => migrations.push(migration)), /Upgrade the program/],
      [await changed('format.tar', (manifest) => (manifest.format = 2)), /newer version of Waypost/],
      [
        await changed('large.tar', (manifest) => (manifest.database_bytes = 1e15)),
        /GB free, and the restore needs about 1000004\.3 GB\. Nothing was restored/,
      ],
      [join(folder, 'nowhere.tar'), /The backup cannot be read/],
    ];
    for (const [file, sentence] of cases) {
      const dataDir = join(folder, 'untouched');
      const { code, error } = await waypostHere(['restore', file], { DATA_DIR: dataDir });
      assert.equal(code, 1, file);
      assert.match(error, sentence);
      assert.equal(error.trim().split('\n').length, 1);
      assert.ok(!existsSync(join(dataDir, 'postgres')), file);
    }
  });

  test('comes back by the owner of a database, after one that was killed half way, with its jobs', async () => {
    const { url, drop } = await createPlainDatabase();
    const settings = { DATABASE_URL: url, DATA_DIR: join(folder, 'node') };
    const pool = connect(url, { max: 2, statementTimeoutMs: 15_000 });
    after(async () => {
      await pool.end({ timeout: 1 });
      await drop();
    });
    await pool.begin(async (tx) => {
      // It has begun, and waits for this before it makes the tables.
      await lockMigrations(tx);
      const restoring = spawn(process.execPath, ['src/cli.ts', 'restore', FILE], {
        cwd: CHECKOUT,
        env: { PATH: process.env['PATH'], ...settings },
        stdio: 'ignore',
      });
      await until('the restore waits', async () => {
        const [waiting] = await pool`select 1 from pg_locks where locktype = 'advisory' and not granted`;
        return waiting;
      });
      restoring.kill('SIGKILL');
      await once(restoring, 'exit');
    });
    const started = await waypostHere(['migrate'], settings);
    assert.equal(started.code, 1);
    assert.match(started.error, /^A restore into this database has not finished\..* run the restore again/);

    const again = await waypostHere(['restore', FILE], settings);
    assert.equal(again.code, 0, again.error);
    assert.match(again.out, /2 jobs that were waiting/);
    assert.equal((await waypostHere(['migrate'], settings)).code, 0);
    const jobs = await pool`
      select key, attempts, locked_by from graphile_worker._private_jobs order by key`;
    assert.deepEqual(
      [...jobs],
      [
        { key: 'runs', attempts: 24, locked_by: null },
        { key: 'waits', attempts: 0, locked_by: null },
      ],
    );
    const [rules] = await pool`
      select (select count(*)::int from pg_trigger where tgenabled <> 'O') as off,
        (select count(*)::int from pg_constraint where contype = 'f' and convalidated) as held`;
    const [there] = await source.pool`
      select count(*)::int as held from pg_constraint where contype = 'f' and convalidated`;
    assert.deepEqual(rules, { off: 0, ...there });
  });
});
