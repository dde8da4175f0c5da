import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inByteOrder } from '../../../src/search/store/byte-order.ts';
import { TermPairs } from '../../../src/search/store/term-pairs.ts';
import { Terms } from '../../../src/search/query/terms.ts';

// Beginnings of each other, texts that differ late, and characters whose order in UTF-16 is not that of their bytes.
const TEXTS = [
  ...[
    'a',
    'ab',
    'abc',
    'n_',
    '',
    '5_pizza',
    '5k_pizza',
    '寿司',
    'ü',
    '\u{1f355}',
    '\uff5e',
    'z'.repeat(9_000),
  ],
  ...Array.from(
    { length: 3_000 },
    (_, i) => `n_restaurant${i % 40}${String.fromCharCode(97 + (i % 26))}${i}`,
  ),
];

test('a term keeps its number and its text', () => {
  const terms = new Terms();
  const numbers = TEXTS.map((text) => terms.numberOf(text));
  assert.deepEqual(numbers, [...TEXTS.keys()]);
  assert.deepEqual(
    TEXTS.map((text) => terms.numberOf(text)),
    numbers,
  );
  for (const number of [0, 4, 7, 9, 500]) assert.equal(terms.textOf(number), TEXTS[number]);
});

test('terms are sorted by their bytes', () => {
  const terms = new Terms();
  for (const text of TEXTS) terms.numberOf(text);
  const { bytes, ends, order } = terms.sorted();
  const sorted = Array.from(order, (number) =>
    Buffer.from(bytes.subarray(number === 0 ? 0 : ends[number - 1], ends[number])),
  );
  assert.equal(new Set(order).size, TEXTS.length);
  assert.deepEqual(
    sorted,
    [...sorted].sort((a, b) => a.compare(b)),
  );
  assert.deepEqual([...inByteOrder(new Uint8Array(), new Uint32Array())], []);
});

test('two numbers give their term, however many pairs there are', () => {
  const pairs = new TermPairs();
  for (let i = 0; i < 5_000; i++) pairs.set(i % 100, i, i * 7);
  for (let i = 0; i < 5_000; i++) assert.equal(pairs.get(i % 100, i), i * 7);
  assert.equal(pairs.get(1, 5_000), undefined);
});
