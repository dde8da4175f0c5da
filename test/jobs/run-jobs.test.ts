import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../src/jobs/add-job.ts';
import { writeHeartbeat, releaseDeadRunners } from '../../src/jobs/dead-runners.ts';
import { forgetDeadJobs } from '../../src/jobs/forget-jobs.ts';
import { addVenue, AskingPartner } from '../bookings/asking-partner.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { holdMail, postMail } from '../messages/held-mail.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';
import { flat } from '../photos/made-pictures.ts';
import { addPhotographer, sendFiles } from '../photos/photographer.ts';
import { startSlowStore } from '../photos/slow-store.ts';

const service = await startTestService();
const { pool } = service.database;

function untilDone(id: string): Promise<boolean> {
  return until(`job of ${id} is done`, async () => {
    const [job] = await pool`
      select 1 from graphile_worker._private_jobs where payload->>'message_id' = ${id}`;
    const [message] = await pool`select state from message where id = ${id}`;
    return job === undefined && message?.['state'] !== 'queued';
  });
}

test('a job is done, counted, and gone from the queue', async () => {
  await untilDone(await postMail(service));
  const metrics = await service.app.deps.metrics.registry.metrics();
  assert.match(metrics, /waypost_jobs_total\{task="deliver_message",outcome="done"\} [1-9]/);
});

test('a job with a delay waits for its time', async () => {
  await addJob(pool, 'deliver_message', { message_id: 'msg_later' }, { delayMs: 60_000 });
  await untilDone(await postMail(service));
  const [waiting] = await pool`
    select 1 from graphile_worker._private_jobs where payload->>'message_id' = 'msg_later'`;
  assert.ok(waiting);
  await passTime(service, 60_000);
  await untilDone('msg_later');
});

test('of two jobs with one key the later stands', async () => {
  for (const message_id of ['msg_first', 'msg_second'])
    await addJob(pool, 'deliver_message', { message_id }, { delayMs: 60_000, key: 'one' });
  const jobs = await pool<{ id: string }[]>`
    select payload->>'message_id' as id from graphile_worker._private_jobs where key = 'one'`;
  assert.deepEqual(
    jobs.map(({ id }) => id),
    ['msg_second'],
  );
});

test('a job whose handler throws is logged without its payload and tried again', async () => {
  const wrong = { wrong: 'mailto:secret@person.example' } as unknown as { message_id: string };
  await addJob(pool, 'deliver_message', wrong, { maxAttempts: 2 });
  const job = await until('it failed', async () => {
    const [row] = await pool<{ attempts: number; run_at: Date; last_error: string }[]>`
      select attempts, run_at, last_error from graphile_worker._private_jobs
      where payload->>'wrong' is not null and locked_at is null and attempts = 1`;
    return row;
  });
  assert.match(job.last_error, /message_id/);
  const lines = service.logged.filter(({ msg }) => msg === 'job failed');
  assert.equal(lines.length, 1);
  assert.doesNotMatch(JSON.stringify(service.logged), /secret@person/);
});

test('jobs of a node that died are done by others; those of a living one are left alone', async () => {
  await writeHeartbeat(pool, 'a node', [{ id: 'pool-living', kind: 'mail', stalledSince: undefined }]);
  await pool`insert into job_runner (id, seen_at) values ('pool-dead', now() - interval '1 hour')`;
  for (const [key, runner] of [
    ['orphan', 'pool-dead'],
    ['held', 'pool-living'],
  ] as const) {
    await addJob(pool, 'deliver_message', { message_id: `msg_${key}` }, { key, delayMs: 60_000 });
    await pool`
      update graphile_worker._private_jobs set locked_by = ${runner}, locked_at = now(), run_at = now()
      where key = ${key}`;
  }
  assert.equal(await releaseDeadRunners(pool), 1);
  await untilDone('msg_orphan');
  const [held] = await pool<{ locked_by: string }[]>`
    select locked_by from graphile_worker.jobs where key = 'held'`;
  assert.equal(held?.locked_by, 'pool-living');
});

test('remains of a replaced job of a killed node are deleted, and jobs that failed too often after a week', async () => {
  await pool`insert into job_runner (id, seen_at) values ('pool-killed', now() - interval '1 hour')`;
  const later = { delayMs: 3_600_000 };
  await addJob(pool, 'deliver_message', { message_id: 'msg_left' }, { key: 'left', ...later });
  await pool`
    update graphile_worker._private_jobs set locked_by = 'pool-killed', locked_at = now() where key = 'left'`;
  await addJob(pool, 'deliver_message', { message_id: 'msg_left' }, { key: 'left', ...later });
  for (const key of ['failed', 'failed long ago'])
    await addJob(pool, 'deliver_message', { message_id: 'msg_failed' }, { key, ...later });
  await pool`
    update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'It failed.',
      updated_at = ${service.clock.now()}::timestamptz - case key when 'failed' then 6 else 8 end * interval '1 day'
    where key like 'failed%'`;
  await releaseDeadRunners(pool);
  const keys = async () =>
    (
      await pool<{ key: string | null }[]>`
        select key from graphile_worker._private_jobs where payload->>'message_id' in ('msg_left', 'msg_failed')
        order by id`
    ).map(({ key }) => key);
  assert.deepEqual(await keys(), [null, 'left', 'failed', 'failed long ago']);
  await forgetDeadJobs(pool, service.clock.now());
  assert.deepEqual(await keys(), ['left', 'failed']);
});

test('when every connection is cut the queue comes back by itself, and no job is lost', async () => {
  for (let round = 0; round < 2; round++) {
    const before = await postMail(service);
    await pool`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'waypost jobs'`;
    const after = await postMail(service);
    await untilDone(before);
    await untilDone(after);
  }
});

test('a node that ends finishes what it has in hand and leaves the rest to the next', async () => {
  const smtp = await startSmtp();
  const held = holdMail(smtp);
  const node = await startTestService({ settings: { SMTP_URL: smtp.url, JOBS_AT_ONCE: '1' } });
  const inHand = await postMail(node);
  await held.sending;
  const waiting = await postMail(node);
  const closed = node.app.close();
  held.release();
  await closed;
  const rows = await node.database.pool<{ id: string; state: string }[]>`select id, state from message`;
  assert.equal(rows.find(({ id }) => id === inHand)?.state, 'sent');
  assert.equal(rows.find(({ id }) => id === waiting)?.state, 'queued');
  const [runner] = await node.database.pool`select 1 from job_runner`;
  assert.equal(runner, undefined, 'it has signed off');

  const next = await startTestService({ database: node.database, settings: { SMTP_URL: smtp.url } });
  await until('the next node sends it', async () => {
    const [row] = await next.database.pool`select state from message where id = ${waiting}`;
    return row?.['state'] === 'sent';
  });
  assert.equal(smtp.mails.length, 2);
});

test('a table is asked for while more photos are in the pipeline than the node has hands, and these come after', async () => {
  const [smtp, store] = [await startSmtp(), await startSlowStore()];
  const node = await startTestService({
    settings: { SMTP_URL: smtp.url, JOBS_AT_ONCE: '2', ...store.settings },
  });
  const photographer = await addPhotographer(node);
  const jpegs = Array.from({ length: 3 }, (_, index) =>
    flat(1000 + index, 600)
      .jpeg()
      .toBuffer(),
  );
  const photos = (await Promise.all(jpegs)).map((bytes, index) => ({ name: `${index}.jpg`, bytes }));
  for (const photo of photos) assert.equal((await sendFiles(node, photographer, [photo])).status, 201);
  const inState = async (state: string) =>
    (await node.database.pool`select from photo where state = ${state}`).length;
  const partner = await AskingPartner.add(node);
  const booking = await partner.request(await addVenue(node, { email: 'host@venue.example' }));
  await until('the venue is asked', async () => {
    const [row] = await node.database.pool`select status from booking where id = ${booking}`;
    return row?.['status'] === 'asking';
  });
  assert.equal(await inState('processing'), photos.length);
  assert.ok(
    smtp.mails.some(({ to }) => to.includes('host@venue.example')),
    'the venue has its message',
  );
  store.release();
  await until('the photos are processed', async () => (await inState('to_check')) === photos.length);
});
