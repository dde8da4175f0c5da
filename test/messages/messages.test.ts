import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listMessages, openMessage } from '../../src/messages/list-messages.ts';
import { requeueLostMessages } from '../../src/messages/message-job.ts';
import { postMessage, type NewMessage } from '../../src/messages/post-message.ts';
import { runMaintenance, passTime, until } from '../harness/service/jobs.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { startSmtp } from './smtp-receiver.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { signInStaff } from '../harness/people/staff.ts';

const TEXT = 'The code is 314159.\n.\nIt is good for ten minutes.';
const CODE: NewMessage = {
  channel: 'mail',
  to: 'owner@venue.example',
  subject: 'Your code for Warung Senja',
  text: TEXT,
  purpose: 'claim_code',
  subject_id: 'plc_01kdtqb00071qz6sbs7e2vkqza',
};

function post(service: TestService, message: Partial<NewMessage> = {}): Promise<string> {
  const { pool, newId } = service.app.deps;
  return pool.begin((sql) => postMessage(sql, { newId, now: service.clock.now() }, { ...CODE, ...message }));
}

async function find(service: TestService, id: string) {
  return (await listMessages(service.app.deps)).find((message) => message.id === id);
}

function opened(service: TestService, id: string) {
  return openMessage(service.database.pool, service.app.deps, id);
}

function untilState(service: TestService, id: string, state: string) {
  return until(`message is ${state}`, async () => {
    const message = await find(service, id);
    return message?.state === state && message;
  });
}

describe('without a mail server', async () => {
  const service = await startTestService();

  test('a message is in the outbox at once, stays there and can be read', async () => {
    const id = await post(service);
    assert.deepEqual(await find(service, id), {
      id,
      channel: 'mail',
      to: 'owner@venue.example',
      subject: 'Your code for Warung Senja',
      purpose: 'claim_code',
      subject_id: CODE.subject_id,
      state: 'outbox',
      attempts: 0,
      last_error: null,
      created_at: '2026-11-14T12:00:00Z',
      finished_at: null,
      unsendable: true,
    });
    await until('the job is done', async () => {
      const [row] = await service.database.pool`select state from message where id = ${id}`;
      return row?.['state'] === 'outbox';
    });
    assert.equal((await opened(service, id))?.text, CODE.text);
  });

  test('a message whose transaction is rolled back was never written', async () => {
    const { pool, newId } = service.app.deps;
    const before = (await listMessages(service.app.deps)).length;
    await assert.rejects(
      pool.begin(async (sql) => {
        await postMessage(sql, { newId, now: service.clock.now() }, CODE);
        throw new Error('changed my mind');
      }),
      /changed my mind/,
    );
    assert.equal((await listMessages(service.app.deps)).length, before);
  });

  test('the outbox is read page by page, newest first, and by what a message is about', async () => {
    const ids: string[] = [];
    for (const to of ['a@x.example', 'b@x.example', 'c@x.example'])
      ids.push(await post(service, { to, purpose: 'paging', subject_id: to }));
    const { deps } = service.app;
    const first = await listMessages(deps, { purpose: 'paging', limit: 2 });
    assert.deepEqual(
      first.map(({ id }) => id),
      [ids[2], ids[1]],
    );
    const rest = await listMessages(deps, { purpose: 'paging', limit: 2, after: ids[1] });
    assert.deepEqual(
      rest.map(({ id }) => id),
      [ids[0]],
    );
    assert.deepEqual(
      (await listMessages(deps, { subjectId: 'b@x.example' })).map(({ id }) => id),
      [ids[1]],
    );
    assert.deepEqual(
      (await listMessages(deps, { to: 'c@x.example', state: 'outbox' })).map(({ id }) => id),
      [ids[2]],
    );
    assert.deepEqual(await listMessages(deps, { state: 'sent' }), []);
  });
});

describe('with a mail server', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'Waypost <post@waypost.example>' },
  });

  test('a mail is sent once, whole, and its text is erased here', async () => {
    const id = await post(service, { to: 'whole@venue.example' });
    const sent = await untilState(service, id, 'sent');
    assert.equal(await opened(service, id), undefined);
    assert.equal(sent.attempts, 1);
    assert.equal(sent.finished_at, '2026-11-14T12:00:00Z');
    const mails = smtp.mails.filter(({ to }) => to.includes('whole@venue.example'));
    assert.equal(mails.length, 1);
    const [{ from, text } = { from: '', text: '' }] = mails;
    assert.equal(from, 'post@waypost.example');
    assert.match(text, new RegExp(`^Message-ID: <${id}@waypost.example>\r$`, 'im'));
    assert.match(text, /^From: Waypost <post@waypost.example>\r$/im);
    assert.match(text, /^Subject: Your code for Warung Senja\r$/im);
    assert.match(text, /The code is 314159\.\r\n\.\r\nIt is good for ten minutes\./);
    const [row] = await service.database.pool`select body from message where id = ${id}`;
    assert.equal(row?.['body'], null);
  });

  test('a code that is about to be mailed is not readable by staff', async () => {
    smtp.refuse = () => ({ code: 451, message: 'later' });
    const id = await post(service, { to: 'hidden@venue.example' });
    const waiting = await until('an attempt failed', async () => {
      const message = await find(service, id);
      return message?.state === 'queued' && message.attempts === 1 && message;
    });
    assert.equal(await opened(service, waiting.id), undefined);
    assert.equal(waiting.last_error, 'The mail server answered 451.');
    smtp.refuse = () => undefined;
    await passTime(service, 60_000);
    assert.equal((await untilState(service, id, 'sent')).attempts, 2);
  });

  test('a server that goes on refusing for a day is given up, and the text is erased', async () => {
    smtp.refuse = (to) => (to === 'never@venue.example' ? { code: 452, message: 'mailbox full' } : undefined);
    const id = await post(service, { to: 'never@venue.example' });
    for (let attempts = 1; ; attempts++) {
      const seen = await until(`attempt ${attempts}`, async () => {
        const message = await find(service, id);
        return message?.attempts === attempts && message.state !== 'sending' && message;
      });
      if (seen.state === 'failed') {
        assert.equal(attempts, 10);
        assert.equal(seen.finished_at !== null && seen.finished_at >= '2026-11-15T12:00:00Z', true);
        break;
      }
      const [job] = await service.database.pool<{ ms: number }[]>`
        select (extract(epoch from run_at - now()) * 1000)::float8 as ms from graphile_worker._private_jobs
        where payload->>'message_id' = ${id} and locked_at is null`;
      await passTime(service, Math.max(0, job?.ms ?? 0) + 1_000);
    }
    smtp.refuse = () => undefined;
  });

  test('an address that the server will never take is given up at once', async () => {
    smtp.refuse = () => ({ code: 550, message: 'no such user hidden@venue.example' });
    const id = await post(service, { to: 'nobody@venue.example' });
    const failed = await untilState(service, id, 'failed');
    assert.equal(failed.attempts, 1);
    assert.equal(failed.last_error, 'The mail server refuses this recipient.');
    smtp.refuse = () => undefined;
  });

  test('after a crash between sending and noting it, the same mail goes out under the same name', async () => {
    const id = await post(service, { to: 'twice@venue.example' });
    await untilState(service, id, 'sent');
    const { pool } = service.database;
    // The row and the queue as a process leaves them that died before it could store the result.
    await pool`
      update message set state = 'sending', body = ${TEXT}, finished_at = null,
        leased_until = ${new Date(service.clock.now().getTime() + 1_000)} where id = ${id}`;
    await pool`select graphile_worker.add_job('deliver_message', json_build_object('message_id', ${id}::text))`;
    await until('the job found the lease', async () => {
      const [job] = await pool`select 1 from graphile_worker._private_jobs
        where payload->>'message_id' = ${id} and run_at > now() + interval '1 minute'`;
      return job !== undefined;
    });
    const mails = () => smtp.mails.filter(({ to }) => to.includes('twice@venue.example'));
    assert.equal(mails().length, 1, 'somebody may still be sending');
    await passTime(service, HOUR_MS);
    await untilState(service, id, 'sent');
    const [first, second] = mails();
    assert.equal(mails().length, 2);
    const named = (text: string | undefined) =>
      ['message-id', 'date', 'subject'].map(
        (name) => new RegExp(`^${name}: .*$`, 'im').exec(text ?? '')?.[0],
      );
    assert.deepEqual(named(first?.text), named(second?.text));
  });

  test('a text message stays in the outbox, because nobody is set up to send it', async () => {
    const id = await post(service, { channel: 'sms', to: '+6281234567', subject: '' });
    assert.equal((await opened(service, id))?.text, CODE.text);
    await untilState(service, id, 'outbox');
    assert.equal((await opened(service, id))?.text, CODE.text);
  });

  test('a name with a line break in the subject stays one line of the mail', async () => {
    const id = await post(service, { to: 'lines@venue.example', subject: 'Hello\r\nBcc: all@x.example' });
    await untilState(service, id, 'sent');
    const mail = smtp.mails.find(({ to }) => to.includes('lines@venue.example'));
    assert.deepEqual(mail?.to, ['lines@venue.example']);
    assert.doesNotMatch(mail.text, /^Bcc:/im);
  });
});

describe('deletion of expired messages', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const kept = async () =>
    (await pool<{ id: string }[]>`select right(id, 1) as id from message order by id`)
      .map(({ id }) => id)
      .join('');

  test('the outbox is kept for 30 days, what was sent for 90, and what is under way stays', async () => {
    const now = service.clock.now();
    const add = (n: number, state: string, days: number) => pool`
      insert into message (id, channel, recipient, subject, body, purpose, subject_id, state, created_at, finished_at,
        leased_until)
      values (${`msg_${'0'.repeat(25)}${n}`}, 'mail', 'a@b.example', 's',
        ${['queued', 'outbox', 'sending'].includes(state) ? 'b' : null}, 'test', 'x', ${state},
        ${new Date(now.getTime() - days * DAY_MS)}, ${['sent', 'failed'].includes(state) ? now : null},
        ${state === 'sending' ? now : null})`;
    await add(1, 'outbox', 29);
    await add(2, 'outbox', 31);
    await add(3, 'sent', 89);
    await add(4, 'sent', 91);
    await add(5, 'failed', 91);
    await add(6, 'sending', 91);
    await add(7, 'queued', 91);
    assert.equal(await kept(), '1234567');
    await runMaintenance(service);
    assert.equal(await kept(), '1367');
  });

  test('the page says for how long', async () => {
    const staff = await signInStaff(service, 'reviewer');
    assert.match(await (await staff.get('/console/outbox')).text(), /They are kept for 30 days\./);
  });
});

test('a message whose job was lost is queued again, and sent once', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({ settings: { SMTP_URL: smtp.url } });
  const { pool, newId } = service.app.deps;
  const [lost, kept] = await pool.begin(async (sql) => {
    const ids = [];
    for (const to of ['lost@venue.example', 'kept@venue.example'])
      ids.push(await postMessage(sql, { newId, now: service.clock.now() }, { ...CODE, to }));
    await sql`delete from graphile_worker._private_jobs where payload ->> 'message_id' = ${ids[0] ?? ''}`;
    return ids;
  });
  await untilState(service, kept ?? '', 'sent');
  assert.equal((await find(service, lost ?? ''))?.state, 'queued');
  await requeueLostMessages(pool);
  await untilState(service, lost ?? '', 'sent');
  await requeueLostMessages(pool);
  assert.deepEqual(smtp.mails.flatMap(({ to }) => to).sort(), ['kept@venue.example', 'lost@venue.example']);
});
