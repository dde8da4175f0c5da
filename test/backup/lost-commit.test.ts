import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkBackup, restoreBackup } from '../../src/backup/restore-backup.ts';
import { takeBackup } from '../../src/backup/take-backup.ts';
import { connect } from '../../src/core/postgres/db.ts';
import { openPhotoStorage } from '../../src/photos/storage/open-storage.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { TestClock } from '../harness/service/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-lost-commit-'));
const source = await createTestDatabase();
const target = await createTestDatabase('template0');
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await source.drop();
  await target.drop();
});

const silently = { tables: () => undefined, photos: () => undefined };
const storageIn = (name: string) => ({ photoDir: join(folder, name), photoS3: undefined });

/** Passes everything on, but hangs up instead of passing on the answer to a commit. */
async function losesTheCommit(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = connectSocket(Number(port), hostname);
    let isLost = false;
    near.on('data', (sent: Buffer) => {
      isLost ||= sent.includes('commit\0');
      far.write(sent);
    });
    far.on('data', (said) => (isLost ? near.destroy() : near.write(said)));
    for (const side of [near, far]) {
      side.on('error', () => undefined);
      side.on('close', () => [near, far].map((one) => one.destroy()));
    }
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href;
}

test('a restore whose last answer is lost keeps the photos: the database may hold all of it', async () => {
  const picture = `${'0a'.repeat(32)}.jpg`;
  const place = await addMadeUpPlace(source.pool, new TestClock(), { name: 'Warung Bergambar' });
  await source.pool`update place set listing_photo = ${picture} where id = ${place}`;
  mkdirSync(join(folder, 'before/listing'), { recursive: true });
  writeFileSync(join(folder, 'before/listing', picture), 'a picture');
  const file = join(folder, 'waypost.tar');
  await takeBackup(file, {
    pool: source.pool,
    storage: openPhotoStorage(storageIn('before')),
    servicePrefix: 'svc',
    now: new Date(),
    progress: silently,
  });

  const pool = connect(await losesTheCommit(target.url), { max: 3, statementTimeoutMs: 0 });
  const restoring = restoreBackup(await checkBackup(file, () => undefined), {
    settings: { ...storageIn('after'), dataDir: join(folder, 'node'), databaseUrl: target.url },
    open: () => Promise.resolve({ pool, url: target.url, close: () => pool.end({ timeout: 1 }) }),
    progress: silently,
  });
  await assert.rejects(restoring, /was lost during the commit.* Start Waypost/);
  const places = await target.pool`select from place where listing_photo = ${picture}`;
  assert.deepEqual([places.count, existsSync(join(folder, 'after/listing', picture))], [1, true]);
});
