import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { LONG, tries } from '../harness/tier.ts';

const KILLS = tries({ quick: 1, long: 8 });

test('a client that keeps asking while its server is killed gets errors and goes on; no statement stays unanswered', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'waypost-client-'));
  const notes: string[] = [];
  const server = await openEmbeddedPostgres({
    dataDir,
    role: 'service',
    note: (message) => notes.push(message),
  });
  const pool = connect(server.url, { max: 1, statementTimeoutMs: 0 });
  await pool`create table written (id bigint)`;
  // In the quick tier it lets go of the processor between two that failed.
  const pause = () => new Promise((resolve) => (LONG ? setImmediate(resolve) : setTimeout(resolve, 2)));
  let written = 0;
  const work = { stopped: false };
  const writing = (async () => {
    while (!work.stopped) {
      await pool`insert into written values (1)`.then(
        () => written++,
        () => pause(),
      );
    }
  })();
  const more = async (than: number) => {
    while (written <= than) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await more(written + 20);
    const said = notes.length;
    const pid = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
    while (!notes.slice(said).some((note) => note.includes('is running again')))
      await new Promise((resolve) => setTimeout(resolve, 10));
    await more(written);
  }
  work.stopped = true;
  await writing;
  const [row] = await pool<{ count: number }[]>`select count(*)::int as count from written`;
  assert.ok((row?.count ?? 0) >= written, 'every acknowledged row is there');
  await pool.end();
  await server.release();
  rmSync(dataDir, { recursive: true });
});
