import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WallClockDate, WorkExhausted, workMeter } from '../../../src/directory/hours/osm/wall-clock-date.ts';

function metered(work: number, task: () => void): void {
  workMeter.left = work;
  try {
    task();
  } finally {
    workMeter.left = 0;
  }
}

function parts(date: WallClockDate): number[] {
  return [
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    date.getDay(),
    date.getHours(),
    date.getMinutes(),
  ];
}

function utcParts(date: Date): number[] {
  const day = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()];
  return [...day, date.getUTCHours(), date.getUTCMinutes()];
}

test('A wall clock reads, is made and is moved as a date in UTC is.', () => {
  metered(1_000_000, () => {
    for (let step = 0; step < 5000; step++) {
      const ms = Date.UTC(1890, 0, 1) + step * 1_234_567_890;
      assert.deepEqual(parts(new WallClockDate(ms)), utcParts(new Date(ms)));
      const [year, month, date, minutes] = [
        1890 + (step % 300),
        (step % 40) - 14,
        (step % 70) - 20,
        step * 7,
      ];
      const made = new WallClockDate(year, month, date, 0, minutes);
      const expected = new Date(Date.UTC(year, month, date, 0, minutes));
      assert.equal(made.getTime(), expected.getTime());
      made.setDate(step % 60);
      made.setHours(step % 24, step % 60);
      expected.setUTCDate(step % 60);
      expected.setUTCHours(step % 24, step % 60);
      assert.deepEqual(parts(made), utcParts(expected));
    }
  });
});

test('A copy is independent, and comparison is by time.', () => {
  metered(10, () => {
    const first = new WallClockDate(2026, 10, 15);
    const copy = new WallClockDate(first);
    copy.setDate(16);
    assert.equal(first.getDate(), 15);
    assert.ok(first < copy);
  });
});

test('More dates than allowed are refused.', () => {
  metered(2, () => {
    assert.ok(new WallClockDate(0) <= new WallClockDate(1));
    assert.throws(() => new WallClockDate(2), WorkExhausted);
  });
});
