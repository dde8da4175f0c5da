import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPhone } from '../../../src/import/tags/phone.ts';

function read(...texts: string[]): [phone: string | null, dropped: number] {
  const counts = { phones_dropped: 0 };
  return [firstPhone(texts, counts), counts.phones_dropped];
}

test('A number with its country is read however it is written.', () => {
  for (const text of [
    '+41 44 668 18 00',
    '+41 (0)44 668 18 00',
    '0041 44 668 18 00',
    '00 41 (0)44 668 18 00',
    '(+41) 44 668 18 00',
    '(0041) 44/668.18.00',
    '+(41) 44 668 18 00',
    '+0041446681800',
    'Tel.: +41 44 668 18 00 (reception)',
    '＋41 44-668-18-00',
  ]) {
    assert.deepEqual(read(text), ['+41446681800', 0], text);
  }
  assert.deepEqual(read('00 33 (0)1 42 68 53 00'), ['+33142685300', 0]);
  assert.deepEqual(
    read('+39 (0)6 6988 3041'),
    ['+390669883041', 0],
    'in Italy the zero belongs to the number',
  );
  assert.deepEqual(read('+1 (212) 736-5000 ext. 4'), ['+12127365000', 0]);
});

test('Of several numbers in one field the first usable one is taken.', () => {
  for (const between of ['; ', ', ', ' / ', ' or ', '\n', ' oder ']) {
    assert.deepEqual(read(`+376 826 000${between}+376 391 408`), ['+376826000', 0], between);
    assert.deepEqual(read(`826 000${between}+376 391 408`), ['+376391408', 1], between);
  }
  assert.deepEqual(read('+49 30/22730'), ['+493022730', 0], 'the stroke stands inside of this one');
  assert.deepEqual(read('+41 44 668 18 00 / 01'), ['+41446681800', 1]);
});

test('A number without its country is dropped and counted, and none is guessed.', () => {
  for (const text of [
    '044 668 18 00',
    '0800 00 41 44 66',
    '0800 00 41 44 668 18 00',
    '0077-78-9888',
    '011 41 44 668 18 00',
    '+33 12',
    'ask inside',
    'https://exemple.example/',
  ]) {
    assert.deepEqual(read(text), [null, 1], text);
  }
  assert.deepEqual(read('', ' ; '), [null, 0]);
});
