import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVALID_VALUES, compileCorpus } from './shared-corpus.ts';

for (const { of, isReal, values } of INVALID_VALUES) {
  test(`Of ${of} that are invalid none throws or hangs.`, (context) => {
    compileCorpus(context, values);
    assert.ok(values.length > (isReal ? 30_000 : 30));
  });
}
