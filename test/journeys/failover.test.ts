import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { migrate } from '../../src/core/postgres/migrate.ts';
import { findPrimary, primaryOf } from '../../src/core/postgres/servers.ts';
import { installCatalogue } from '../../src/directory/install-catalogue.ts';
import { migrateJobs } from '../../src/jobs/migrate-jobs.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { debianProgram } from '../harness/debian/debian-program.ts';
import { startServer } from '../harness/debian/postgres-15.ts';
import { business, SubmittingAgent } from '../harness/people/submissions.ts';
import { createPlainDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';

const found = await debianProgram('/usr/lib/postgresql/15/bin/postgres', 'postgresql-15');
const WRITERS = 4;

for (const trouble of ['crash', 'freeze'] as const)
  test(
    `after a ${trouble} of the primary a node finds the promoted standby, and nothing acknowledged is lost or doubled`,
    { skip: 'missing' in found && found.missing },
    () => failOver(trouble),
  );

async function failOver(trouble: 'crash' | 'freeze'): Promise<void> {
  if (!('path' in found)) return;
  const primary = await startServer(found.path);
  const { url } = await createPlainDatabase(primary.url);
  const standby = await startServer(found.path, primary);
  const admin = connect(primary.url, { max: 1, statementTimeoutMs: 0 });
  await admin`alter system set synchronous_standby_names = '*'`;
  await admin`select pg_reload_conf()`;
  await until('the standby is synchronous', async () => {
    const [row] = await admin<{ sync: string }[]>`
        select coalesce(max(sync_state), '') as sync from pg_stat_replication`;
    return row?.sync === 'sync';
  });
  await admin.end();

  // The standby is named first: nodes must ask which server accepts writes.
  const ports = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
  const several = url.replace(`127.0.0.1:${primary.port}`, ports);
  await findPrimary(several);
  const pool = connect(several, { max: 10, statementTimeoutMs: 15_000 });
  after(() => pool.end({ timeout: 1 }));
  await migrate(pool);
  await installCatalogue(pool);
  await migrateJobs(several);
  const service = await startTestService({ database: { url: several, pool, drop: () => Promise.resolve() } });
  const agent = await SubmittingAgent.signUp(service);

  const acknowledged = new Set<string>();
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const body = business();
      const headers = { 'idempotency-key': randomUUID() };
      // Repeated with its key until the service says that it has it.
      for (;;) {
        const answer = await agent.post<{ submission_id: string }>('/api/agent/business', body, headers);
        if (answer.status === 201) {
          acknowledged.add(answer.body.submission_id);
          break;
        }
        assert.ok([409, 429, 503].includes(answer.status), JSON.stringify(answer.body));
        if (answer.status === 429) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  await pool`update agent set plan = 'scale'`;
  const writers = Promise.all(Array.from({ length: WRITERS }, write));
  await until('some are acknowledged', () => Promise.resolve(acknowledged.size >= 20));
  await primary[trouble]();
  standby.promote();
  const before = acknowledged.size;
  await until('writes work again', () => Promise.resolve(acknowledged.size >= before + 20));
  isOver = true;
  await writers;

  const stored = await pool<{ id: string }[]>`select id from submission`;
  assert.deepEqual(new Set(stored.map(({ id }) => id)), acknowledged);
  assert.match(primaryOf(several), new RegExp(`:${standby.port}/`));
  await until('the node is ready', async () => (await service.request('/readyz')).status === 200);

  // The index follows changes by the listening connection, and jobs run.
  const name = `House after ${randomUUID().slice(0, 8)}`;
  await addMadeUpPlace(pool, service.clock, { name });
  await until('the new place is found', async () => {
    const { body } = await agent.get<{ places: { name: string }[] }>(
      `/api/agent/search?city=bali&q=${encodeURIComponent(name)}`,
    );
    return body.places.some((place) => place.name === name);
  });
  await until('no job is due', async () => {
    const [row] = await pool<{ count: number }[]>`
        select count(*)::int as count from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`;
    return row?.count === 0;
  });

  // The old server returns and takes itself for the primary: the one that was promoted last stays in use.
  if (trouble === 'freeze') primary.thaw();
  else await primary.start();
  await findPrimary(several);
  assert.match(primaryOf(several), new RegExp(`:${standby.port}/`));
}
