import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../../src/core/postgres/db.ts';
import { migrate } from '../../src/core/postgres/migrate.ts';
import { installCatalogue } from '../../src/directory/install-catalogue.ts';
import { migrateJobs } from '../../src/jobs/migrate-jobs.ts';
import { refuseUnfitPooler } from '../../src/node/pooler.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { debianProgram } from '../harness/debian/debian-program.ts';
import { startPgBouncer } from '../harness/debian/pgbouncer.ts';
import { startPostgres } from '../harness/debian/postgres-15.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';
import { createPlainDatabase } from '../harness/service/database.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';

const postgres = await debianProgram('/usr/lib/postgresql/15/bin/postgres', 'postgresql-15');
const pgbouncer = await debianProgram('/usr/sbin/pgbouncer', 'pgbouncer');
const missing = [postgres, pgbouncer].flatMap((one) => ('missing' in one ? [one.missing] : []));
const AGENTS = 20;

test(
  'a node works behind a pooler in transaction mode, leaves nothing in its sessions, and refuses one that cannot work',
  { skip: missing.length > 0 && missing.join(' ') },
  async () => {
    if (!('path' in postgres && 'path' in pgbouncer)) return;
    const server = await startPostgres(postgres.path);
    const { url } = await createPlainDatabase(server);
    const other = await createPlainDatabase(server);
    const pooled = await startPgBouncer(pgbouncer.path, url);

    const refused = (databaseUrl: string, databaseDirectUrl: string | undefined) =>
      refuseUnfitPooler({ databaseUrl, databaseDirectUrl }, databaseDirectUrl ?? databaseUrl);
    await assert.rejects(refused(pooled, undefined), /Set DATABASE_DIRECT_URL to the PostgreSQL server/);
    await assert.rejects(refused(pooled, pooled), /DATABASE_DIRECT_URL leads to a pooler/);
    await assert.rejects(refused(pooled, other.url), /lead to different databases/);
    await refused(pooled, url);
    await refused(url, undefined);

    const direct = connect(url, { max: 2, statementTimeoutMs: 0 });
    await migrate(direct);
    await installCatalogue(direct);
    await migrateJobs(url);
    await direct.end();
    const pool = connect(pooled, { max: 10, statementTimeoutMs: 15_000, isPooled: true });
    after(() => pool.end({ timeout: 1 }));
    const service = await startTestService({
      database: { url, pool, drop: () => Promise.resolve() },
      settings: { DATABASE_URL: pooled, DATABASE_DIRECT_URL: url },
    });

    const agents = await Promise.all(Array.from({ length: AGENTS }, () => SubmittingAgent.signUp(service)));
    const submitted = await Promise.all(agents.flatMap((agent) => [agent.business(), agent.business()]));
    assert.equal(new Set(submitted.map(({ id }) => id)).size, 2 * AGENTS);
    const [stored] = await pool<{ count: number }[]>`select count(*)::int as count from submission`;
    assert.equal(stored?.count, 2 * AGENTS);

    const [agent] = agents;
    assert.ok(agent);
    await addMadeUpPlace(pool, service.clock, { name: 'Behind the pooler' });
    await until('the new place is found', async () => {
      const { body } = await agent.get<{ places: { name: string }[] }>(
        '/api/agent/search?city=bali&q=behind%20the%20pooler',
      );
      return body.places.some(({ name }) => name === 'Behind the pooler');
    });
    await until('no job is due', async () => {
      const [row] = await pool<{ count: number }[]>`
        select count(*)::int as count from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`;
      return row?.count === 0;
    });
    assert.equal((await service.request('/readyz')).status, 200);

    // Reading transactions stay read-only, and no other client of the pooler inherits a setting.
    const { readPool } = service.app.deps;
    await assert.rejects(
      readPool.begin((tx) => tx`update agent set plan = 'scale'`),
      { code: '25006' },
    );
    const settings = await Promise.all(
      Array.from(
        { length: 8 },
        () => pool<{ settings: string }[]>`
          select concat_ws(' ', current_setting('default_transaction_read_only'), current_setting('statement_timeout'),
            current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')) as settings`,
      ),
    );
    assert.deepEqual(new Set(settings.map(([row]) => row?.settings)), new Set(['off 0 0 0']));
  },
);
