import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isPluralElement } from '@formatjs/icu-messageformat-parser';
import {
  ANSWER_LANGUAGES,
  DIRECTORY_KEYS,
  readAnswerCatalogue,
  type AnswerKey,
} from '../../src/answers/language/answer-language.ts';
import { alwaysUsed, elementsIn, parsed } from '../harness/icu-messages.ts';

const SOURCES = new URL('../../src/answers/', import.meta.url);
const FOLDER = new URL('language/catalogues/', SOURCES);
const ENGLISH = readAnswerCatalogue('en');
const KEYS = Object.keys(ENGLISH) as AnswerKey[];

test('every language of answers has a catalogue, and every catalogue a language', () => {
  assert.deepEqual(
    globSync('*', { cwd: FOLDER }).sort(),
    [...ANSWER_LANGUAGES.keys()].map((code) => `${code}.json`).sort(),
  );
});

test('one function says what the directory has or lacks, so no such sentence skips its check', () => {
  const uses = globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) => {
    const count = readFileSync(new URL(file, SOURCES), 'utf8').match(/\.directoryText\(/g)?.length ?? 0;
    return count === 0 ? [] : [[file, count]];
  });
  assert.deepEqual(uses, [['statements/statements.ts', 1]]);
  for (const key of DIRECTORY_KEYS) assert.ok(KEYS.includes(key), key);
});

for (const code of ANSWER_LANGUAGES.keys())
  describe(`${code}.json`, () => {
    const catalogue = readAnswerCatalogue(code);

    test('has the keys of English in the same order, each once, with a text', () => {
      assert.deepEqual(Object.keys(catalogue), KEYS);
      for (const pattern of Object.values(catalogue)) assert.notEqual(pattern.trim(), '');
      const file = readFileSync(new URL(`${code}.json`, FOLDER), 'utf8');
      assert.equal(file, `${JSON.stringify(catalogue, null, 2)}\n`);
    });

    test('has the arguments of English in every message, and the plural forms of the language', () => {
      const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories;
      for (const key of KEYS) {
        const elements = parsed(catalogue[key]);
        assert.deepEqual([...alwaysUsed(elements)].sort(), [...alwaysUsed(parsed(ENGLISH[key]))].sort(), key);
        for (const element of elementsIn(elements))
          if (isPluralElement(element))
            assert.deepEqual(Object.keys(element.options).sort(), [...forms].sort(), key);
      }
    });
  });
