import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContact } from '../../../src/core/text/contact/contact-data.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { ORDINARY_TEXTS } from './ordinary-texts.ts';

test(`of ${ORDINARY_TEXTS.length} ordinary texts in many languages none is taken for a contact`, () => {
  assert.ok(ORDINARY_TEXTS.length >= 150);
  assert.deepEqual(
    ORDINARY_TEXTS.filter((text) => findContact(text) !== undefined),
    [],
  );
});

test(`of ${HOSTILE_TEXTS.length} contacts in words, mixed digits, other scripts and bare domains none gets through`, () => {
  assert.ok(HOSTILE_TEXTS.length >= 150);
  assert.deepEqual(
    HOSTILE_TEXTS.filter((text) => findContact(text) === undefined),
    [],
  );
});

test('a long text that means nothing is judged in no time that anybody would notice', () => {
  for (const piece of ['1:', '08 a ', 'one ', 'a.', 'sevens', '. ', 'at dot ', '1.000', '(dot) '])
    findContact(piece.repeat(20_000 / piece.length));
});
