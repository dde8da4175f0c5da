import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REAL_VALUES, compileCorpus, corpusOptions, readCorpus } from './shared-corpus.ts';

test(
  'At least 98.5 % of real values are compiled, and none throws.',
  corpusOptions(REAL_VALUES),
  (context) => {
    const { values, compiled } = compileCorpus(context, readCorpus(REAL_VALUES));
    assert.ok(compiled / values >= 0.985, `${compiled} of ${values}`);
  },
);
