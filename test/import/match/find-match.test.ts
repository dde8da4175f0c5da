import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMatch } from '../../../src/import/match/find-match.ts';

interface Neighbour {
  readonly ref: string;
  readonly names: readonly string[];
  readonly lat: number;
  readonly lng: number;
}

function neighbour(ref: string, name: string, metres: number): Neighbour {
  return { ref, names: [name], lat: 10 + metres / 111_195, lng: 20 };
}

const candidate = { names: ['Espresso House'], lat: 10, lng: 20 };

test('the record that is the same place is found among its neighbours', () => {
  const found = findMatch(candidate, [
    neighbour('kiosk', 'R-Kioski', 2),
    neighbour('cafe', 'Espresso House', 12),
    neighbour('hotel', 'Hotel Arthur', 15),
  ]);
  assert.equal(found.match?.ref, 'cafe');
  assert.ok(found.same && !found.ambiguous && found.score >= 0.8);
});

test('of two branches of a chain the near one is taken when the other is clearly farther', () => {
  const found = findMatch(candidate, [
    neighbour('far', 'Espresso House', 120),
    neighbour('near', 'Espresso House', 8),
  ]);
  assert.equal(found.match?.ref, 'near');
});

test('none is taken when two fit nearly the same', () => {
  const found = findMatch(candidate, [
    neighbour('one', 'Espresso House', 20),
    neighbour('two', 'Espresso House', 24),
  ]);
  assert.equal(found.match, null);
  assert.ok(found.ambiguous && !found.same);
});

test('a second record that fits nearly as well but is no match does not stand in the way', () => {
  const found = findMatch(candidate, [
    neighbour('same', 'Espresso House', 5),
    neighbour('other', 'Espresso Haven', 5),
  ]);
  assert.equal(found.match?.ref, 'same');
});

test('none is taken when nothing is the same place', () => {
  const found = findMatch(candidate, [neighbour('a', 'R-Kioski', 2), neighbour('b', 'Hotel Arthur', 5)]);
  assert.equal(found.match, null);
  assert.ok(!found.same && !found.ambiguous);
});

test('without neighbours there is no match', () => {
  assert.deepEqual(findMatch(candidate, []), { match: null, same: false, ambiguous: false, score: 0 });
});
