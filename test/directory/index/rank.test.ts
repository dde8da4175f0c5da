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
  name_generated: boolean;
}

test('The database and the index give every place the same score, and none beyond what the index has room for.', async () => {
  const random = new SeededRandom();
  random.restart(11, 0);
  const places: Ranked[] = Array.from({ length: 20_000 }, () => ({
    verified: random.below(2) === 1,
    rating: random.below(4) === 0 ? null : random.below(51) / 10,
    review_count: random.below(3) === 0 ? 0 : random.below(5000),
    prominence: random.below(101),
    name_generated: random.below(10) === 0,
  }));
  const since = new Date('2025-01-01T00:00:00Z');
  const rows = await database.pool.unsafe<{ score: number }[]>(
    `select ${SCORE_SQL} as score from (
      select at, rating, review_count, prominence, name_generated,
        case when verified then timestamptz '2025-02-01' end as verified_at
      from jsonb_to_recordset($2::jsonb) as r (at int, verified boolean, rating numeric(2, 1), review_count int, prominence smallint,
        name_generated boolean)) p
    order by at`,
    [since, JSON.stringify(places.map((place, at) => ({ at, ...place })))],
  );
  assert.equal(rows.length, places.length);
  for (const [at, place] of places.entries()) {
    const score = scoreOf(place);
    assert.equal(rows[at]?.score, score, JSON.stringify(places[at]));
    assert.ok(Number.isInteger(score) && score <= 511);
    assert.equal(score === 0, place.name_generated, 'the lowest score is that of places without a name');
  }
});

function ranked(verified: boolean, rating: number | null, review_count: number, prominence: number): number {
  return scoreOf({ verified, rating, review_count, prominence, name_generated: false });
}

test('Sights come before what only was checked lately, and many good reviews before a sight of small fame.', () => {
  const checkedFuel = ranked(true, null, 0, 3);
  const cathedral = ranked(false, null, 0, 75);
  const smallSight = ranked(false, null, 0, 25);
  const lovedTable = ranked(false, 4.7, 400, 15);
  const lovedOnce = ranked(false, 5, 1, 15);
  assert.ok(cathedral > lovedTable && lovedTable > smallSight && smallSight > checkedFuel);
  assert.ok(smallSight > lovedOnce);
  assert.ok(ranked(true, 4.2, 50, 10) > ranked(false, 4.2, 50, 10));
  assert.ok(ranked(false, 2.1, 300, 10) < ranked(false, 3.1, 300, 10));
  assert.equal(ranked(true, 5, 1_000_000, 100), 511);
});
