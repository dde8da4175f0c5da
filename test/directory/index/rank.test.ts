import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SeededRandom } from '../../../src/demo/demo-random.ts';
import { SCORE_SQL, scoreOf } from '../../../src/search/store/rank.ts';
import { createTestDatabase } from '../../harness/service/database.ts';

const database = await createTestDatabase();
after(() => database.drop());

interface Ranked {
  verified: boolean;
  rating: number | null;
  review_count: number;
  prominence: number;
}

test('The database and the index give every place the same score, and none beyond what the index has room for.', async () => {
  const random = new SeededRandom();
  random.restart(11, 0);
  const places: Ranked[] = Array.from({ length: 20_000 }, () => ({
    verified: random.below(2) === 1,
    rating: random.below(4) === 0 ? null : random.below(51) / 10,
    review_count: random.below(3) === 0 ? 0 : random.below(5000),
    prominence: random.below(101),
  }));
  const since = new Date('2025-01-01T00:00:00Z');
  const rows = await database.pool.unsafe<{ score: number }[]>(
    `select ${SCORE_SQL} as score from (
      select at, rating, review_count, prominence,
        case when verified then timestamptz '2025-02-01' end as verified_at
      from jsonb_to_recordset($2::jsonb) as r (at int, verified boolean, rating numeric(2, 1), review_count int, prominence smallint)) p
    order by at`,
    [since, JSON.stringify(places.map((place, at) => ({ at, ...place })))],
  );
  assert.equal(rows.length, places.length);
  for (const [at, { verified, rating, review_count, prominence }] of places.entries()) {
    const score = scoreOf(verified, rating, review_count, prominence);
    assert.equal(rows[at]?.score, score, JSON.stringify(places[at]));
    assert.ok(Number.isInteger(score) && score >= 0 && score <= 511);
  }
});

test('Sights come before what only was checked lately, and many good reviews before a sight of small fame.', () => {
  const checkedFuel = scoreOf(true, null, 0, 3);
  const cathedral = scoreOf(false, null, 0, 75);
  const smallSight = scoreOf(false, null, 0, 25);
  const lovedTable = scoreOf(false, 4.7, 400, 15);
  const lovedOnce = scoreOf(false, 5, 1, 15);
  assert.ok(cathedral > lovedTable && lovedTable > smallSight && smallSight > checkedFuel);
  assert.ok(smallSight > lovedOnce);
  assert.ok(scoreOf(true, 4.2, 50, 10) > scoreOf(false, 4.2, 50, 10));
  assert.ok(scoreOf(false, 2.1, 300, 10) < scoreOf(false, 3.1, 300, 10));
  assert.equal(scoreOf(true, 5, 1_000_000, 100), 511);
});
