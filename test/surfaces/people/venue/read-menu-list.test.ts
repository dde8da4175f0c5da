import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMenuList } from '../../../../src/surfaces/people/venue/area/read-menu-list.ts';

const one = (line: string, currency = 'EUR') => {
  const [section] = readMenuList(line, currency);
  return section?.items.map(({ name, price }) => [name, price])[0];
};

test('a price is read however it is written, without the sign of the menu’s currency', () => {
  for (const [line, name, price] of [
    ['Soup 7', 'Soup', '7'],
    ['Bruschetta ........ 8,50', 'Bruschetta', '8,50'],
    ['Spaghetti . . . . 18,-', 'Spaghetti', '18,-'],
    ['Soup of the day — 7.50', 'Soup of the day', '7.50'],
    ['Carpaccio: € 14.50', 'Carpaccio', '14.50'],
    ['• Pizza 4 stagioni\t12,00 €', 'Pizza 4 stagioni', '12,00'],
    ['Cola 0,33 l … 3.90', 'Cola 0,33 l', '3.90'],
    ['Chicken (half/whole) 9.50 / 17', 'Chicken (half/whole)', '9.50 / 17'],
    ['Wine 12 EUR', 'Wine', '12'],
    ['Steak 12 USD', 'Steak', '12 USD'],
  ] as const)
    assert.deepEqual(one(line), [name, price]);
  assert.deepEqual(one('Nasi goreng Rp45.000', 'IDR'), ['Nasi goreng', '45.000']);
  assert.deepEqual(one('Nasi goreng 45k', 'IDR'), ['Nasi goreng', '45k']);
  assert.deepEqual(one('Ramen ¥1,200', 'JPY'), ['Ramen', '1,200']);
});

test('lines without a price are sections and descriptions', () => {
  const text =
    'Starters\nSoup 7\nof the day,\nwith bread\n\nMains:\nSteak 25\nSides:\nRice 3\n\nOpen until ten';
  assert.deepEqual(
    readMenuList(text, 'EUR').map(({ name, items }) => [
      name,
      items.map((item) => [item.name, item.description]),
    ]),
    [
      ['Starters', [['Soup', 'of the day, with bread']]],
      ['Mains', [['Steak', '']]],
      ['Sides', [['Rice', '']]],
    ],
  );
});

test('a text without prices gives nothing, and a hostile one is read to its end', () => {
  assert.deepEqual(readMenuList('We are a small place.\nCome by!', 'EUR'), []);
  for (const piece of ['. ', 'a ', ' ', '-', '€ ', '1x '])
    assert.deepEqual(readMenuList(`a${piece.repeat(5_000)}x\n`.repeat(50), 'EUR'), []);
});
