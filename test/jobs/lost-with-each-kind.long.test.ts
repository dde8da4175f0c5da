import { describe, test } from 'node:test';
import { wakeBookings } from '../../src/bookings/move-booking.ts';
import { addJob } from '../../src/jobs/add-job.ts';
import type { Kind } from '../../src/jobs/kinds.ts';
import { postMessage, type NewMessage } from '../../src/messages/post-message.ts';
import { createTestDatabase } from '../harness/service/database.ts';
import { noCertificates } from '../harness/service/https-server.ts';
import { until } from '../harness/service/jobs.ts';
import { silentProxy } from '../harness/service/postgres-stand-in.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { KilledNode } from '../journeys/killed-node.ts';
import { OneOfEach, startCounterparts } from './one-of-each.ts';

interface JobInHand {
  kind: Kind;
  what: string;
  /** The node is lost as soon as the server has got this statement, with whatever it locks. */
  statement: string;
  /** Makes what the job is about, while a service runs that will not see the job. */
  prepare: (service: TestService, one: OneOfEach) => Promise<() => Promise<unknown>>;
}

const BOOKING_LOCK = 'where b.id = $1 for update';

function message(kind: Kind, change: Pick<NewMessage, 'channel' | 'to' | 'stopsWhenHalted'>): JobInHand {
  return {
    kind,
    what: 'a message',
    statement: "update message set state = 'sending'",
    prepare: ({ app: { deps }, database: { pool } }) =>
      Promise.resolve(() =>
        pool.begin((tx) =>
          postMessage(
            tx,
            { newId: deps.newId, now: deps.clock.now() },
            { subject: 'Hello', text: 'Hello.', subject_id: 'x', purpose: 'test', ...change },
          ),
        ),
      ),
  };
}

const IN_HAND: JobInHand[] = [
  {
    kind: 'asking',
    what: 'a decision',
    statement: BOOKING_LOCK,
    prepare: async ({ database: { pool } }, one) => {
      const booking = await one.askedByMail();
      return () => wakeBookings(pool, [booking]);
    },
  },
  {
    kind: 'asking_by_system',
    what: "a call of a venue's system",
    statement: BOOKING_LOCK,
    prepare: async ({ database: { pool } }, one) => {
      const booking_id = await one.askedInSystem();
      return () => addJob(pool, 'advance_in_system', { booking_id });
    },
  },
  message('asking_by_mail', { channel: 'mail', to: 'v@venue.example', stopsWhenHalted: true }),
  message('asking_by_text', { channel: 'sms', to: '+628120000001', stopsWhenHalted: true }),
  message('mail', { channel: 'mail', to: 'a@b.example' }),
  {
    kind: 'telling',
    what: 'a webhook',
    statement: 'from webhook_endpoint where partner_id = $1 for update',
    prepare: (_service, one) => Promise.resolve(() => one.queueWebhook()),
  },
  {
    kind: 'telling',
    what: 'a callback',
    statement: 'from callback_delivery where id = $1',
    prepare: (_service, one) => Promise.resolve(() => one.queueCallback('/lost', 'sub_lost')),
  },
  {
    kind: 'photos',
    what: 'a photo',
    statement: 'update photo',
    prepare: async ({ database: { pool } }, one) => {
      const photoId = await one.addPhoto();
      return () => addJob(pool, 'process_photo', { photoId });
    },
  },
  {
    kind: 'upkeep',
    what: 'old sign-ins',
    statement: 'delete from oauth_interaction',
    prepare: ({ database: { pool } }) =>
      Promise.resolve(() => pool`select graphile_worker.add_job('forget_oauth', '{}')`),
  },
];

describe('a node that is lost with a job in hand', { skip: noCertificates }, async () => {
  const parts = await startCounterparts();
  const { settings } = parts;

  // A cut link and a node that stands still take turns, which halves the time. Each was tried with each.
  for (const [at, { kind, what, statement, prepare }] of IN_HAND.entries())
    for (const how of at % 2 === 0 ? ['behind a cut link'] : ['standing still'])
      test(`${how} with ${what} (${kind}): all kinds go on at another node`, async (context) => {
        const database = await createTestDatabase();
        const seeding = await startTestService({ settings, database });
        const queue = await prepare(seeding, await OneOfEach.of(seeding, parts));
        await seeding.close();
        const proxy = await silentProxy(database.url);
        const node = new KilledNode(proxy.url, settings);
        try {
          await node.start();
          let isLost = false;
          proxy.afterSaying(statement, () => {
            isLost = true;
            if (how === 'standing still') node.signal('SIGSTOP');
            else proxy.silence();
          });
          await queue();
          await until('the node has the job in hand', () => isLost);
          const healthy = await startTestService({ settings, database });
          await (await OneOfEach.of(healthy, parts)).all(context);
          await healthy.close();
        } finally {
          await node.stop('SIGKILL');
          proxy.end();
          await database.drop();
        }
      });
});
