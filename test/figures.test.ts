import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Metrics } from '../src/core/metrics.ts';
import { connect } from '../src/core/postgres/db.ts';
import { addServiceMetrics } from '../src/node/service-metrics.ts';
import { KIND_NAMES } from '../src/jobs/kinds.ts';
import { RELEASE } from '../src/core/release.ts';
import { CHECKOUT } from './harness/service/program.ts';
import { until } from './harness/service/jobs.ts';
import { startTestService } from './harness/service/service.ts';

const service = await startTestService();
const { pool } = service.database;

async function collect(): Promise<string> {
  return (await service.request('/metrics')).text();
}

/** The value of one line, by its name and labels as they stand there. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

/** A node's metrics exist from its first request on, those of its jobs soon after its start. */
const first = await until('the node does its work', async () => {
  const text = await collect();
  return text.includes('waypost_database_up 1') && text.includes('waypost_job_seconds') && text;
});

test('waiting jobs are reported by kind, with their age', async () => {
  for (const kind of KIND_NAMES)
    for (const figure of ['waiting', 'running', 'dead', 'oldest_seconds'])
      assert.notEqual(
        valueOf(first, `waypost_jobs_${figure}{kind="${kind}"}`),
        undefined,
        `${figure} ${kind}`,
      );
  // A task that no node knows: it waits for ever, as a job of a kind does that is full.
  await pool`
    select graphile_worker.add_job('of_another_version', run_at => now() - interval '90 seconds')`;
  await pool`
    select graphile_worker.add_job('of_another_version', job_key => 'dead', run_at => now() + interval '1 hour')`;
  await pool`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'It failed.' where key = 'dead'`;
  const text = await collect();
  assert.equal(valueOf(text, 'waypost_jobs_waiting{kind="upkeep"}'), 1);
  assert.equal(valueOf(text, 'waypost_jobs_dead{kind="upkeep"}'), 1);
  assert.ok((valueOf(text, 'waypost_jobs_oldest_seconds{kind="upkeep"}') ?? 0) >= 90);
});

test('pending deliveries are reported by receiver, and the outbox separately', async () => {
  await pool`
    insert into message (id, channel, recipient, subject, body, purpose, subject_id, state, created_at)
    select 'msg_' || repeat('0', 25) || n, 'mail', 'a@b.example', 's', 'b', 'test', 'x',
      case n when 1 then 'queued' else 'outbox' end, now() - interval '1 hour' from generate_series(1, 3) as n`;
  const text = await collect();
  assert.equal(valueOf(text, 'waypost_deliveries_pending{to="mail"}'), 1);
  assert.ok((valueOf(text, 'waypost_deliveries_oldest_seconds{to="mail"}') ?? 0) >= 3600);
  for (const to of ['webhook', 'callback', 'sms'])
    assert.equal(valueOf(text, `waypost_deliveries_pending{to="${to}"}`), 0);
  assert.equal(valueOf(text, 'waypost_outbox_messages'), 2);
});

test('pools, index, database and version are told', async () => {
  const text = await collect();
  for (const name of ['write', 'read', 'jobs', 'queue']) {
    for (const state of ['in_use', 'idle'])
      assert.notEqual(
        valueOf(text, `waypost_database_connections{pool="${name}",state="${state}"}`),
        undefined,
      );
    assert.notEqual(valueOf(text, `waypost_database_waiting{pool="${name}"}`), undefined);
  }
  assert.equal(valueOf(text, 'waypost_database_up'), 1);
  assert.equal(valueOf(text, 'waypost_search_index_ready'), 1);
  assert.ok((valueOf(text, 'waypost_search_index_behind_seconds') ?? Infinity) < 3600);
  const { version } = JSON.parse(readFileSync(`${CHECKOUT}/package.json`, 'utf8')) as { version: string };
  const { commit } = RELEASE;
  assert.equal(
    valueOf(text, `waypost_build_info{version="${version}",commit="${commit}",node="${process.version}"}`),
    1,
  );
});

test('a metric that cannot be read is left out, not reported as zero', async () => {
  const lost = connect(service.database.url, { max: 1, statementTimeoutMs: 15_000 });
  await lost.end();
  const metrics = new Metrics();
  addServiceMetrics({ ...service.app.deps, metrics, pool: lost });
  const text = await metrics.text();
  assert.equal(valueOf(text, 'waypost_database_up'), 0);
  assert.deepEqual(text.match(/^waypost_(outbox|jobs|deliveries).*/gm), null);
});

test('the runbook says of every alert what to do', () => {
  const alerts = readFileSync(`${CHECKOUT}/deploy/alerts.yaml`, 'utf8').matchAll(/- alert: (\w+)/g);
  const runbook = readFileSync(`${CHECKOUT}/docs/operations.md`, 'utf8');
  const rows = runbook.split('\n').filter((line) => line.startsWith('|'));
  for (const [, name = ''] of alerts)
    assert.ok(
      rows.some((row) => row.includes(`\`${name}\``)),
      name,
    );
});

test('every figure that an alert or the autoscaler watches, and every one that the runbook names, is one that a node tells', async () => {
  await service.request('/api/agent/destinations');
  const told = new Set(
    [...(await collect()).matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`, name] : [name],
    ),
  );
  const files = ['alerts.yaml', 'grafana.json', 'kubernetes/autoscale.yaml'].map((file) => `deploy/${file}`);
  for (const file of [...files, 'docs/operations.md']) {
    // In the runbook figures stand in quotes; other things there begin with the same word.
    const name = file.endsWith('.md')
      ? /(?<=`)(waypost|nodejs|process)_[a-z0-9_]+/g
      : /(waypost|nodejs|process)_[a-z0-9_]+/g;
    const named = [...readFileSync(`${CHECKOUT}/${file}`, 'utf8').matchAll(name)].map(([one]) => one);
    assert.ok(named.length > 0, file);
    assert.deepEqual(
      named.filter((one) => !told.has(one)),
      [],
      file,
    );
  }
});
