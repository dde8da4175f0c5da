import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INVALID_VALUES, VALUES, compileCorpus } from './shared-corpus.ts';

for (const { of, isReal, values } of VALUES) {
  const share = isReal ? 0.985 : 1;
  test(`Of ${of} at least ${share * 100} % are compiled, and none throws.`, (context) => {
    const { compiled } = compileCorpus(context, values);
    assert.ok(compiled / values.length >= share, `${compiled} of ${values.length}`);
  });
}

for (const { of, isReal, values } of INVALID_VALUES) {
  test(`Of ${of} that are invalid none throws or hangs.`, (context) => {
    compileCorpus(context, values);
    assert.ok(values.length > (isReal ? 30_000 : 30));
  });
}
