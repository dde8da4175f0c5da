import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centreOf, extentOf } from '../../../src/import/centre.ts';
import { joinRings } from '../../../src/import/osm/join-rings.ts';
import { contains, radiusExtent, unite } from '../../../src/import/settlement-extent.ts';

test('The centre of a closed outline is that of its area, however its points are spread.', () => {
  const square = [0, 0, 2, 0, 2, 2, 0, 2, 0, 0];
  const crowded = [0, 0, 0.1, 0, 0.2, 0, 0.3, 0, 2, 0, 2, 2, 0, 2, 0, 0];
  assert.deepEqual(centreOf([square]), { lat: 1, lng: 1 });
  assert.deepEqual(centreOf([crowded]), { lat: 1, lng: 1 });
});

test('An L-shaped outline has its centre where it would balance.', () => {
  assert.deepEqual(centreOf([[0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2, 0, 0]]), {
    lat: 0.8333333,
    lng: 0.8333333,
  });
});

test('Several outlines count by their area, and the direction of drawing does not matter.', () => {
  const large = [0, 0, 3, 0, 3, 1, 0, 1, 0, 0];
  const small = [10, 0, 10, 1, 11, 1, 11, 0, 10, 0];
  assert.deepEqual(centreOf([large, small]), { lat: 0.5, lng: 3.75 });
});

test('An open line has its centre where its length balances.', () => {
  assert.deepEqual(centreOf([[0, 0, 1, 0, 3, 0]]), { lat: 0, lng: 1.5 });
});

test('Points and outlines without area still have a centre, and nothing has none.', () => {
  assert.deepEqual(centreOf([[5, 6]]), { lat: 6, lng: 5 });
  assert.deepEqual(centreOf([[5, 6, 5, 6, 5, 6, 5, 6]]), { lat: 6, lng: 5 });
  assert.equal(centreOf([[]]), null);
  assert.equal(extentOf([]), null);
});

test('An outline across the date line has its centre and extent there, not on the other side of the world.', () => {
  const island = [179, -17, -179, -17, -179, -16, 179, -16, 179, -17];
  assert.deepEqual(centreOf([island]), { lat: -16.5, lng: 180 });
  assert.deepEqual(extentOf([island]), { west: 179, south: -17, east: -179, north: -16 });
});

test('Ways of an outline are joined end to end, also where one runs the other way.', () => {
  const rings = joinRings([
    [1, 2, 3],
    [5, 4, 3],
    [5, 6, 1],
    [7, 8, 9, 7],
    [20, 21],
  ]);
  assert.deepEqual(rings, [
    [7, 8, 9, 7],
    [1, 2, 3, 4, 5, 6, 1],
    [20, 21],
  ]);
});

test('A settlement without an outline reaches as far as its people need, within limits.', () => {
  const at = { lat: 0, lng: 179.99 };
  const hamlet = radiusExtent('city', 10, at);
  const metropolis = radiusExtent('city', 20_000_000, at);
  assert.ok(metropolis.north > hamlet.north && metropolis.north < 0.3);
  assert.ok(hamlet.west > hamlet.east, 'the extent crosses the date line');
  assert.ok(contains(hamlet, { lat: 0, lng: -180 }) && !contains(hamlet, { lat: 0, lng: 0 }));
});

test('Two extents unite into the smallest that holds both, also across the date line.', () => {
  const a = { west: 179, south: 0, east: -179, north: 1 };
  const b = { west: -179.5, south: -1, east: -178, north: 0.5 };
  assert.deepEqual(unite(a, b), { west: 179, south: -1, east: -178, north: 1 });
});
