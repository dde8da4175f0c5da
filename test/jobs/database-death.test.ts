import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { migrate } from '../../src/core/postgres/migrate.ts';
import { migrateJobs } from '../../src/jobs/migrate-jobs.ts';
import { postMessage } from '../../src/messages/post-message.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { tries } from '../harness/tier.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';

// A PostgreSQL of its own, as the service starts it, because it is killed here.
const dataDir = await mkdtemp(join(tmpdir(), 'waypost-jobs-'));
const postgres = await openEmbeddedPostgres({ dataDir, role: 'service', note: () => undefined });
const pool = connect(postgres.url, { max: 5, statementTimeoutMs: 5_000 });
await migrate(pool);
await migrateJobs(postgres.url);
const smtp = await startSmtp();
const database = { url: postgres.url, pool, drop: () => Promise.resolve() };
const service = await startTestService({ database, settings: { SMTP_URL: smtp.url } });

after(async () => {
  await service.close();
  await pool.end({ timeout: 1 });
  await postgres.release();
  await rm(dataDir, { recursive: true, force: true });
});

async function postmaster(): Promise<number> {
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

/** Writes a message, as often as it takes while the database is away. */
function post(to: string): Promise<string> {
  const { deps } = service.app;
  const message = { channel: 'mail', subject: 'x', text: 'x', purpose: 'test', subject_id: to } as const;
  return until('a message is written', () =>
    pool
      .begin((sql) => postMessage(sql, { newId: deps.newId, now: deps.clock.now() }, { ...message, to }))
      .catch(() => undefined),
  );
}

for (let round = 1; round <= tries({ quick: 1, long: 2 }); round++)
  test(`round ${round}: PostgreSQL is killed in the middle of a delivery, comes back, and every mail goes out`, async () => {
    const sending = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    smtp.taken = () => {
      sending.resolve(undefined);
      return gate.promise.then(() => undefined);
    };
    const [during, later] = [`during-${round}@venue.example`, `later-${round}@venue.example`];
    const id = await post(during);
    await sending.promise;
    const killed = await postmaster();
    process.kill(killed, 'SIGKILL');
    gate.resolve(undefined);
    await until('another postmaster', async () => {
      const pid = await postmaster().catch(() => killed);
      return pid !== killed && pid;
    });
    await post(later);
    await until('the later one is out', () => smtp.mails.some(({ to }) => to.includes(later)));
    const [row] = await until('the database answers', () =>
      pool<{ state: string }[]>`select state from message where id = ${id}`.catch(() => undefined),
    );
    // Whether its end could still be noted is chance; what was being sent is sent, or is held until its lease ends.
    assert.ok(row?.state === 'sent' || row?.state === 'sending', `it is ${row?.state ?? 'gone'}`);
    assert.equal(smtp.mails.filter(({ to }) => to.includes(during)).length, 1);
  });
