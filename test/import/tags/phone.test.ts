import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPhones } from '../../../src/import/tags/phone.ts';

function read(...texts: string[]): [phone: string | null, published: string | undefined] {
  const counts = { phones_as_published: 0 };
  const { phone, phone_as_published } = readPhones(texts, counts);
  assert.equal(counts.phones_as_published > 0, phone_as_published !== undefined);
  return [phone, phone_as_published];
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
    assert.deepEqual(read(text), ['+41446681800', undefined], text);
  }
  assert.deepEqual(read('00 33 (0)1 42 68 53 00'), ['+33142685300', undefined]);
  assert.deepEqual(
    read('+39 (0)6 6988 3041'),
    ['+390669883041', undefined],
    'in Italy the zero belongs to the number',
  );
  assert.deepEqual(read('+1 (212) 736-5000 ext. 4'), ['+12127365000', undefined]);
});

test('Of several numbers in one field the first usable one is taken.', () => {
  for (const between of ['; ', ', ', ' / ', ' or ', '\n', ' oder ']) {
    assert.deepEqual(read(`+376 826 000${between}+376 391 408`), ['+376826000', undefined], between);
    assert.deepEqual(read(`826 000${between}+376 391 408`), ['+376391408', '826 000'], between);
  }
  assert.deepEqual(read('+49 30/22730'), ['+493022730', undefined], 'the stroke stands inside of this one');
  assert.deepEqual(read('+41 44 668 18 00 / 01'), ['+41446681800', undefined]);
});

test('An area code before a stroke is not taken for a whole number.', () => {
  assert.deepEqual(read('+49 35204 / 286124'), ['+4935204286124', undefined]);
});

test('A number without its country is kept as published, and none is guessed.', () => {
  for (const text of [
    '044 668 18 00',
    '0800 00 41 44 66',
    '0800 00 41 44 668 18 00',
    '0077-78-9888',
    '011 41 44 668 18 00',
    '+33 12 34',
    '144',
    '۰۲۱۶۶۹۵۴۵۱۲',
  ]) {
    assert.deepEqual(read(text), [null, text], text);
  }
  assert.deepEqual(read('03-3462-0261;03-3462-0271', '090 1'), [null, '03-3462-0261;03-3462-0271; 090 1']);
  assert.deepEqual(read('044 668 18 00', '044  668 18 00'), [null, '044 668 18 00']);
});

test('Beside a number with its country, one without is kept too, unless it is the same.', () => {
  assert.deepEqual(read('+41 44 668 18 00', '079 123 45 67'), ['+41446681800', '079 123 45 67']);
  assert.deepEqual(read('+41 44 668 18 00', '044 668 18 00'), ['+41446681800', undefined]);
});

test('A text that is no number is not kept.', () => {
  for (const text of [
    '',
    ' ; ',
    '+33',
    'ask inside',
    'https://exemple.example/123',
    'mail@exemple.example 123',
  ])
    assert.deepEqual(read(text), [null, undefined], text);
});
