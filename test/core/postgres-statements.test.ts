import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { copyInto } from '../../src/core/postgres/copy-into.ts';
import { connect, isUnavailable, violatedConstraint } from '../../src/core/postgres/db.ts';
import { createTestDatabase } from '../harness/service/database.ts';

const database = await createTestDatabase('template0');
const { pool } = database;
after(() => database.drop());
await pool`create table kept (id int primary key, data jsonb, at timestamptz)`;

test('values arrive as they are and come back as they were', async () => {
  const at = new Date('2026-11-14T12:00:00.123Z');
  const bytes = Buffer.from([0, 1, 255]);
  const texts = ['plain', 'a "quote", a \\ and {braces}', '', 'NULL', 'ü\n'];
  const [row] = await pool`
    select ${at} as at, ${at} + interval '1 hour' as later, ${bytes} as bytes, ${true} as yes, ${false} as no,
      ${texts}::text[] as texts, ${[1, -2.5]}::float8[] as numbers, ${[]}::text[] as none, ${null}::text as nothing,
      ${pool.json({ deep: ['a', null] })} as data, ${9_007_199_254_740_993n} as big, 12.50::numeric as money,
      '{{1,2},{3,NULL}}'::int[] as nested, date '2026-11-14' as day, ${7}::int as seven`;
  assert.deepEqual(row, {
    ...{ at, later: new Date('2026-11-14T13:00:00.123Z'), bytes, yes: true, no: false, texts },
    ...{ numbers: [1, -2.5], none: [], nothing: null, data: { deep: ['a', null] }, big: '9007199254740993' },
    ...{
      money: '12.50',
      nested: [
        [1, 2],
        [3, null],
      ],
      day: new Date('2026-11-14'),
      seven: 7,
    },
  });
});

test('fragments number their values, names are quoted, and an update sets what it is given', async () => {
  const condition = pool`id = ${1} or ${pool`data ? ${'key'}`}`;
  await pool`insert into kept (id, data) values (${1}, ${pool.json({})}), (2, '{"key": 1}'), (3, null)`;
  const found = await pool<
    { id: number }[]
  >`select ${pool('k.id')} from kept k where ${condition} order by id`;
  assert.deepEqual([...found], [{ id: 1 }, { id: 2 }]);
  const set = { at: new Date(0), data: pool.json('text') };
  const { count } = await pool`update kept set ${pool(set)} where ${[pool`true`, pool`and id > ${1}`]}`;
  assert.equal(count, 2);
  assert.equal(
    (await pool`select ${pool(['id', 'odd"name'])} from (select 1 as id, 2 as "odd""name") o`).length,
    1,
  );
  await assert.rejects(pool`select ${undefined as never}`, /undefined/);
  await assert.rejects(pool`select ${{} as never}`, /object/);
  await pool`delete from kept`;
});

test('a transaction is whole: a statement that failed undoes it, even where nobody heeded it', async () => {
  await assert.rejects(
    pool.begin(async (tx) => {
      await tx`insert into kept (id) values (1)`;
      await tx`insert into kept (id) values (1)`.catch(() => undefined);
    }),
    (thrown) => violatedConstraint(thrown) === 'kept_pkey',
  );
  await assert.rejects(
    pool.begin((tx) => Promise.all([tx`select 1 / 0`, tx`select 1 as after`, tx`select 1 as after`])),
    { code: '22012' },
  );
  await assert.rejects(
    pool.begin(async (tx) => {
      await tx`insert into kept (id) values (1)`;
      throw new Error('ours');
    }),
    /ours/,
  );
  assert.equal((await pool`select from kept`).count, 0);
  const { tx: past } = await pool.begin('read only', (tx) => ({ tx }));
  await assert.rejects(past`select 1`, /over/);
});

test('a statement that nobody awaited counts too: its failure fails the transaction, and after the end it is not sent', async () => {
  await assert.rejects(
    pool.begin(async (tx) => {
      await tx`insert into kept (id) values (1)`;
      void tx`select 1 / 0`.catch(() => undefined);
      return 'done';
    }),
    { code: '22012' },
  );
  const late: Promise<unknown>[] = [];
  for (let at = 0; at < 50; at++) {
    const work = pool.begin(async (tx) => {
      const write = async () => {
        await tx`select 1 / 0`.catch(() => undefined);
        return tx`insert into kept (id) values (${at})`;
      };
      late.push(write().catch(() => undefined));
      await tx`select 1 / 0`;
    });
    await assert.rejects(work, { code: '22012' });
  }
  await Promise.all(late);
  assert.equal((await pool`select from kept`).count, 0);
});

test('an error names the template that sent the statement', async () => {
  const thrown: unknown = await pool`select no_such_column`.catch((error: unknown) => error);
  assert.match((thrown as Error).stack ?? '', /postgres-statements\.test\.ts/);
});

test('a copy that is refused says why, and the connection goes on', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join('');
  await pool.begin((tx) => copyInto(tx, 'kept (id)', [Buffer.from(lines), Buffer.from('20000\n')]));
  assert.equal((await pool`select from kept`).count, 20_001);
  await assert.rejects(
    pool.begin((tx) =>
      copyInto(tx, 'kept (id)', [Buffer.from('x\n'), ...Array<Buffer>(50).fill(Buffer.from(lines))]),
    ),
    { code: '22P02' },
  );
  await pool`truncate kept`;
});

test('a pool that ends lets what it does finish, cuts off what takes too long, and takes no more', async () => {
  const one = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  const done = one`select pg_sleep(0.2)`.execute();
  await one.end();
  assert.equal((await done).length, 1);
  await assert.rejects(one`select 1`, isUnavailable);
  const other = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  const endless = Promise.allSettled([
    other`select pg_sleep(600)`.execute(),
    other.begin((tx) => tx`select 1`),
  ]);
  await other.end({ timeout: 0.2 });
  for (const { status } of await endless) assert.equal(status, 'rejected');
});

test('many statements on few connections are all answered, in and out of transactions', async () => {
  const few = connect(database.url, { max: 2, statementTimeoutMs: 0 });
  const asked = Array.from({ length: 300 }, (_, i) =>
    i % 3 === 0
      ? few.begin(async (tx) => (await tx<{ i: number }[]>`select ${i}::int as i`)[0]?.i)
      : few<{ i: number }[]>`select ${i}::int as i`.then(([row]) => row?.i),
  );
  assert.deepEqual(await Promise.all(asked), [...asked.keys()]);
  await few.end();
});
