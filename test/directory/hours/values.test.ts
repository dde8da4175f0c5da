import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LONG } from '../../harness/tier.ts';
import { INVALID_VALUES, VALUES, compileCorpus, type Corpus } from './shared-corpus.ts';

/** There are so many real values that a part of them is enough for the quick tier. */
const EVERY_NTH_VALUE = 100;

function some({ isReal, values }: Corpus): readonly string[] {
  return isReal && !LONG ? values.filter((_, at) => at % EVERY_NTH_VALUE === 0) : values;
}

for (const corpus of VALUES) {
  const { of, isReal } = corpus;
  const values = some(corpus);
  const share = isReal ? 0.985 : 1;
  test(`Of ${of} at least ${share * 100} % are compiled, and none throws.`, (context) => {
    const { compiled } = compileCorpus(context, values);
    assert.ok(compiled / values.length >= share, `${compiled} of ${values.length}`);
  });
}

for (const corpus of INVALID_VALUES) {
  const { of, isReal } = corpus;
  const values = some(corpus);
  test(`Of ${of} that are invalid none throws or hangs.`, (context) => {
    compileCorpus(context, values);
    assert.ok(corpus.values.length > (isReal ? 30_000 : 30));
  });
}
