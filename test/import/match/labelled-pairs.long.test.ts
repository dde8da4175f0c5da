import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samePlace } from '../../../src/import/match/same-place.ts';
import { needsSharedFile, sharedFile } from '../shared-data.ts';
import { readLabelledPairs, type LabelledPair } from './labelled-pairs.ts';

const FILE = 'overture/sample_3k_overture_places.parquet';

test(
  'on pairs that people labelled, at least 95 in 100 matches are right and 80 in 100 are found',
  needsSharedFile(FILE),
  async (t) => {
    const pairs = await readLabelledPairs(sharedFile(FILE));
    assert.equal(pairs.length, 3000);
    assert.equal(pairs.filter((pair) => pair.same).length, 1809);
    const heldOut = measure(pairs.filter((pair) => pair.heldOut));
    const all = measure(pairs);
    t.diagnostic(`kept out of the fit: ${inWords(heldOut)}`);
    t.diagnostic(`all pairs: ${inWords(all)}`);
    for (const { precision, recall } of [heldOut, all]) {
      assert.ok(precision >= 0.95, `precision ${precision}`);
      assert.ok(recall >= 0.8, `recall ${recall}`);
    }
  },
);

test('the order of the two records does not change the verdict', needsSharedFile(FILE), async () => {
  const pairs = await readLabelledPairs(sharedFile(FILE));
  const turned = pairs.filter(({ a, b }) => samePlace(a, b).same !== samePlace(b, a).same);
  assert.deepEqual(turned, []);
});

function measure(pairs: readonly LabelledPair[]) {
  const found = pairs.filter(({ a, b }) => samePlace(a, b).same);
  const right = found.filter((pair) => pair.same).length;
  return {
    pairs: pairs.length,
    precision: right / found.length,
    recall: right / pairs.filter((pair) => pair.same).length,
  };
}

function inWords({ pairs, precision, recall }: ReturnType<typeof measure>): string {
  return `${pairs} pairs, precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`;
}
