import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import {
  MESSAGE_ARGUMENTS,
  readCatalogue,
  type MessageKey,
} from '../../../src/bookings/language/catalogue.ts';
import { alwaysUsed, elementsIn, parsed, pluralFaults } from '../../harness/icu-messages.ts';
import { ENGLISH, VENUE_LANGUAGES } from '../../../src/bookings/language/venue-language.ts';

const FOLDER = new URL('../../../src/bookings/language/catalogues/', import.meta.url);
const ENGLISH_CATALOGUE = readCatalogue('en');
const KEYS = Object.keys(ENGLISH_CATALOGUE) as MessageKey[];

/** Arguments that a language uses only if its grammar needs them. */
const GRAMMAR = ['weekday', 'date', 'hour', 'untilHour'];

const declaredFor = (key: MessageKey): readonly string[] =>
  (MESSAGE_ARGUMENTS as Partial<Record<MessageKey, readonly string[]>>)[key] ?? [];

test('mistakes are found', () => {
  const faults = (pattern: string) => faultsOf('form.undoFor', pattern, 'hr').join('; ');
  assert.equal(faults('{minutes, plural, one {#} few {#} other {#}}'), '');
  assert.match(faults('{minutes'), /does not parse/);
  assert.equal(faults("'{minutes}'"), '{minutes} is missing');
  assert.equal(faults('{minutes} {name}'), '{name} is unknown');
  assert.equal(faults('{minutes, plural, one {#} other {#}}'), '{minutes} lacks the form few');
  assert.match(
    faults('{minutes, plural, one {x} few {#} other {#}}'),
    /does not show the number in the form one/,
  );
  assert.match(faults('{minutes, plural, one {#} few {#} many {#} other {#}}'), /has the form many/);
  assert.match(faults('{minutes, number}'), /has a format/);
});

test('every language has a catalogue, and every catalogue a language', () => {
  const files = globSync('*', { cwd: FOLDER }).sort();
  assert.deepEqual(
    files,
    [...VENUE_LANGUAGES.keys()].map((code) => `${code}.json`),
  );
});

test('English uses every declared argument that is not only for grammar', () => {
  assert.deepEqual(
    Object.keys(MESSAGE_ARGUMENTS).filter((key) => !KEYS.includes(key as MessageKey)),
    [],
  );
  for (const key of KEYS) {
    const used = alwaysUsed(parsed(ENGLISH_CATALOGUE[key]));
    assert.deepEqual(
      declaredFor(key).filter((name) => !used.has(name) && !GRAMMAR.includes(name)),
      [],
      key,
    );
  }
});

test('a wrong key, a missing or an unknown argument is a type error, and a missing one throws', () => {
  // @ts-expect-error: the key does not exist.
  const wrongKey = () => ENGLISH.text('message.unknown');
  // @ts-expect-error: the message needs a name.
  const noValues = () => ENGLISH.text('message.name');
  // @ts-expect-error: a name, not a note.
  const wrongName = () => ENGLISH.text('message.name', { note: 'x' });
  // @ts-expect-error: the message has no arguments.
  const needless = () => ENGLISH.text('page.skip', { name: 'x' });
  // @ts-expect-error: minutes are a number.
  const wrongType = () => ENGLISH.text('form.undoFor', { minutes: '2' });
  assert.throws(wrongKey);
  assert.throws(noValues, /name/);
  assert.throws(wrongName, /name/);
  assert.equal(typeof needless, typeof wrongType);
});

for (const [code, { text }] of VENUE_LANGUAGES)
  describe(`${code}.json`, () => {
    const file = readFileSync(new URL(`${code}.json`, FOLDER), 'utf8');
    const catalogue = readCatalogue(code);

    test('has the keys of English in the same order, each once, with a text', () => {
      assert.deepEqual(Object.keys(catalogue), KEYS);
      for (const pattern of Object.values(catalogue))
        assert.ok(typeof pattern === 'string' && pattern.trim() !== '', pattern);
      assert.equal(file, `${JSON.stringify(catalogue, null, 2)}\n`);
    });

    test('has messages that parse, with the arguments of English and the plural forms of the language', () => {
      assert.deepEqual(
        KEYS.flatMap((key) => faultsOf(key, catalogue[key], code).map((fault) => `${key}: ${fault}`)),
        [],
      );
    });

    test('inserts texts unchanged', () => {
      for (const value of ["D'Arcy '{name}' ''", '{people, plural, one {#} other {#}}', '<b>#</b> $& \\', ''])
        for (const shown of [
          text('message.name', { name: value }),
          text('message.note', { note: value }),
          text('message.answerHere', { link: value }),
          text('page.nothingCharged', { service: value }),
          text('page.staysAsItWas', { table: value }),
          text('call.helloPlace', { place: value }),
        ])
          assert.ok(shown.includes(value), shown);
    });
  });

/** Returns what is wrong with a message. */
function faultsOf(key: MessageKey, pattern: string, code: string): string[] {
  let elements: MessageFormatElement[];
  try {
    elements = parsed(pattern);
  } catch (error) {
    return [`does not parse: ${String(error)}`];
  }
  const used = alwaysUsed(elements);
  // A weekday with its date is a day.
  if (used.has('weekday') && used.has('date')) used.add('day');
  const missing = [...alwaysUsed(parsed(ENGLISH_CATALOGUE[key]))].filter((name) => !used.has(name));
  return [
    ...missing.map((name) => `{${name}} is missing`),
    ...elementsIn(elements).flatMap((element) => {
      if (isLiteralElement(element) || isPoundElement(element)) return [];
      if (!declaredFor(key).includes(element.value)) return [`{${element.value}} is unknown`];
      if (isPluralElement(element)) return pluralFaults(element, code);
      return isArgumentElement(element) || isSelectElement(element)
        ? []
        : [`{${element.value}} has a format, but is already written`];
    }),
  ];
}
