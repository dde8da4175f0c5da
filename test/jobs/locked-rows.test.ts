import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { wakeBookings } from '../../src/bookings/move-booking.ts';
import { connect, type Db } from '../../src/core/postgres/db.ts';
import { addJob } from '../../src/jobs/add-job.ts';
import { postMessage, type NewMessage } from '../../src/messages/post-message.ts';
import { noCertificates } from '../harness/service/https-server.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { tries } from '../harness/tier.ts';
import { receivedAt, WebhookPartner } from '../webhooks/webhook-partner.ts';
import { OneOfEach, startCounterparts, timed } from './one-of-each.ts';

/** More than a node does at once. */
const JOBS = tries({ quick: 4, long: 8 });

describe('while somebody else holds what a job needs', { skip: noCertificates }, async () => {
  const parts = await startCounterparts();
  const service = await startTestService({ settings: parts.settings });
  const { deps } = service.app;
  const { pool, url } = service.database;
  const others = await OneOfEach.of(service, parts);

  /** Does something while a session that is none of the service's holds rows, and says how long the other work took. */
  async function whileHeld(
    context: TestContext,
    lock: (tx: Db) => Promise<unknown>,
    queue: () => Promise<unknown>,
    ...other: (() => Promise<unknown>)[]
  ): Promise<void> {
    const foreign = connect(url, { max: 1, statementTimeoutMs: 0 });
    try {
      await foreign.begin(async (tx) => {
        await lock(tx);
        await queue();
        for (const one of other) await timed(context, one);
      });
    } finally {
      await foreign.end();
    }
  }

  /** Queues messages that are not due before they are called. */
  async function postLater(count: number, message: Omit<NewMessage, 'subject' | 'text' | 'subject_id'>) {
    return pool.begin(async (tx) => {
      const ids: string[] = [];
      for (let at = 0; at < count; at++)
        ids.push(
          await postMessage(
            tx,
            { newId: deps.newId, now: deps.clock.now() },
            { subject: 'Hello', text: 'Hello.', subject_id: 'x', ...message },
          ),
        );
      await tx`
        update graphile_worker._private_jobs set run_at = now() + interval '1 hour'
        where payload->>'message_id' = any(${ids})`;
      return ids;
    });
  }

  async function call(ids: readonly string[]): Promise<void> {
    await pool`
      update graphile_worker._private_jobs set run_at = now() where payload->>'message_id' = any(${ids})`;
    await pool`select pg_notify('jobs:insert', '{"count": 100}')`;
  }

  function lockMessages(ids: readonly string[]) {
    return (tx: Db) => tx`select from message where id = any(${ids}) for update`;
  }

  function lockBookings(ids: readonly string[]) {
    return (tx: Db) => tx`select from booking where id = any(${ids}) for update`;
  }

  test('one webhook endpoint delays no other, and gets its own in order when it is free', async (context) => {
    const path = '/locked';
    const locked = await WebhookPartner.register(service, parts.receiver.url + path);
    const { partnerId } = locked.partner;
    const bookings = Array.from({ length: JOBS / 2 }, () => locked.newBooking());
    await whileHeld(
      context,
      (tx) => tx`select from webhook_endpoint where partner_id = ${partnerId} for update`,
      async () => {
        for (const sequence of [1, 2]) for (const one of bookings) await locked.move(one, sequence);
      },
      () => others.webhook(),
    );
    await until('all have arrived', () => receivedAt(parts.receiver, path).length >= JOBS);
    const arrived = receivedAt(parts.receiver, path).map(
      ({ body }) => JSON.parse(body) as { sequence: number; data: { booking_id: string } },
    );
    for (const booking of bookings)
      assert.deepEqual(
        arrived.filter(({ data }) => data.booking_id === booking).map(({ sequence }) => sequence),
        [1, 2],
      );
    await until('all are noted', async () => {
      const rows = await pool<{ attempts: number; state: string }[]>`
        select attempts, state from webhook_delivery where partner_id = ${partnerId}`;
      return (
        rows.length === JOBS && rows.every(({ attempts, state }) => attempts === 1 && state === 'delivered')
      );
    });
  });

  test('an endpoint that is locked while its receiver answers keeps nobody waiting, and nothing is sent twice', async (context) => {
    const path = '/locked-at-the-end';
    const locked = await WebhookPartner.register(service, parts.receiver.url + path);
    const { partnerId } = locked.partner;
    const answers: (() => void)[] = [];
    parts.receiver.answer = (response, at) => {
      if (at === path) answers.push(() => response.end());
      else response.end();
    };
    for (let at = 0; at < JOBS; at++) await locked.move(locked.newBooking(), 1);
    await until('all are under way', () => answers.length === JOBS);
    await whileHeld(
      context,
      (tx) => tx`select from webhook_endpoint where partner_id = ${partnerId} for update`,
      () => {
        for (const answer of answers) answer();
        return Promise.resolve();
      },
      () => others.webhook(),
      () => others.askedByMail(),
    );
    await until('all are noted', async () => {
      const rows = await pool`
        select from webhook_delivery where partner_id = ${partnerId} and state = 'delivered' and attempts = 1`;
      return rows.length === JOBS;
    });
    assert.equal(receivedAt(parts.receiver, path).length, JOBS);
  });

  test('callbacks of others go out', async (context) => {
    const subjects = Array.from({ length: JOBS }, (_, at) => `sub_locked_${at}`);
    parts.receiver.answer = (response, at) => response.writeHead(at.startsWith('/held') ? 500 : 200).end();
    for (const subject of subjects) await others.queueCallback(`/held/${subject}`, subject);
    await until('each was tried once', async () => {
      const rows = await pool`
        select from callback_delivery where subject_id = any(${subjects}) and attempts = 1 and leased_until is null`;
      return rows.length === JOBS;
    });
    parts.receiver.answer = (response) => response.end();
    await whileHeld(
      context,
      (tx) => tx`select from callback_delivery where subject_id = any(${subjects}) for update`,
      async () => {
        await pool`
          update graphile_worker._private_jobs set run_at = now()
          where payload->>'delivery_id' in (select id from callback_delivery where subject_id = any(${subjects}))`;
        await pool`select pg_notify('jobs:insert', '{"count": 100}')`;
      },
      () => others.callback(),
    );
    await until('all are delivered', async () => {
      const rows = await pool`
        select from callback_delivery where subject_id = any(${subjects}) and state = 'delivered' and attempts = 2`;
      return rows.length === JOBS;
    });
  });

  describe('in which each kind waits, all of them at the same time', { concurrency: true }, () => {
    test('other venues are asked by mail, by text and in their systems (asking)', async (context) => {
      const bookings = await Promise.all(Array.from({ length: JOBS }, () => others.askedByMail()));
      await whileHeld(
        context,
        lockBookings(bookings),
        () => wakeBookings(pool, bookings),
        () => others.askedByMail(),
        () => others.askedByText(),
        () => others.askedInSystem(),
      );
      await others.untilDone('booking_id', bookings);
    });

    test("other venues' systems are called (asking_by_system)", async (context) => {
      const bookings = await Promise.all(Array.from({ length: JOBS }, () => others.askedInSystem()));
      await whileHeld(
        context,
        lockBookings(bookings),
        async () => {
          for (const id of bookings) await addJob(pool, 'advance_in_system', { booking_id: id });
        },
        () => others.askedInSystem(),
      );
      await others.untilDone('booking_id', bookings);
    });

    test('other mails and texts to venues leave (asking_by_mail, asking_by_text)', async (context) => {
      const toVenue = { purpose: 'test', stopsWhenHalted: true };
      const mails = await postLater(JOBS, { ...toVenue, channel: 'mail', to: 'v@venue.example' });
      const texts = await postLater(JOBS, { ...toVenue, channel: 'sms', to: '+628120000001' });
      const both = [...mails, ...texts];
      await whileHeld(
        context,
        lockMessages(both),
        () => call(both),
        () => others.askedByMail(),
        () => others.askedByText(),
      );
      await others.untilSent(both);
    });

    test('other mails leave (mail)', async (context) => {
      const mails = await postLater(JOBS, { purpose: 'test', channel: 'mail', to: 'a@b.example' });
      await whileHeld(
        context,
        lockMessages(mails),
        () => call(mails),
        () => others.mail(),
      );
      await others.untilSent(mails);
    });

    test('other photos are made ready (photos)', async (context) => {
      const photos = await Promise.all(Array.from({ length: JOBS }, () => others.addPhoto()));
      await whileHeld(
        context,
        (tx) => tx`select from photo where id = any(${photos}) for update`,
        async () => {
          for (const photoId of photos) await addJob(pool, 'process_photo', { photoId });
        },
        () => others.photo(),
      );
      await others.untilRefused(photos);
    });

    test('other upkeep is done (upkeep)', async (context) => {
      await pool`
        insert into oauth_interaction (uid_hash, payload, expires_at) values (sha256('locked'), '{}', ${new Date(0)})`;
      await whileHeld(
        context,
        (tx) => tx`select from oauth_interaction for update`,
        async () => {
          for (let at = 0; at < JOBS; at++) await pool`select graphile_worker.add_job('forget_oauth', '{}')`;
        },
        () => others.upkeep(),
      );
      await until('it is tidy', async () => (await pool`select from oauth_interaction`).length === 0);
    });
  });

  test('no job has failed for it', async () => {
    const failed = await pool<{ last_error: string }[]>`
      select last_error from graphile_worker.jobs where last_error is not null`;
    assert.deepEqual(failed.slice(), []);
  });
});
