import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { licensedFileOf, previewFileOf, readStored } from '../../src/photos/photo-storage.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { CHECKOUT, freePort, startProgram, untilReady } from '../harness/service/program.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { addMadePhoto } from '../licensing/made-photo.ts';
import { smallPhoto } from './made-pictures.ts';
import { addPhotographer, sendPhoto } from './photographer.ts';
import { longTest } from '../harness/tier.ts';

const SERVICE = [process.execPath, join(CHECKOUT, 'src/cli.ts'), 'start'];
const folder = mkdtempSync(join(tmpdir(), 'waypost-stores-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

longTest(
  'a node that sees other photos than the first one ends with a sentence, before it takes anything',
  async () => {
    const database = await createTestDatabase();
    after(() => database.drop());
    const start = async (photos: string) =>
      startProgram(SERVICE, {
        DATABASE_URL: database.url,
        PORT: String(await freePort()),
        PHOTO_DIR: join(folder, photos),
      });
    const first = await start('shared');
    await untilReady(first);
    const [probe] = await database.pool<
      { name: string }[]
    >`select 'probe/' || probe as name from photo_store`;
    const other = await start('own');
    assert.equal(await other.ended, 1);
    assert.equal(
      other.said.error,
      `The photo store (${join(folder, 'own')}) is not the store of the other nodes on this database: it has no file ` +
        `${probe?.name ?? ''}. Set PHOTO_DIR to a folder that all nodes see, or PHOTO_S3_URL and its bucket; ` +
        'if the files were moved here, move that file too.\n',
    );
    assert.doesNotMatch(other.said.out, /is ready/);
    const second = await start('shared');
    await untilReady(second);
    for (const { child, ended } of [first, second]) {
      child.kill('SIGTERM');
      assert.equal(await ended, 0);
    }
  },
);

test('with one store an upload, its preview and a paid file are there on every node', async () => {
  const settings = { PHOTO_DIR: join(folder, 'both') };
  const one = await startTestService({ settings });
  const { database } = one;
  const two = await startTestService({ settings, database });
  const photo = await sendPhoto(one, await addPhotographer(one), await smallPhoto(5));
  assert.equal(photo.state, 'to_check', 'whichever node made it clean');
  const preview = await readStored(two.app.deps.photoStorage, previewFileOf(photo.id, 480));
  assert.ok(preview !== undefined && preview.length > 1_000);

  const file = Buffer.from('a file that was paid for');
  const photoId = await addMadePhoto(database.pool, one.clock, { file });
  await one.app.deps.photoStorage.put(licensedFileOf(photoId), file, 'image/jpeg');
  const { body } = await (await makeBuyer(one, 5_000)).license(photoId, 'web', 900, 'k');
  const { pathname } = new URL((body['download'] as { url: string }).url);
  const paid = await until('the other node answers', async () => {
    const response = await two.request(pathname);
    return response.status === 200 ? response : undefined;
  });
  assert.ok(Buffer.from(await paid.arrayBuffer()).equals(file));
  await two.close();
});
