import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { IndexStore } from '../../../src/search/store/index-store.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addMadeUpPlace } from '../made-up-place.ts';

const service = await startTestService({ demoPlaces: 300 });
const { pool } = service.database;
const { places } = service.app.deps;

/** Reads a file through that nobody else has open. */
async function isWhole(file: string): Promise<boolean> {
  const store = new IndexStore(file, true);
  try {
    return store.isWhole();
  } finally {
    await store.close();
  }
}

function copyOf(name: string): string {
  const file = `${places.file}-${name}`;
  copyFileSync(places.file ?? '', file);
  return file;
}

test('an index that took in changes and removals is what was written to it', async () => {
  const id = await addMadeUpPlace(pool, service.clock, { name: 'Warung Jumlah' });
  await places.follow();
  await pool`update place set name = 'Warung Selisih', rating = 4.9, review_count = 900 where id = ${id}`;
  await pool`update place set closed_at = now() where id in (select id from place order by id limit 30)`;
  await places.follow();
  await pool`delete from place where id = ${id}`;
  await places.follow();
  assert.ok(await isWhole(copyOf('changed')));
});

test('one bit of any table is noticed', async () => {
  const file = copyOf('flipped');
  const sound = readFileSync(file);
  const store = new IndexStore(file, true);
  const { cards, lists, parts, names, ids, world, spelling, hours, vocabulary } = store;
  const tables = { cards, lists, parts, names, ids, world, spelling, hours, vocabulary };
  // Long ones, so that they stand once in the file but for what earlier changes left.
  const values = Object.entries(tables).map(([name, table]): [string, Buffer] => {
    const entries = Array.from(table.getRange({ start: '\0', limit: 500 }), ({ value }) =>
      Buffer.from(value),
    );
    return [
      name,
      entries.reduce((longest, one) => (one.length > longest.length ? one : longest), Buffer.alloc(0)),
    ];
  });
  await store.close();
  for (const [name, value] of values) {
    if (value.length === 0) continue;
    const flipped = Buffer.from(sound);
    let places = 0;
    for (let at = flipped.indexOf(value); at !== -1; at = flipped.indexOf(value, at + value.length), places++)
      flipped.writeUInt8(flipped.readUInt8(at + value.length - 1) ^ 1, at + value.length - 1);
    assert.ok(places > 0, name);
    const damaged = `${file}-${name}`;
    writeFileSync(damaged, flipped);
    assert.equal(await isWhole(damaged), false, name);
  }
});
