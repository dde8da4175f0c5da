import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVALID_VALUES, compileCorpus, corpusOptions, readCorpus } from './shared-corpus.ts';

test('No invalid value throws or hangs.', corpusOptions(INVALID_VALUES), (context) => {
  const { values } = compileCorpus(context, readCorpus(INVALID_VALUES));
  assert.ok(values > 30_000);
});
