import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HORIZON_DAYS, compileHours } from '../../../src/directory/hours/compile/compile-hours.ts';
import { type CompiledHours, DAY_MINUTES } from '../../../src/directory/hours/compile/compiled-hours.ts';
import { mayRunPastMidnight, normaliseHours } from '../../../src/directory/hours/hours-text.ts';
import { isOpenAt, openAt } from '../../../src/directory/hours/open-at.ts';
import { compileWithLibrary } from '../../../src/directory/hours/osm/compile-with-library.ts';
import { parseOsmHours, withWork } from '../../../src/directory/hours/osm/osm-hours-library.ts';
import { WallClockDate } from '../../../src/directory/hours/osm/wall-clock-date.ts';
import { readSimpleHours } from '../../../src/directory/hours/compile/simple-rules.ts';
import { LONG, tries } from '../../harness/tier.ts';
import { BERLIN } from './berlin.ts';
import { type Corpus, VALUES } from './shared-corpus.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';

const EVERY_NTH_VALUE = LONG ? 31 : 124;
const FEWEST_REAL_VALUES = tries({ quick: 125, long: 500 });
const INSTANTS_PER_VALUE = 40;
const HORIZON_MINUTES = 395 * DAY_MINUTES;
const UNLIMITED = 1e9;

const EVERY_NTH_MADE_VALUE = tries({ quick: 4, long: 1 });

/** There are so many real values that every so-manieth is enough. */
function some({ isReal, values }: Corpus, sparser = 1): string[] {
  return values.filter((_, at) => at % (isReal ? EVERY_NTH_VALUE * sparser : EVERY_NTH_MADE_VALUE) === 0);
}

/** The zone does not matter to the comparison, which is of one wall clock with another. */
const PLACE = { ...BERLIN, timezone: 'UTC' };

/** A sequence that looks random and is the same in every run. */
function* minutes(): Generator<number, never> {
  for (let seed = 20_261_115; ; seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) {
    yield Math.floor((seed / 2_147_483_648) * HORIZON_MINUTES);
  }
}

/**
 * Left out, because they differ on purpose: what is doubtful, holidays without dates, repeated days that are joined,
 * and open ends, of which the library says one thing when asked for a state and another when asked for changes.
 */
function isComparable(text: string, compiled: CompiledHours | null): compiled is CompiledHours {
  if (compiled === null || compiled.doubtful === true || compiled.holidays_unknown === true) return false;
  const sameText = normaliseHours(text) === text.replaceAll(/\s+/g, ' ').replaceAll(/^[\s;]+|[\s;]+$/g, '');
  return sameText && !text.includes('+');
}

/** Doubts about the words are found before and after the parsing, whichever parser does it. */
function doubt(compiled: CompiledHours | null): Pick<CompiledHours, 'doubtful'> {
  return compiled?.doubtful === true ? { doubtful: true } : {};
}

/** The library's own result at each instant. */
function libraryStates(text: string, instants: readonly number[]): (boolean | null)[] {
  return withWork(UNLIMITED, PLACE.now, PLACE.timezone, () => {
    const hours = parseOsmHours(text, PLACE);
    return instants.map((instant) => {
      const [open, , unknown] = hours.getStatePair(new WallClockDate(instant));
      return open ? true : unknown ? null : false;
    });
  });
}

for (const corpus of VALUES)
  test(`At random instants a compiled value is open when the library says so, but for nights: ${corpus.of}.`, (context) => {
    const random = minutes();
    const counts = { values: 0, instants: 0, nights: 0 };
    for (const text of some(corpus)) {
      const compiled = compileHours(text, PLACE);
      if (!isComparable(text, compiled)) continue;
      const end = compiled.until === undefined ? Infinity : Date.parse(`${compiled.until}T00:00Z`);
      const instants = Array.from(
        { length: INSTANTS_PER_VALUE },
        () => PLACE.now.getTime() + random.next().value * MINUTE_MS,
      );
      const states = libraryStates(text, instants);
      counts.values++;
      instants.forEach((instant, at) => {
        if (instant >= end) return;
        counts.instants++;
        const open = isOpenAt(compiled, PLACE.timezone, new Date(instant));
        if (open === states[at]) return;
        // A night belongs to the day on which it began, whatever the rules of the next day say.
        assert.ok(new Date(instant).getUTCHours() < 12, `${text} at ${new Date(instant).toISOString()}`);
        counts.nights++;
      });
    }
    context.diagnostic(
      `${counts.values} values at ${counts.instants} instants; ${counts.nights} differ by a night`,
    );
    assert.ok(
      counts.values > (corpus.isReal ? FEWEST_REAL_VALUES : 100 / EVERY_NTH_MADE_VALUE) &&
        counts.nights < counts.instants / (corpus.isReal ? 200 : 20),
    );
  });

for (const corpus of VALUES)
  test(`A value that is read without the library becomes what the library would make of it, but for nights: ${corpus.of}.`, (context) => {
    const today = Math.floor(PLACE.now.getTime() / MINUTE_MS / DAY_MINUTES);
    const window = { from: today - 1, until: today + HORIZON_DAYS };
    let compared = 0;
    for (const text of some(corpus)) {
      const normal = normaliseHours(text);
      if (normal === null || readSimpleHours(normal) === null || mayRunPastMidnight(normal)) continue;
      const compiled = compileHours(text, PLACE);
      assert.deepEqual({ ...compileWithLibrary(normal, PLACE, window), ...doubt(compiled) }, compiled, text);
      compared++;
    }
    context.diagnostic(`${compared} values compared`);
    assert.ok(compared > (corpus.isReal ? FEWEST_REAL_VALUES : 50 / EVERY_NTH_MADE_VALUE), String(compared));
  });

for (const corpus of VALUES)
  test(`The next change of a compiled value is a change, and the first one: ${corpus.of}.`, () => {
    const random = minutes();
    for (const text of some(corpus, 7)) {
      const compiled = compileHours(text, BERLIN);
      if (compiled === null) continue;
      const instant = BERLIN.now.getTime() + random.next().value * MINUTE_MS;
      const { open, until } = openAt(compiled, BERLIN.timezone, new Date(instant));
      if (until === null) continue;
      const stateAt = (ms: number): boolean | null => isOpenAt(compiled, BERLIN.timezone, new Date(ms));
      assert.notEqual(stateAt(until.getTime()), open, text);
      const quarters = Math.min((until.getTime() - instant) / MINUTE_MS / 15, 700);
      for (let step = 0; step < quarters; step++)
        assert.equal(stateAt(instant + step * 15 * MINUTE_MS), open, text);
    }
  });

test('The time that one question takes is printed.', (context) => {
  const texts = [
    '24/7',
    'Mo-Fr 09:00-17:00; Sa 10:00-14:00',
    'Mo-Th 18:00-01:00; Fr,Sa 18:00-03:00',
    'Mo-Sa 11:30-14:30,17:30-22:30; PH off',
  ];
  for (const text of texts) {
    const compiled = compileHours(text, BERLIN);
    assert.ok(compiled !== null);
    const instants = Array.from(
      { length: tries({ quick: 100, long: 10_000 }) },
      (_, at) => new Date(BERLIN.now.getTime() + at * 13 * MINUTE_MS),
    );
    const run = (): void => {
      for (const instant of instants) openAt(compiled, BERLIN.timezone, instant);
    };
    for (let round = 0; round < 3; round++) run();
    const start = performance.now();
    run();
    context.diagnostic(
      `openAt ${(((performance.now() - start) * 1000) / instants.length).toFixed(2)} µs: ${text}`,
    );
  }
});
