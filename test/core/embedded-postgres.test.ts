import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { DataDirInUseError, EmbeddedPostgresError } from '../../src/core/embedded/embedded-postgres.ts';
import { LONG, longTest, tries } from '../harness/tier.ts';
import {
  acknowledged,
  eventually,
  isAlive,
  missing,
  sandbox,
  type Sandbox,
} from './embedded-postgres-sandbox.ts';

// A test that waits for something that never comes shall say so.
const timeout = 600_000;
/** How often one thing is killed after the other. */
const KILLS = tries({ quick: 1, long: 3 });

test(
  'the first start makes a durable UTF-8 cluster that only its owner can read, and the next start finds what was written',
  { timeout },
  async (t) => {
    const { dataDir, open, connect } = await sandbox(t, 'nothing');
    const first = await open('service');
    assert.equal(first.adopted, false);
    // The cluster, its password and its log.
    for (const name of ['postgres', 'postgres/waypost.json', 'postgres.log'])
      assert.equal((await stat(path.join(dataDir, name))).mode & 0o077, 0, name);
    const sql = connect(first);
    await sql`create table kept (word text)`;
    await sql`insert into kept values ('Ærø')`;
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
      const [row] = await sql<{ setting: string }[]>`select current_setting(${name}) as setting`;
      assert.equal(row?.setting, 'on', name);
    }
    await first.release();

    const second = await open('service');
    assert.equal(second.adopted, false);
    assert.equal(second.url, first.url);
    assert.deepEqual([...(await connect(second)`select lower(word) as word from kept`)], [{ word: 'ærø' }]);
  },
);

test('a server whose service was killed is adopted with every acknowledged row', { timeout }, async (t) => {
  const { open, connect, serverPid, startWriter } = await sandbox(t);
  const all: string[] = [];
  for (let round = 1; round <= KILLS; round++) {
    const writer = startWriter('service');
    await eventually(() => acknowledged(writer).length >= 50);
    assert.equal(writer.lines[0], round === 1 ? 'started' : 'adopted');
    const pid = await serverPid();
    writer.child.kill('SIGKILL');
    await writer.ended;
    all.push(...acknowledged(writer));

    // It is not released, so that the next writer finds the same server again.
    const embedded = await open('tool');
    assert.equal(embedded.adopted, true);
    assert.equal(await serverPid(), pid);
    assert.deepEqual(await missing(connect(embedded), all), []);
  }
});

if (LONG)
  test(
    'a server that was killed together with its service recovers every acknowledged row',
    { timeout },
    async (t) => {
      const { open, connect, serverPid, startWriter } = await sandbox(t);
      const writer = startWriter('service');
      await eventually(() => acknowledged(writer).length >= 50);
      const server = await serverPid();
      // The service first: had it a moment without its server, it would start another.
      writer.child.kill('SIGKILL');
      process.kill(server, 'SIGKILL');
      await writer.ended;
      const embedded = await open('service');
      assert.equal(embedded.adopted, false);
      assert.deepEqual(await missing(connect(embedded), acknowledged(writer)), []);
    },
  );

for (const adopted of LONG ? [false, true] : [true]) {
  const kind = adopted ? 'an adopted' : 'its own';
  test(
    `a service starts ${kind} server again after a kill, with every acknowledged row`,
    { timeout },
    async (t) => {
      const { open, connect, serverPid } = await sandbox(t);
      const notes: string[] = [];
      if (adopted) await open('tool');
      const embedded = await open('service', (message) => notes.push(message));
      assert.equal(embedded.adopted, adopted);
      await connect(embedded)`create table written (id bigint primary key)`;

      const written: string[] = [];
      let attempts = 0;
      for (let round = 1; round <= KILLS; round++) {
        const sql = connect(embedded);
        const writing = (async () => {
          for (;;) {
            const id = String(++attempts);
            await sql`insert into written values (${id})`;
            written.push(id);
          }
        })();
        await eventually(() => written.length >= round * 100);
        const killed = await serverPid();
        process.kill(killed, 'SIGKILL');
        await assert.rejects(writing);
        await eventually(() => notes.filter((note) => note.includes('is running again')).length === round);
        assert.notEqual(await serverPid(), killed);
        assert.deepEqual(await missing(connect(embedded), written), []);
      }
    },
  );
}

if (LONG)
  test('a backend that outlives its killed server does not keep the service down', { timeout }, async (t) => {
    const { open, connect, serverPid } = await sandbox(t);
    const notes: string[] = [];
    const embedded = await open('service', (message) => notes.push(message));
    const sql = connect(embedded);
    const endless = connect(embedded)`select count(*) from generate_series(1, 1000000000000)`.execute();
    endless.catch(() => undefined);
    await eventually(async () => {
      const active = await sql`
      select from pg_stat_activity
      where state = 'active' and pid <> pg_backend_pid() and query like '%generate_series%'`;
      return active.length === 1;
    });
    process.kill(await serverPid(), 'SIGKILL');
    await eventually(() => notes.some((note) => note.includes('is running again')));
    await assert.rejects(endless);
    await connect(embedded)`select 1`;
  });

if (LONG)
  test('a server that begins anew after a crash of its own is stopped', { timeout }, async (t) => {
    const { dataDir, pidFile, open, connect } = await sandbox(t);
    const embedded = await open('service');
    const [backend] = await connect(embedded)<{ pid: number }[]>`select pg_backend_pid() as pid`;
    process.kill(backend?.pid ?? 0, 'SIGKILL');
    await eventually(async () => /reinitializing/.test(await readFile(`${dataDir}/postgres.log`, 'utf8')));
    await embedded.release();
    assert.ok(!existsSync(pidFile));
  });

test(
  'a second service is refused, in words that help, and the first goes on undisturbed',
  { timeout },
  async (t) => {
    const { dataDir, open, connect, serverPid } = await sandbox(t);
    const first = await open('service');
    const sql = connect(first);
    const session = await sql`select pg_backend_pid()`;
    const pid = await serverPid();
    const refusal = (error: unknown): boolean => {
      assert(error instanceof DataDirInUseError);
      assert.match(error.message, /^Another Waypost is already running on the data directory .* DATA_DIR/);
      return error.message.includes(dataDir);
    };
    await assert.rejects(open('service'), refusal);
    assert.equal(await serverPid(), pid);
    assert.deepEqual(await sql`select pg_backend_pid()`, session);

    process.kill(pid, 'SIGKILL');
    await assert.rejects(open('service'), refusal, 'not even while the first has lost its server');
  },
);

for (const order of LONG ? ['tool', 'service'] : ['tool']) {
  test(
    `a tool and a service share one server that outlives the ${order} and ends with the last`,
    { timeout },
    async (t) => {
      const { pidFile, open, connect, serverPid } = await sandbox(t);
      const service = await open('service');
      const tool = await open('tool');
      assert.equal(tool.adopted, true);
      assert.equal(tool.url, service.url);
      const pid = await serverPid();
      const [early, late] = order === 'tool' ? [tool, service] : [service, tool];
      await early.release();
      await early.release();
      assert.equal(isAlive(pid), true);
      await connect(late)`select 1`;
      await late.release();
      assert.equal(existsSync(pidFile), false);
      // Its entry in the process table goes when its parent, which may be this process, has taken note.
      await eventually(() => !isAlive(pid));
    },
  );
}

/** Starts processes at the same instant where no cluster is: they share one, and nothing else is left. */
async function startTogether({ dataDir, open, connect, startWriter }: Sandbox): Promise<void> {
  const [WRITERS, ROWS] = LONG ? [4, 200] : [2, 50];
  const writers = Array.from({ length: WRITERS }, () => startWriter('tool', ROWS));
  await Promise.all(writers.map(({ ended }) => ended));
  const ids = writers.flatMap(acknowledged);
  assert.equal(ids.length, WRITERS * ROWS);
  assert.deepEqual(await missing(connect(await open('service')), ids), []);
  const files = ['postgres', 'postgres.log', 'postgres.transition.lock', 'postgres.users.lock'];
  assert.deepEqual((await readdir(dataDir)).sort(), files);
}

// In the quick tier they start where a first start was killed, as the next test says.
longTest(
  'processes that start at the same instant on an empty directory share one cluster',
  { timeout },
  async (t) => {
    await startTogether(await sandbox(t, 'nothing'));
  },
);

for (const survivor of LONG ? ['nothing', 'initdb'] : ['initdb']) {
  test(
    `a first start that was killed half way, with ${survivor} surviving, is done again, once, by those that come together`,
    { timeout },
    async (t) => {
      const found = await sandbox(t, 'nothing');
      const { dataDir, startWriter } = found;
      const staged = async (): Promise<string[]> =>
        (await readdir(dataDir)).filter((name) => name.startsWith('postgres.init-'));
      const { child, ended } = startWriter('service');
      await eventually(async () =>
        (await staged()).some((name) => existsSync(path.join(dataDir, name, 'cluster', 'global'))),
      );
      const pid = child.pid ?? assert.fail();
      process.kill(survivor === 'initdb' ? pid : -pid, 'SIGKILL');
      await ended;
      assert.equal(existsSync(path.join(dataDir, 'postgres')), false);

      await startTogether(found);
      assert.deepEqual(await staged(), []);
    },
  );
}

test(
  'a stale pid file that names a stranger neither blocks the start nor harms the stranger',
  { timeout },
  async (t) => {
    const { pidFile, open, connect, serverPid } = await sandbox(t);
    const stranger = spawn('sleep', ['600'], { stdio: 'ignore' });
    t.after(() => stranger.kill('SIGKILL'));
    await once(stranger, 'spawn');
    const sql = connect(await open('tool'));
    await sql`create table written (id bigint primary key)`;
    await sql`insert into written values (1), (2), (3)`;
    const pid = await serverPid();
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isAlive(pid));
    const stale = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, stale.replace(String(pid), String(stranger.pid)));

    const embedded = await open('service');
    assert.equal(embedded.adopted, false);
    assert.deepEqual(await missing(connect(embedded), ['1', '2', '3']), []);
    assert.equal(stranger.exitCode ?? stranger.signalCode, null);
  },
);

if (LONG)
  test(
    'an empty pid file, left by a start that was killed, does not block the next',
    { timeout },
    async (t) => {
      const { pidFile, open, connect } = await sandbox(t);
      await (await open('service')).release();
      await writeFile(pidFile, '');
      await connect(await open('service'))`select 1`;
    },
  );

test('a port that a stranger has taken meanwhile is exchanged for a free one', { timeout }, async (t) => {
  const { open, connect } = await sandbox(t);
  const first = await open('service');
  await first.release();
  const { port } = new URL(first.url);
  const stranger = createServer().listen(Number(port), '127.0.0.1');
  t.after(() => stranger.close());
  await once(stranger, 'listening');

  const second = await open('service');
  assert.notEqual(new URL(second.url).port, port);
  await connect(second)`select 1`;
  assert.equal((await open('tool')).url, second.url);
});

test('files that are no cluster of this version are refused and left unchanged', { timeout }, async (t) => {
  const { dataDir, open } = await sandbox(t, 'nothing');
  const directory = path.join(dataDir, 'postgres');
  await mkdir(directory);
  await writeFile(path.join(directory, 'diary.txt'), 'mine');
  await assert.rejects(
    open('service'),
    (error) => error instanceof EmbeddedPostgresError && /Move them/.test(error.message),
  );
  await writeFile(path.join(directory, 'PG_VERSION'), '17\n');
  await assert.rejects(
    open('service'),
    (error) => error instanceof EmbeddedPostgresError && /PostgreSQL 17/.test(error.message),
  );
  assert.deepEqual((await readdir(directory)).sort(), ['PG_VERSION', 'diary.txt']);
});
