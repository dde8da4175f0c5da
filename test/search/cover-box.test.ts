import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxAround, cellAt, cellTerms, coverBox, isInside } from '../../src/search/query/geo-cells.ts';

/** Repeatable numbers between 0 and 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test('every point of a box lies in a square that covers it, over the date line too', () => {
  const random = randomFrom(20_261_118);
  let overDateLine = 0;
  let points = 0;
  for (let round = 0; round < 2_000; round++) {
    const nearDateLine = round % 2 === 0;
    const lat = random() * 160 - 80;
    const lng = nearDateLine ? ((random() * 6 + 357) % 360) - 180 : random() * 360 - 180;
    const box = boxAround(lat, lng, 200 + random() * 300_000);
    if (box.west > box.east) overDateLine++;
    const cover = coverBox(box);
    if (cover === undefined) continue;
    const squares = new Set(cover);
    for (let look = 0; look < 20; look++) {
      const point = {
        lat: box.south + random() * (box.north - box.south),
        lng: ((box.west + random() * ((box.east - box.west + 360) % 360) + 540) % 360) - 180,
      };
      if (!isInside(box, point)) continue;
      points++;
      const cells = cellTerms(cellAt(point.lat, point.lng));
      assert.ok(
        cells.some((cell) => squares.has(cell)),
        JSON.stringify({ box, point }),
      );
    }
  }
  assert.ok(
    overDateLine > 200 && points > 10_000,
    `${overDateLine} boxes over the date line, ${points} points`,
  );
});
