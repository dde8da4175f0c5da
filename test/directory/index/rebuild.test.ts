import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { connect } from '../../../src/core/postgres/db.ts';
import { Listener } from '../../../src/core/postgres/listener.ts';
import { OwnIndex } from '../../../src/search/follow/own-index.ts';
import { searchPlaces } from '../../../src/search/search-places.ts';
import { until } from '../../harness/service/jobs.ts';
import { beginTransaction } from '../../harness/service/database.ts';
import { startTestService } from '../../harness/service/service.ts';
import { addMadeUpPlace } from '../made-up-place.ts';

const service = await startTestService();
const { pool } = service.database;
const { places } = service.app.deps;

const ANOTHER_INDEX = 'another-index';

function search(text: string) {
  const { hits } = searchPlaces(service.app.deps, { text, limit: 50 });
  return hits.map(({ place, spot }) => ({ id: place.placeId, card: place.readCard(), rank: spot.doc }));
}

// A build takes a process of its own, so that the tests of what is in the new file share one.
// A name with a character that separates fields, and kinds that a list must quote.
const odd = await addMadeUpPlace(pool, service.clock, { name: 'Warung \u001fTerpisah\u001e Dua' });
await pool`update place set cuisine = ${['soto, ayam', 'say "hi"']}, names = ${pool.json({ ja: '寿司処' })},
  latin_name = 'Sushidokoro', address = '', rating = 4.5, review_count = 12 where id = ${odd}`;
const plain = await addMadeUpPlace(pool, service.clock, { name: 'Warung Terpisah Satu' });
await places.follow();
// Kinds, begun words and misspelt ones are known as soon as a place has them.
const looser = ['soto ayam', 'terpisa', 'terpishah', 'sushidokro', 'sushido'];
const questions = ['warung terpisah', 'warung terpisah dua', 'sushidokoro', '寿司処', ...looser];
const answers = () => questions.map((question) => search(question).map(({ id, card }) => ({ id, card })));
const followed = answers();
const twice = await addMadeUpPlace(pool, service.clock, { name: 'Kedai Dua Nama' });
await pool`update place set names = ${pool.json({ en: 'Kedai dua nama', id: 'KEDAI DUA NAMA' })} where id = ${twice}`;
await pool`
  insert into place (id, destination_id, name, vertical, category, country, lat, lng, rating, review_count, source,
    source_ref)
  select 'plc_' || lpad(i::text, 26, '0'), d.id, 'Threaded House ' || i, 'cafe', 'cafe', d.country,
    d.lat, d.lng, (i * 7 % 50) / 10.0, i, 'test', 'threaded/' || i
  from destination d, generate_series(1, 2500) i where d.slug = 'lisbon'`;
await pool`
  insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref, changed_xid)
  select 'plc_' || lpad('ahead', 26, '0'), d.id, 'Threaded Ahead', 'cafe', 'cafe', d.country, d.lat, d.lng, 'test',
    'ahead', '999999999999'
  from destination d where d.slug = 'lisbon'`;
await places.rebuild();

test('a new file answers as the changes did that it takes in', () => {
  assert.deepEqual(answers(), followed);
  for (const [at, question] of questions.entries())
    assert.ok(
      followed[at]?.some(({ id }) => id === odd),
      question,
    );
  assert.deepEqual(new Set(followed[0]?.map(({ id }) => id)), new Set([odd, plain]));
  assert.deepEqual(
    followed.slice(1, 4).map((found) => found[0]?.id),
    [odd, odd, odd],
  );
});

test('a directory that another process builds lists its places by rank', () => {
  const found = search('threaded house');
  assert.equal(found.length, 50);
  assert.deepEqual(
    found,
    [...found].sort((a, b) => a.rank - b.rank),
  );
  const ratings = found.map(({ card }) => card.rating ?? Number.NaN);
  assert.ok((ratings[0] ?? 0) >= 4.8 && (ratings.at(-1) ?? 0) <= (ratings[0] ?? 0));
});

test('places that came from a server with more transactions are no changes, again and again', async () => {
  assert.equal(search('threaded ahead').length, 1);
  await places.follow();
  const { version } = places;
  await places.follow();
  assert.equal(places.version, version);
  await pool`update place set name = 'Threaded Behind' where source_ref = 'ahead'`;
  await places.follow();
  assert.equal(search('threaded behind').length, 1);
});

test('a name that a place has twice is gone with it when the place is called otherwise', async () => {
  assert.deepEqual(
    search('kedai dua nama').map((found) => found.id),
    [twice],
  );
  await pool`update place set name = 'Rumah Baru', names = '{}' where id = ${twice}`;
  await places.follow();
  assert.ok(search('kedai dua nama').every((found) => found.id !== twice));
  assert.deepEqual(
    search('rumah baru').map((found) => found.id),
    [twice],
  );
});

test('a change that a build has read is not applied again, although other transactions were running meanwhile', async () => {
  const other = await beginTransaction(pool);
  await other`select pg_current_xact_id()`;
  try {
    const seen = await addMadeUpPlace(pool, service.clock, { name: 'Warung Sudah Dilihat' });
    await places.rebuild();
    const { version } = places;
    const [before] = search('warung sudah dilihat');
    assert.equal(before?.id, seen);
    await places.follow();
    assert.equal(places.version, version);
    assert.deepEqual(search('warung sudah dilihat'), [before]);
    const later = await addMadeUpPlace(pool, service.clock, { name: 'Warung Belum Dilihat' });
    await places.follow();
    assert.equal(search('warung belum dilihat')[0]?.id, later);
  } finally {
    await other`rollback`;
    other.release();
  }
});

test('a stop does not wait for an index that is being built, and the next start uses the existing one', async () => {
  const { config, clock, log } = service.app.deps;
  const folder = join(config.dataDir, ANOTHER_INDEX);
  const { url: databaseUrl } = service.database;
  const listener = new Listener(databaseUrl);
  const open = async () => {
    const index = await OwnIndex.open({ pool, listener, databaseUrl, folder, clock, log, isShared: false });
    await index.whenReady();
    return index;
  };
  const filesOf = (end: string) => readdirSync(folder).filter((name) => name.endsWith(end));
  const first = await open();
  const before = first.search({ text: 'threaded house', limit: 50 }).hits;
  assert.equal(before.length, 50);
  const files = filesOf('.mdb');
  const building = first.rebuild();
  await until('a new file is begun', () => filesOf('.part').length > 0);
  await first.close();
  await building;
  assert.deepEqual(filesOf('.mdb'), files);
  const second = await open();
  assert.deepEqual([filesOf('.mdb'), filesOf('.part')], [files, []]);
  const after = second.search({ text: 'threaded house', limit: 50 }).hits;
  assert.deepEqual(
    after.map(({ place }) => place.readCard()),
    before.map(({ place }) => place.readCard()),
  );
  await second.close();
  await listener.close();
  assert.ok(!service.logged.some(({ msg }) => String(msg).includes('could not be built')));
});

test('however often a lost database is asked for changes, one next try is planned', async (t) => {
  const { config, clock, log } = service.app.deps;
  const { url: databaseUrl } = service.database;
  const listener = new Listener(databaseUrl);
  const lost = connect(databaseUrl, { max: 2, statementTimeoutMs: 15_000 });
  // There is an index already.
  const folder = join(config.dataDir, ANOTHER_INDEX);
  const index = await OwnIndex.open({
    pool: lost,
    listener,
    databaseUrl,
    folder,
    clock,
    log,
    isShared: false,
  });
  t.after(async () => {
    await index.close();
    await listener.close();
  });
  await index.whenReady();
  await lost.end();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  for (let asked = 0; asked < 5; asked++) {
    await index.follow();
    t.mock.timers.tick(50);
  }
  const { failures } = index.progress;
  for (let passed = 0; passed < 500; passed += 50) {
    t.mock.timers.tick(50);
    await setImmediate();
  }
  // The look that comes every two seconds may come in between.
  assert.ok(index.progress.failures - failures <= 2, `${index.progress.failures - failures} tries`);
});
