import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { createLog } from '../../src/core/log.ts';
import { clientOptions } from '../../src/core/postgres/client-options.ts';
import { copyInto } from '../../src/core/postgres/copy-into.ts';
import { Listener } from '../../src/core/postgres/listener.ts';
import { openQueuePool } from '../../src/jobs/queue-pool.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { passingServer, silentProxy, silentServer } from '../harness/service/postgres-stand-in.ts';

const database = await createTestDatabase('template0');
const { pool } = database;
after(() => database.drop());
await pool`create table changing (id int)`;

const one = { max: 1, statementTimeoutMs: 5_000 };

test('settings in a database URL do not replace our own', async () => {
  const address = new URL(database.url);
  address.searchParams.set('options', '-c search_path=public -c statement_timeout=0');
  address.searchParams.set('statement_timeout', '0');
  const reads = connect(address.href, { ...one, readOnly: true });
  await assert.rejects(reads`insert into changing values (1)`, { code: '25006' });
  const [path] = await reads<{ setting: string }[]>`select current_setting('search_path') as setting`;
  assert.equal(path?.setting, 'public');
  await reads.end();
  const writes = connect(address.href, one);
  const [timeout] = await writes<
    { setting: string }[]
  >`select current_setting('statement_timeout') as setting`;
  assert.equal(timeout?.setting, '5s');
  await writes.end();
});

test('a connection that is lost without a word is noticed', () => {
  const { keepAlive, keepAliveInitialDelayMillis } = clientOptions(database.url, { name: 'waypost' });
  assert.deepEqual([keepAlive, keepAliveInitialDelayMillis], [true, 60_000]);
});

test('a node that is lost without a word is noticed by the server, which gives its locks to the others', async () => {
  const settings = `
    select array_agg(setting order by name) as settings from pg_settings
    where name in ('tcp_keepalives_idle','tcp_keepalives_interval','tcp_keepalives_count','tcp_user_timeout')`;
  const jobs = openQueuePool(database.url, createLog('silent', process.stderr));
  const { rows } = await jobs.query<{ settings: string[] }>(settings);
  await jobs.end();
  assert.deepEqual(rows, [{ settings: ['3', '20', '10', '50000'] }]);
  // A connection without a statement timeout may also read slowly.
  for (const [statementTimeoutMs, answer] of [
    [5_000, '50000'],
    [0, '0'],
  ] as const) {
    const own = connect(database.url, { max: 1, statementTimeoutMs });
    assert.deepEqual([...(await own.unsafe(settings))], [{ settings: ['3', '20', '10', answer] }]);
    await own.end();
  }
});

test('a table may change under load: no statement fails for what a connection has parsed', async () => {
  const shared = connect(database.url, one);
  let stopped = false;
  const answers: Promise<number[]>[] = Array.from({ length: 3 }, async () => {
    const columns: number[] = [];
    while (!stopped) {
      const { length } = await shared`select * from changing`;
      columns.push(length);
    }
    return columns;
  });
  await pool`insert into changing values (1)`;
  for (const column of ['a', 'b', 'c']) await pool`alter table changing add column ${pool(column)} int`;
  await new Promise((resolve) => setTimeout(resolve, 100));
  stopped = true;
  for (const columns of await Promise.all(answers)) assert.ok(columns.length > 0);
  await shared.end();
});

test('a statement that could not be parsed in time fails alone', async () => {
  const shared = connect(database.url, { max: 1, statementTimeoutMs: 200 });
  // A busy machine may take longer than that to open a connection.
  await until('it is open', () =>
    shared`select 1`.then(
      () => true,
      () => false,
    ),
  );
  const answers = await pool.begin(async (tx) => {
    await tx`lock table changing in access exclusive mode`;
    const ask = () => shared`select count(*) from changing where id > 5`;
    const asked = Promise.allSettled([ask(), ask(), ask()]);
    return asked;
  });
  assert.deepEqual(
    answers.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'done')),
    ['57014', '57014', '57014'],
  );
  await shared.end();
});

test('a connection that PostgreSQL ends is given to nobody who waits', async () => {
  const shared = connect(database.url, one);
  const [backend] = await shared<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const held = assert.rejects(shared`select pg_sleep(60)`.execute());
  const waiting = shared.begin((tx) => tx`select 1`);
  await until('it sleeps', async () => {
    const rows =
      await pool`select from pg_stat_activity where pid = ${backend?.pid ?? 0} and state = 'active'`;
    return rows.count === 1 ? true : undefined;
  });
  await pool`select pg_terminate_backend(${backend?.pid ?? 0})`;
  await held;
  assert.equal((await waiting).length, 1);
  await shared.end();
});

test('the outcome of a commit whose connection was ended is unknown, in every language of the server', async () => {
  await pool.unsafe(`
    create table ending (id int);
    create function end_it() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger end_it after insert on ending deferrable initially deferred
      for each row execute function end_it()`);
  const translated = (said: Buffer) =>
    Buffer.from(said.toString('latin1').replace('SFATAL\0', 'SGRAVE\0'), 'latin1');
  const address = new URL(database.url);
  address.port = String(await passingServer(database.url, { change: translated }));
  const abroad = connect(address.href, one);
  const written = abroad.begin((tx) => tx`insert into ending values (1)`);
  const waiting = abroad`select 1`.execute();
  await assert.rejects(written, { code: 'COMMIT_UNKNOWN' });
  assert.equal((await waiting).length, 1);
  await abroad.end();
});

test('a database that says nothing any more is not waited for at the end', async () => {
  const proxy = await silentProxy(database.url);
  const silent = connect(proxy.url, one);
  await silent`select 1`;
  const listener = new Listener(proxy.url);
  await listener.on('something', () => undefined);
  proxy.silence();
  const ended = Promise.all([silent.end({ timeout: 0.2 }), listener.close()]).then(() => 'ended');
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'late').unref());
  assert.equal(await Promise.race([ended, late]), 'ended');
  proxy.end();
});

test('a connection that is only being opened is not waited for at the end', async () => {
  const address = new URL(database.url);
  address.port = String(await silentServer());
  const opening = connect(address.href, one);
  const refused = assert.rejects(opening`select 1`.execute());
  const ended = opening.end({ timeout: 0.2 }).then(() => 'ended');
  // Long before the attempt to connect would be given up.
  const late = new Promise((resolve) => setTimeout(resolve, 6_000, 'late').unref());
  assert.equal(await Promise.race([ended, late]), 'ended');
  await refused;
});

test('a listener that is closed while it waits for its connection leaves none behind', async () => {
  const listener = new Listener(database.url);
  let began = 0;
  await listener.on(
    'something',
    () => undefined,
    () => began++,
  );
  const listeners = () => pool<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'waypost listener'
      and datname = current_database()`;
  const [first] = await listeners();
  await pool`select pg_terminate_backend(${first?.pid ?? 0})`;
  await until('it is gone', async () => ((await listeners()).length === 0 ? true : undefined));
  await listener.close();
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.deepEqual([(await listeners()).length, began], [0, 0]);
});

test('a long copy leaves no listeners on its connection', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  const chunk = Buffer.from('1\n'.repeat(500_000));
  await pool`create table copied (id int)`;
  await pool.begin((tx) => copyInto(tx, 'copied (id)', Array<Buffer>(12).fill(chunk)));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  assert.deepEqual(warnings, []);
  assert.equal((await pool<{ n: number }[]>`select count(*)::int as n from copied`)[0]?.n, 6_000_000);
});
