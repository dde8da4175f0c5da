import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fold } from '../../src/core/text/fold.ts';
import { makeVocabulary } from '../../src/search/understand/lexicon/make/make-vocabulary.ts';

const made = makeVocabulary();

test('the vocabulary is what its sources give: npm run vocabulary writes it anew', () => {
  for (const [file, text] of made)
    assert.ok(readFileSync(file, 'utf8') === text, `${file} is not as its sources make it`);
});

test('the vocabulary stays small', () => {
  for (const [file, text] of made) assert.ok(text.length < 800_000, file);
});

test('letters that no normal form takes apart are folded as people type them', () => {
  for (const [written, typed] of [
    ['Ħal Għargħur', 'hal gharghur'],
    ['Þingvellir', 'thingvellir'],
    ['Akureyri flugvöllur, Eyjafjarðarsveit', 'akureyri flugvollur eyjafjardarsveit'],
    ['Ærø', 'aero'],
    ['Cœur', 'coeur'],
    ['Kapalıçarşı', 'kapalicarsi'],
    ['Łódź', 'lodz'],
    ['Đà Nẵng', 'da nang'],
    ['카페', '카페'],
  ] as const)
    assert.equal(fold(written), typed);
});

test('the name of a kind is one whole name', () => {
  for (const [file, text] of made) {
    if (!file.endsWith('/kind-names.json')) continue;
    const languages = JSON.parse(text) as Record<string, Record<string, Record<string, string>>>;
    for (const [language, groups] of Object.entries(languages))
      for (const [kind, name] of Object.values(groups).flatMap((names) => Object.entries(names)))
        assert.doesNotMatch(name, /[\u00ad,、()（）]|-$|^$/, `${language}: ${kind}`);
  }
});
