import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isPluralElement, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { VENUE_LANGUAGES } from '../../../../src/bookings/language/venue-language.ts';
import {
  readAreaCatalogue,
  type AreaKey,
} from '../../../../src/surfaces/people/venue/language/area-language.ts';
import { alwaysUsed, elementsIn, parsed, pluralFaults } from '../../../harness/icu-messages.ts';

const FOLDER = new URL('../../../../src/surfaces/people/venue/language/catalogues/', import.meta.url);
const english = readAreaCatalogue('en');
const keys = Object.keys(english) as AreaKey[];

/** Texts that are rightly the same in two languages, such as the name of a thing. */
const SAME_MAX = 12;

test('every language has a catalogue, and every catalogue a language', () => {
  const files = globSync('*', { cwd: FOLDER }).sort();
  assert.deepEqual(
    files,
    [...VENUE_LANGUAGES.keys()].map((code) => `${code}.json`),
  );
});

for (const code of VENUE_LANGUAGES.keys())
  test(`${code}.json has every sentence, with the arguments of English and the plural forms of the language`, () => {
    const catalogue = readAreaCatalogue(code);
    assert.deepEqual(Object.keys(catalogue), keys);
    assert.equal(
      readFileSync(new URL(`${code}.json`, FOLDER), 'utf8'),
      `${JSON.stringify(catalogue, null, 2)}\n`,
    );
    assert.deepEqual(
      keys.flatMap((key) => faultsOf(key, catalogue[key], code)),
      [],
    );
    const same = keys.filter((key) => catalogue[key] === english[key]);
    assert.ok(code === 'en' || same.length <= SAME_MAX, `not translated: ${same.join(', ')}`);
  });

function faultsOf(key: AreaKey, pattern: string, code: string): string[] {
  if (pattern.trim() === '') return [`${key} is empty`];
  const elements: MessageFormatElement[] = parsed(pattern);
  const [used, needed] = [alwaysUsed(elements), alwaysUsed(parsed(english[key]))];
  return [
    ...[...needed.symmetricDifference(used)].map((name) => `${key}: {${name}}`),
    ...elementsIn(elements)
      .filter(isPluralElement)
      .flatMap((element) => pluralFaults(element, code))
      .map((fault) => `${key}: ${fault}`),
  ];
}
