import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { copyOut } from '../../src/core/postgres/copy-out.ts';
import { createTestDatabase } from '../harness/service/database.ts';

const database = await createTestDatabase();
const { pool } = database;
after(() => database.drop());

test('texts arrive unchanged, whatever they contain, and in chunks of a minimum size', async () => {
  const odd = ['two\nlines', 'a\ttab', 'back\\slash', '\\n', '\\.', '', '東京 \u001f', '\r\b\f\v'];
  const values = odd.map((_, i) => `(${i}, $${i + 1})`).join(', ');
  await pool.unsafe('create table odd (i int, t text)');
  await pool.unsafe(`insert into odd values ${values}`, odd);
  const batches: string[][] = [];
  await copyOut(pool, 'select t from odd order by i', 3, (rows) => {
    batches.push(rows);
    return Promise.resolve();
  });
  assert.deepEqual(batches.flat(), odd);
  assert.ok(batches.slice(0, -1).every(({ length }) => length >= 3));
});

test('a taker is waited for, and one that fails ends the transaction with its error', async () => {
  const many = "select repeat('x', 1000) from generate_series(1, 20000)";
  let [taking, most, taken] = [0, 0, 0];
  await copyOut(pool, many, 100, async ({ length }) => {
    most = Math.max(most, ++taking);
    await new Promise((resolve) => setTimeout(resolve, 1));
    taken += length;
    taking--;
  });
  assert.deepEqual([taken, most], [20_000, 1]);
  const full = new Error('no room');
  const failing = pool.begin((sql) => copyOut(sql, many, 100, () => Promise.reject(full)));
  await assert.rejects(failing, full);
  await assert.rejects(
    copyOut(pool, 'select 1 / 0 || $$$$', 1, () => Promise.resolve()),
    /division by zero/,
  );
  assert.deepEqual([...(await pool`select 1 as one`)], [{ one: 1 }]);
});
