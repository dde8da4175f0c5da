import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SeededRandom } from '../../../src/demo/demo-random.ts';
import { IndexStore } from '../../../src/search/store/index-store.ts';
import { allOf, anyOf, END, listDocs, withLists, type Docs } from '../../../src/search/store/list.ts';
import { changeList, writeList } from '../../../src/search/store/list-parts.ts';
import { docOf, LEVEL, scoreIn, serialOf } from '../../../src/search/store/rank.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-lists-'));
const store = new IndexStore(join(folder, 'lists.mdb'));
const random = new SeededRandom();
random.restart(7, 0);
after(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const anyDoc = () => docOf(random.below(512), random.below(40_000));
const ascending = (docs: Iterable<number>) => [...docs].sort((a, b) => a - b);

function walk(docs: Docs): number[] {
  const found: number[] = [];
  for (let doc = docs.seek(0); doc !== END; doc = docs.seek(doc + 1)) found.push(doc);
  return found;
}

const read = (key: string) => withLists(() => walk(listDocs(store, key)));

test('a document is its score and its serial, the best first', () => {
  assert.deepEqual([scoreIn(docOf(511, LEVEL - 1)), serialOf(docOf(511, LEVEL - 1))], [511, LEVEL - 1]);
  assert.deepEqual([scoreIn(docOf(0, 0)), serialOf(docOf(0, 0))], [0, 0]);
  assert.ok(docOf(300, 9) < docOf(299, 0));
  assert.throws(() => docOf(1, LEVEL));
});

test('a list of any length is what was written, and is found in by any step', () => {
  for (const length of [1, 2, 127, 128, 129, 500, 2_000, 9_000]) {
    const docs = ascending(new Set(Array.from({ length }, anyDoc)));
    const key = `000${String(length).padStart(6, '0')}`;
    store.change(() => {
      writeList(store, key, docs);
    });
    assert.deepEqual(read(key), docs);
    for (let turn = 0; turn < 50; turn++)
      withLists(() => {
        const list = listDocs(store, key);
        assert.equal(list.length, docs.length);
        for (let doc = 0; doc !== END;) {
          const wanted = doc + random.below(3 * LEVEL);
          doc = list.seek(wanted);
          assert.equal(doc, docs.find((one) => one >= wanted) ?? END);
        }
      });
  }
});

test('a list that is changed many times has what a set would have', () => {
  const key = '001changed';
  const model = new Set<number>();
  for (let turn = 0; turn < 300; turn++) {
    // It grows to many parts, and then shrinks to nothing.
    const grows = turn < 150;
    const added = new Set(Array.from({ length: grows ? 90 : 5 }, anyDoc));
    const removed = new Set([...model].filter(() => random.chance(grows ? 0.02 : 0.15)));
    for (const doc of removed) added.delete(doc);
    const before = model.size;
    for (const doc of removed) model.delete(doc);
    for (const doc of added) model.add(doc);
    store.change(() => {
      assert.deepEqual(changeList(store, key, { added, removed }), { before, after: model.size });
    });
    if (turn % 10 === 0) assert.deepEqual(read(key), ascending(model));
  }
  store.change(() => {
    changeList(store, key, { added: new Set(), removed: model });
  });
  assert.deepEqual(read(key), []);
  assert.equal(store.lists.doesExist(key), false);
  assert.deepEqual([...store.parts.getKeys({ start: key, end: `${key}\xff` })], []);
});

test('all of some lists, and any of them, are what sets would give', () => {
  const sets = [8_000, 3_000, 400, 20].map((length) => new Set(Array.from({ length }, anyDoc)));
  for (const doc of [...(sets[3] ?? [])].slice(0, 10)) for (const set of sets) set.add(doc);
  store.change(() => {
    for (const [i, set] of sets.entries()) writeList(store, `002${i}`, ascending(set));
  });
  for (const chosen of [[0, 1], [1, 0, 2], [0, 1, 2, 3], [3]]) {
    const own = chosen.map((i) => sets[i] ?? new Set<number>());
    const lists = () => chosen.map((i) => listDocs(store, `002${i}`));
    const common = ascending(own[0] ?? []).filter((doc) => own.every((set) => set.has(doc)));
    assert.ok(common.length > 0);
    assert.deepEqual(
      withLists(() => walk(allOf(lists()))),
      common,
    );
    assert.deepEqual(
      withLists(() => walk(anyOf(lists()))),
      ascending(new Set(own.flatMap((set) => [...set]))),
    );
  }
});
