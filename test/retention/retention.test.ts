import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { DAY_MS } from '../../src/core/time.ts';
import { MAINTENANCE_TASKS } from '../../src/node/tasks.ts';
import { deleteExpired } from '../../src/retention/delete-expired.ts';
import { retentionDocument } from '../../src/retention/retention-document.ts';
import { keptWords } from '../../src/retention/table-retention.ts';
import { TABLES } from '../../src/retention/tables.ts';
import { addVenue } from '../bookings/asking-partner.ts';
import { joinMember, makeTable } from '../harness/people/member.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { signInStaff } from '../harness/people/staff.ts';
import { addReviewer, approve, decide, SubmittingAgent } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';

const service = await startTestService();
const { pool } = service.database;
const clean = (limits = {}) => deleteExpired(pool, service.clock.now(), limits);
/** The functions of the database go by its own clock. */
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

test('the list names every table of the schema, and what deletes its rows exists', async () => {
  const tables = await pool<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`;
  assert.deepEqual(Object.keys(TABLES).toSorted(), tables.map(({ name }) => name).toSorted());
  const cascades = await pool<{ child: string; parent: string }[]>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and confdeltype = 'c'`;
  for (const [table, retention] of Object.entries(TABLES)) {
    assert.ok(retention.holds.endsWith('.') && retention.why.endsWith('.'), table);
    assert.ok(keptWords(retention) !== '', table);
    const { ends } = retention;
    if (Array.isArray(ends)) continue;
    if ('task' in ends) assert.ok(MAINTENANCE_TASKS[ends.task], `${table}: ${ends.task}`);
    // What belongs to a submission leaves with it by the function that the database allows.
    else if ('with' in ends && ends.with !== 'submission')
      assert.ok(
        cascades.some(({ child, parent }) => child === table && parent === ends.with),
        `${table} is not deleted with ${ends.with}`,
      );
  }
});

test('the documentation is the list', () => {
  const file = new URL('../../docs/retention.md', import.meta.url);
  if (process.env['UPDATE_SNAPSHOTS']) writeFileSync(file, retentionDocument());
  assert.equal(readFileSync(file, 'utf8'), retentionDocument(), 'npm run snapshots writes docs/retention.md');
});

test('bookings go four years after their date with all that belongs to them, the oldest first, in batches', async () => {
  const member = await joinMember(service);
  const { partnerId } = await addTestPartner(service);
  const placeId = await addVenue(service);
  const table = (days: number) =>
    makeTable(service, { member, placeId, partnerId, status: 'declined', agoMs: days * DAY_MS });
  const kept = await table(1_400);
  const old = [await table(1_470), await table(1_490), await table(1_480)];
  const open = await makeTable(service, {
    member,
    placeId,
    partnerId,
    status: 'asking',
    agoMs: 1_500 * DAY_MS,
  });
  const left = async () => {
    const rows = await pool<{ id: string }[]>`
      select id from booking where partner_id = ${partnerId} order by table_at`;
    return rows.map(({ id }) => id);
  };
  await clean({ atOnce: 1, atMost: 2 });
  assert.deepEqual(await left(), [open, old[0], kept]);
  await clean({ atOnce: 1, atMost: 2 });
  assert.deepEqual(await left(), [open, kept]);
  const entries = await pool`select from booking_entry where booking_id = any(${old}::text[])`;
  assert.equal(entries.count, 0);
  assert.equal((await pool`select from booking_entry where booking_id = ${kept}`).count, 3);
});

test('nobody deletes an entry of the audit trail before its time, and the expired ones go', async () => {
  const add = (subject: string, days: number) => pool`
    insert into audit_log (at, actor, operation, request_id, subject)
    values (${ago(days)}, 'operator', 'test', 'req_test', ${subject})`;
  await add('expired', 1_470);
  await add('kept', 1_450);
  const refused = { message: /append-only/ };
  await assert.rejects(pool`delete from audit_log where subject = 'expired'`, refused);
  const [early] = await pool<{ count: number }[]>`
    select delete_expired_audit_entries(now() + interval '1 year', 100000) as count`;
  assert.equal(early?.count, 1);
  const left = await pool<{ subject: string }[]>`select subject from audit_log where operation = 'test'`;
  assert.deepEqual(
    left.map(({ subject }) => subject),
    ['kept'],
  );
  await assert.rejects(pool`delete from audit_log where subject = 'kept'`, refused);
  await assert.rejects(pool`update audit_log set subject = 'other' where subject = 'kept'`, refused);
  // The ledger has no such door, whatever a session says.
  await assert.rejects(
    pool.begin(async (tx) => {
      await tx`set local waypost.expiring = 'ledger_entry'`;
      await tx`delete from ledger_entry`;
    }),
    refused,
  );
});

test('a submission that was rejected and never published goes after two years; others keep their attribution', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const staffId = await addReviewer(service);
  const submit = async (days: number, rejected: boolean) => {
    const { id } = await agent.business({ name: `Warung of ${days} days, ${rejected ? 'no' : 'yes'}` });
    if (rejected)
      await decide(service, {
        submissionId: id,
        revision: 1,
        staffId,
        decision: 'rejected',
        reasonCode: 'contact_not_verifiable',
      });
    else await approve(service, staffId, { id, revision: 1 });
    await pool`update submission set updated_at = ${ago(days)} where id = ${id}`;
    return id;
  };
  const expired = await submit(740, true);
  const recent = await submit(720, true);
  const published = await submit(741, false);
  const waiting = (await agent.business({ name: 'Warung that waits' })).id;
  await pool`update submission set updated_at = ${ago(742)} where id = ${waiting}`;
  await deleteExpired(pool, new Date());
  const left = await pool<{ id: string }[]>`select id from submission where agent_id = ${agent.agentId}`;
  assert.deepEqual(left.map(({ id }) => id).toSorted(), [recent, published, waiting].toSorted());
  for (const table of ['submission_revision', 'submission_decision', 'business_confirmation', 'desk_task']) {
    const rows = await pool`select from ${pool(table)} where submission_id = ${expired}`;
    assert.equal(rows.count, 0, table);
  }
  await assert.rejects(pool`delete from submission where id = ${recent}`, { message: /permanent/ });
});

test('unpaid top-ups go, and a paid one stays with its payment', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const at = new Date(service.clock.now().getTime() - 91 * DAY_MS);
  const add = (id: string, paid: boolean) => pool`
    insert into topup (id, agent_id, amount_cents, created_at, expires_at, paid_at)
    values (${id}, ${agent.agentId}, 500, ${new Date(at.getTime() - DAY_MS)}, ${at}, ${paid ? at : null})`;
  const [unpaid, paid] = [service.app.deps.newId('top'), service.app.deps.newId('top')];
  await add(unpaid, false);
  await add(paid, true);
  await clean();
  const left = await pool<{ id: string }[]>`select id from topup where agent_id = ${agent.agentId}`;
  assert.deepEqual(
    left.map(({ id }) => id),
    [paid],
  );
});

test('a table that is locked keeps no other from being cleaned, and the next run goes on', async () => {
  const before = new Date(service.clock.now().getTime() - DAY_MS);
  await pool`
    insert into sign_in_attempt (subject, attempts, last_at)
    values ('retention-test', 1, ${new Date(before.getTime() - DAY_MS)})`;
  const id = service.app.deps.newId('tst');
  const staffId = await addReviewer(service, 'retention@waypost.example');
  await pool`
    insert into provider_test (id, kind, started_by, started_at)
    values (${id}, 'call', ${staffId}, ${new Date(before.getTime() - 40 * DAY_MS)})`;
  const countOf = async (table: string) => (await pool`select from ${pool(table)}`).count;
  await pool.begin(async (tx) => {
    await tx`select from sign_in_attempt where subject = 'retention-test' for update`;
    await clean();
    assert.equal(await countOf('provider_test'), 0);
    assert.equal((await pool`select from sign_in_attempt where subject = 'retention-test'`).count, 1);
  });
  await clean();
  assert.equal((await pool`select from sign_in_attempt where subject = 'retention-test'`).count, 0);
});

test('the console shows what is kept, how long and why, with the size of each table', async () => {
  const client = await signInStaff(service, 'desk');
  assert.match(await (await client.get('/console/health')).text(), /href="\/console\/health\/kept-data"/);
  const page = await (await client.get('/console/health/kept-data')).text();
  for (const table of Object.keys(TABLES)) assert.ok(page.includes(`<code>${table}</code>`), table);
  assert.match(page, /4 years after the date of the table/);
});
