import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { listMessages } from '../../src/messages/list-messages.ts';
import { postMessage } from '../../src/messages/post-message.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { startSmtp } from './smtp-receiver.ts';
import { HOUR_MS } from '../../src/core/time.ts';

describe('a message to a venue about a table', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'post@waypost.example' },
  });
  const { deps } = service.app;
  const { pool } = service.database;
  const lead = await addTestStaff(service, 'lead');

  function post(to: string): Promise<string> {
    return pool.begin((sql) =>
      postMessage(
        sql,
        { newId: deps.newId, now: service.clock.now() },
        {
          channel: 'mail',
          to,
          subject: 'Do you have a table?',
          text: 'Answer with one tap.',
          purpose: 'booking_new',
          subject_id: 'bkg_01kdtqb00071qz6sbs7e2vkqza',
          stopsWhenHalted: true,
          onFinish: 'venue_message_finished',
        },
      ),
    );
  }
  const find = async (id: string) => (await listMessages(deps)).find((message) => message.id === id);
  const ended = (id: string, state: string) =>
    until(`the message is ${state}`, async () => {
      const message = await find(id);
      return message?.state === state && message;
    });
  const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address)).length;

  test('is never sent twice: after a crash while it was sent, it ends as unsure', async () => {
    const id = await post('crash@venue.example');
    await ended(id, 'sent');
    // The row and the queue as a process leaves them that died before it could store the result.
    await pool`
      update message set state = 'sending', body = 'Answer with one tap.', finished_at = null,
        leased_until = ${new Date(service.clock.now().getTime() + 1_000)} where id = ${id}`;
    await pool`select graphile_worker.add_job('deliver_message', json_build_object('message_id', ${id}::text))`;
    await until('the job found the lease', async () => {
      const [job] = await pool`select 1 from graphile_worker._private_jobs
        where payload->>'message_id' = ${id} and run_at > now() + interval '1 minute'`;
      return job !== undefined;
    });
    await passTime(service, HOUR_MS);
    const unsure = await ended(id, 'unsure');
    assert.deepEqual(
      [unsure.unsendable, unsure.last_error],
      [false, 'It may have been sent, so it is not sent again.'],
    );
    const [kept] = await pool<{ body: string | null }[]>`select body from message where id = ${id}`;
    assert.equal(kept?.body, null, 'what it said is kept nowhere');
    assert.equal(mailsTo('crash@venue.example'), 1);
  });

  test('is tried again only where the server said that it had not taken it', async () => {
    smtp.refuse = (to) => (to === 'later@venue.example' ? { code: 451, message: 'later' } : undefined);
    const id = await post('later@venue.example');
    await until('an attempt failed', async () => {
      const message = await find(id);
      return message?.attempts === 1 && message.state === 'queued';
    });
    smtp.refuse = () => undefined;
    await passTime(service, 61_000);
    await ended(id, 'sent');
    assert.equal(mailsTo('later@venue.example'), 1);
  });

  test('does not leave while bookings are halted, and leaves once when they go on', async () => {
    await flipSwitch(deps, { on: true, reason: 'a test of the switch', staffId: lead.id });
    const id = await post('halted@venue.example');
    await until('it was put back', async () => {
      const [job] = await pool`select 1 from graphile_worker._private_jobs
        where payload->>'message_id' = ${id} and run_at > now() + interval '30 seconds'`;
      return job !== undefined;
    });
    const waiting = await find(id);
    assert.deepEqual([waiting?.state, waiting?.attempts, waiting?.unsendable], ['queued', 0, false]);
    assert.equal(mailsTo('halted@venue.example'), 0);
    await flipSwitch(deps, { on: false, reason: 'the test is over', staffId: lead.id });
    await ended(id, 'sent');
    await passTime(service, HOUR_MS);
    assert.equal(mailsTo('halted@venue.example'), 1);
  });

  test('turning the switch on waits for messages that are being sent, and nothing is sent after it', async () => {
    const taken = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    smtp.taken = () => {
      taken.resolve(undefined);
      return goOn.promise;
    };
    const first = await post('leaving@venue.example');
    await taken.promise;
    let thrown = false;
    const flip = flipSwitch(deps, { on: true, reason: 'a test of the switch', staffId: lead.id }).then(() => {
      thrown = true;
    });
    const second = await post('behind@venue.example');
    assert.equal(thrown, false);
    goOn.resolve(undefined);
    smtp.taken = () => Promise.resolve();
    await flip;
    await ended(first, 'sent');
    assert.equal(mailsTo('behind@venue.example'), 0);
    await flipSwitch(deps, { on: false, reason: 'the test is over', staffId: lead.id });
    await ended(second, 'sent');
  });

  test('other letters are not halted', async () => {
    await flipSwitch(deps, { on: true, reason: 'a test of the switch', staffId: lead.id });
    const id = await pool.begin((sql) =>
      postMessage(
        sql,
        { newId: deps.newId, now: service.clock.now() },
        {
          channel: 'mail',
          to: 'code@venue.example',
          subject: 'Code',
          text: '1',
          purpose: 'code',
          subject_id: 'x',
        },
      ),
    );
    await ended(id, 'sent');
    await flipSwitch(deps, { on: false, reason: 'the test is over', staffId: lead.id });
  });
});
