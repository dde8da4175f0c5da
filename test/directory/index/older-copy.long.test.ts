import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/core/log.ts';
import { Listener } from '../../../src/core/postgres/listener.ts';
import { openDatabase, type Database } from '../../../src/node/database.ts';
import { currentPosition, isReached } from '../../../src/directory/change-sequence.ts';
import { OwnIndex } from '../../../src/search/follow/own-index.ts';
import { TestClock } from '../../harness/service/service.ts';
import { addMadeUpPlace } from '../made-up-place.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'waypost-older-'));
const SERVER = join(DATA_DIR, 'postgres');
const clock = new TestClock();
const log = createLog('silent', { write: () => undefined });
after(() => {
  rmSync(DATA_DIR, { recursive: true, force: true });
});

/** Opens the server of the folder, does something before the index is opened and something with it, and closes both. */
async function run<Result>(
  before: (database: Database) => Promise<unknown>,
  work: (database: Database, index: OwnIndex) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(parseConfig({ DATA_DIR }), 'service', () => undefined);
  try {
    await before(database);
    const { pool, url: databaseUrl } = database;
    const listener = new Listener(databaseUrl);
    const folder = join(DATA_DIR, 'index');
    const index = await OwnIndex.open({ pool, listener, databaseUrl, folder, clock, log, isShared: false });
    await index.whenReady();
    try {
      return await work(database, index);
    } finally {
      await listener.close();
      await index.close();
    }
  } finally {
    await database.close();
  }
}

const noChange = () => Promise.resolve();
const found = (index: OwnIndex, text: string) => index.search({ text, limit: 5 }).hits.length;

test('an older copy of the data folder takes index and tokens with it, though its transactions have come as far again', async () => {
  const [early, late] = await run(noChange, async ({ pool }): Promise<[string, string]> => [
    await addMadeUpPlace(pool, clock, { name: 'Zuerst Eins' }),
    await addMadeUpPlace(pool, clock, { name: 'Zuerst Zwei' }),
  ]);
  // The index takes in changes made while it was closed, so that the copy and the index agree.
  const file = await run(noChange, (_, index) => Promise.resolve(index.file));
  cpSync(SERVER, `${SERVER}-copy`, { recursive: true, preserveTimestamps: true });
  const position = await run(noChange, async ({ pool }, index) => {
    assert.equal(index.file, file, 'an index that fits is kept');
    for (let i = 0; i < 30; i++) await pool`select pg_current_xact_id()`;
    await pool`update place set name = 'Verloren' where id = ${late}`;
    await index.follow();
    assert.equal(found(index, 'verloren'), 1);
    return currentPosition(pool);
  });

  rmSync(SERVER, { recursive: true });
  cpSync(`${SERVER}-copy`, SERVER, { recursive: true, preserveTimestamps: true });
  await run(
    async ({ pool }) => {
      // By a transaction whose number the index has seen; then the numbers pass what it has seen.
      await pool`update place set name = 'Anders Gekommen' where id = ${early}`;
      for (let i = 0; i < 60; i++) await pool`select pg_current_xact_id()`;
      await pool`update place set name = 'Noch Einmal' where id = ${late}`;
    },
    async ({ pool }, index) => {
      assert.equal(found(index, 'anders gekommen'), 1);
      assert.equal(found(index, 'noch einmal'), 1);
      assert.equal(found(index, 'verloren'), 0);
      assert.notEqual(index.file, file);
      assert.equal(isReached(position, await currentPosition(pool)), false, 'a token of before is refused');
    },
  );
});
