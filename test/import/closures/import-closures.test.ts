import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReopening } from '../../../src/directory/closure/closure.ts';
import { directoryState, importMap, NOW, seconds } from '../import-directory.ts';
import { cafe, database, evidence, place, townOf } from '../made-town.ts';

test('a place that vanished or went out of use is closed with evidence, and reopened when it is back', async () => {
  const [ada, bea, cleo] = [cafe(1, 'Ada'), cafe(2, 'Bea'), cafe(3, 'Cleo')];
  await importMap(database, '2025-01-01', { nodes: townOf(ada, bea, cleo) });
  const disused = {
    ...bea,
    tags: { 'disused:amenity': 'cafe', name: 'Bea' },
    changed: seconds('2025-01-20'),
  };
  const second = await importMap(database, '2025-02-01', { nodes: townOf(disused, cleo) });
  assert.deepEqual([second.closed, second.updated, second.unchanged], [2, 0, 13]);
  assert.deepEqual((await place('node/1'))['closed_at'], new Date('2025-02-01T00:00:00Z'));
  assert.deepEqual(await evidence('node/1'), [
    {
      kind: 'published_report',
      source_url: 'https://www.openstreetmap.org/node/1',
      note: 'No longer in the map extract of 2025-02-01.',
      observed_at: new Date('2025-02-01T00:00:00Z'),
    },
  ]);
  const [report] = await evidence('node/2');
  assert.deepEqual(
    [report?.['note'], report?.['observed_at']],
    ['Marked as disused in the map: disused:amenity=cafe.', new Date('2025-01-20T00:00:00Z')],
  );

  const state = await directoryState(database);
  await importMap(database, '2025-02-01', { nodes: townOf(disused, cleo) });
  assert.equal(await directoryState(database), state);

  const third = await importMap(database, '2025-02-20', { nodes: townOf(ada, bea, cleo) });
  assert.deepEqual([third.reopened, third.closed], [2, 0]);
  assert.equal((await place('node/1'))['closed_at'], null);
  assert.deepEqual(await evidence('node/1'), []);
});

test('an import does not reopen what somebody else closed, nor close again what staff found open', async () => {
  const [ada, bea] = [cafe(1, 'Ada'), cafe(2, 'Bea')];
  await importMap(database, '2025-01-01', { nodes: townOf(ada, bea) });
  await database.pool`
    with closed as (update place set closed_at = ${NOW} where source_ref = 'node/1' returning id)
    insert into closure_evidence (place_id, kind, note, observed_at) select id, 'venue_said', 'We closed.', ${NOW} from closed`;
  const report = await importMap(database, '2025-02-01', { nodes: townOf(ada, bea) });
  assert.deepEqual([report.reopened, report.closed], [0, 0]);

  await importMap(database, '2025-02-10', { nodes: townOf(ada, bea) });
  await importMap(database, '2025-02-11', { nodes: townOf(ada, bea, cafe(3, 'Cleo'), cafe(4, 'Dora')) });
  await importMap(database, '2025-02-12', { nodes: townOf(ada, cafe(3, 'Cleo'), cafe(4, 'Dora')) });
  const closed = await place('node/2');
  assert.notEqual(closed['closed_at'], null);
  const found = { placeId: String(closed['id']), note: 'We were there.', source: 'staff' } as const;
  await database.pool.begin((tx) => recordReopening(tx, NOW, found));
  const again = await importMap(database, '2025-03-10', {
    nodes: townOf(ada, cafe(3, 'Cleo'), cafe(4, 'Dora')),
  });
  assert.equal(again.closed, 0);
  assert.equal((await place('node/2'))['closed_at'], null);
});

test('a claimed place that vanished from the map stays open, with the evidence beside it', async () => {
  const [ada, bea] = [cafe(1, 'Ada'), cafe(2, 'Bea')];
  await importMap(database, '2025-01-01', { nodes: townOf(ada, bea) });
  await database.pool`update place set badge = 'claimed' where source_ref = 'node/2'`;
  const report = await importMap(database, '2025-02-01', { nodes: townOf(ada) });
  assert.deepEqual([report.closed, report.doubted], [0, 1]);
  assert.equal((await place('node/2'))['closed_at'], null);
  assert.equal((await evidence('node/2')).length, 1);
});

test('an extract of a neighbouring area closes nothing here', async () => {
  const here = [cafe(1, 'Ada'), cafe(2, 'Bea'), cafe(3, 'Cleo')];
  await importMap(database, '2025-01-01', { nodes: townOf(...here) });
  const report = await importMap(database, '2025-02-01', {
    nodes: [cafe(3, 'Cleo'), cafe(8, 'Hebe'), cafe(9, 'Ida')],
  });
  assert.deepEqual([report.added, report.unchanged, report.closed], [2, 1, 0]);
  const next = await importMap(database, '2025-02-02', { nodes: townOf(cafe(1, 'Ada'), cafe(3, 'Cleo')) });
  assert.equal(next.closed, 1);
  assert.equal((await evidence('node/2')).length, 1);
});

test('a place that was drawn anew as a building keeps its id', async () => {
  const [ada, bea] = [cafe(1, 'Café Ada Lovelace', { phone: '+376 801 000' }), cafe(2, 'Bea')];
  await importMap(database, '2025-01-01', { nodes: townOf(ada, bea) });
  const { id } = await place('node/1');
  const corners = [0, 1, 2, 3].map((at) => ({
    id: 100 + at,
    lat: ada.lat + (at < 2 ? 0.0001 : -0.0001),
    lng: ada.lng + (at % 3 === 0 ? 0.0001 : -0.0001),
  }));
  const report = await importMap(database, '2025-02-01', {
    nodes: townOf(bea, ...corners),
    ways: [{ id: 7, refs: [100, 101, 102, 103, 100], tags: ada.tags ?? {} }],
  });
  assert.deepEqual([report.redrawn, report.added, report.closed], [1, 0, 0]);
  assert.equal((await place('way/7'))['id'], id);
});
