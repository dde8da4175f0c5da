import assert from 'node:assert/strict';
import type { CompiledHours } from '../../src/directory/hours/compile/compiled-hours.ts';
import { structuredWeek } from '../../src/directory/hours/weekly-hours.ts';
import { test } from 'node:test';
import { CATALOGUE } from '../../src/directory/catalogue.ts';
import { DEMO_TABLES, placeLine } from '../../src/demo/wording/demo-copy.ts';
import type { DemoDestinationRow } from '../../src/demo/demo-destinations.ts';
import { DEMO_DAYS } from '../../src/demo/facts/demo-hours.ts';
import { writePrice } from '../../src/demo/wording/demo-menus.ts';
import { slugOf } from '../../src/demo/wording/demo-names.ts';
import { demoPlaces, type DemoPlace } from '../../src/demo/demo-places.ts';
import { tries } from '../harness/tier.ts';
import { catalogueId } from '../../src/directory/install-catalogue.ts';

const DESTINATIONS: readonly DemoDestinationRow[] = CATALOGUE.map((entry) => {
  const [west, south, east, north] = entry.bbox;
  return { ...entry, id: catalogueId(entry.slug), west, south, east, north };
});

function generate(places: number, destinations = DESTINATIONS): DemoPlace[] {
  return [...demoPlaces({ destinations, places, seed: 1, now: new Date('2026-11-15T08:30:00Z') })];
}

/** In the long tier as many as a first start loads. */
const PLACES = generate(tries({ quick: 8_000, long: 24_000 }));

const OSM_DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

function parseHours(text: string): Record<string, string[][]> {
  const week: string[][][] = DEMO_DAYS.map(() => []);
  if (text === '24/7') week.fill([['00:00', '24:00']]);
  else {
    for (const rule of text.split('; ')) {
      const [days = '', ranges = ''] = rule.split(' ');
      const [from = '', to = from] = days.split('-');
      for (let day = OSM_DAYS.indexOf(from); day <= OSM_DAYS.indexOf(to); day++) {
        week[day] = ranges === 'off' ? [] : ranges.split(',').map((range) => range.split('-'));
      }
    }
  }
  return Object.fromEntries(DEMO_DAYS.map((day, at) => [day, week[at] ?? []]));
}

test('The text of the hours and their structured form say the same.', () => {
  const texts = new Set<string>();
  // Many places have the same week.
  const weeks = new Map(
    PLACES.flatMap(({ hours }) => (hours ? [[JSON.stringify(hours.week), hours.week]] : [])),
  );
  for (const week of weeks.values()) {
    texts.add(week.text);
    assert.deepEqual(parseHours(week.text), week.structured);
    const { text, compiled } = JSON.parse(`{${week.json}}`) as { text: string; compiled: CompiledHours };
    assert.equal(text, week.text);
    assert.deepEqual(structuredWeek(compiled), week.structured);
    for (const range of Object.values(week.structured).flat(2))
      assert.match(range, /^(?:[01]\d|2[0-4]):[0-5]\d$/);
  }
  const all = [...texts];
  assert.ok(texts.has('24/7'), 'around the clock');
  assert.ok(
    all.some((text) => /off/.test(text)),
    'closed days',
  );
  assert.ok(
    all.some((text) => /\d,\d/.test(text)),
    'split days',
  );
  assert.ok(
    all.some((text) => /2[0-3]:\d\d-0[1-6]:/.test(text)),
    'past midnight',
  );
});

// A sample of 24,000 real names of eating places had 85 % distinct ones; this run has 98 %.
test('Names differ from one another, and many are written in the script of the country.', () => {
  assert.ok(new Set(PLACES.map(({ name }) => name)).size / PLACES.length >= 0.96);
  const scripts = {
    ja: /\p{Script=Han}|\p{Script=Katakana}|\p{Script=Hiragana}/u,
    th: /\p{Script=Thai}/u,
    el: /\p{Script=Greek}/u,
  };
  for (const [language, script] of Object.entries(scripts)) {
    const written = PLACES.filter(({ names }) => names[language] !== undefined);
    assert.ok(written.length > 20, language);
    for (const { name, names } of written) {
      assert.match(names[language] ?? '', script);
      assert.ok(name === names[language] || name === names['en']);
    }
  }
});

const BRANDS =
  /\b(?:starbucks|mcdonald|kfc|subway|burger king|pizza hut|domino'?s|hilton|marriott|hyatt|sheraton|novotel|ibis|ritz|four seasons|hard rock|nobu|costa coffee|7-eleven|ikea|zara|michelin|radisson|accor|wendy's)\b/i;

test('No venue bears the name of a known brand.', () => {
  for (const { name, names, accolades } of PLACES) {
    assert.doesNotMatch(
      `${name} ${names['en'] ?? ''} ${accolades.map(({ source_name }) => source_name).join()}`,
      BRANDS,
    );
  }
});

test('A price is written as menus of the country write it.', () => {
  assert.equal(writePrice(85_000, '#.###'), '85.000');
  assert.equal(writePrice(85_000, '#k'), '85k');
  assert.equal(writePrice(1_250_000, 'Rp #.###'), 'Rp 1.250.000');
  assert.equal(writePrice(14.5, '#,## €'), '14,50 €');
  assert.equal(writePrice(14.5, '£#.##'), '£14.50');
  assert.equal(writePrice(1200, '#,###円'), '1,200円');
  assert.equal(writePrice(185, '# Kč'), '185 Kč');
  for (const { menu } of PLACES) {
    if (menu === null) continue;
    assert.match(menu.currency, /^[A-Z]{3}$/);
    assert.ok(menu.sections.length >= 3);
    for (const item of menu.sections.flatMap(({ items }) => items)) assert.match(item.price, /[1-9]/);
  }
});

test('A slug keeps letters and digits of any Latin name and nothing else.', () => {
  assert.equal(slugOf("L'Auberge de l'Écluse & Søn No. 7"), 'lauberge-de-lecluse-son-no-7');
  assert.equal(slugOf('Phở Bà Đặng'), 'pho-ba-dang');
  assert.equal(slugOf('  İnci Ocakbaşı — '), 'inci-ocakbasi');
});

test('No text can break out of its field on the way into the database.', () => {
  const [first] = DESTINATIONS;
  assert.ok(first);
  const [place] = generate(1, [{ ...first, name: 'Tab\tnew\nline\r back\\slash', areas: ['\\.'] }]);
  assert.ok(place);
  const line = placeLine(place);
  assert.equal(line.indexOf('\n'), line.length - 1);
  const columns = DEMO_TABLES.place.slice(DEMO_TABLES.place.indexOf('(')).split(',').length;
  assert.equal(line.split('\t').length, columns);
  assert.ok(line.includes('Tab\\tnew\\nline\\r back\\\\slash'));
});
