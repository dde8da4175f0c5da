import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { DAY_MS } from '../../src/core/time.ts';
import { OneOfEach, startCounterparts, timed } from '../jobs/one-of-each.ts';
import { KilledNode } from '../journeys/killed-node.ts';
import { receivedAt, WebhookPartner } from '../webhooks/webhook-partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/service/database.ts';
import { noCertificates } from '../harness/service/https-server.ts';
import { until } from '../harness/service/jobs.ts';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { silentProxy } from '../harness/service/postgres-stand-in.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { addVenue, AskingPartner } from './asking-partner.ts';

const HOST = 'host@venue.example';

describe('a node that is lost in the middle of its jobs', { skip: noCertificates }, async () => {
  const parts = await startCounterparts();
  const { smtp, settings, receiver } = parts;

  /** Makes the mail server hold every mail to the venue between the recipient and the letter. */
  function holdLetter(): { held: () => boolean; release: () => void; isOver: () => boolean } {
    const gate = Promise.withResolvers<undefined>();
    let asked = false;
    smtp.refuse = (recipient) => {
      if (recipient !== HOST) return undefined;
      asked = true;
      return gate.promise;
    };
    let closed = Infinity;
    return {
      held: () => asked,
      release: () => {
        closed = smtp.closed;
        gate.resolve(undefined);
      },
      isOver: () => smtp.closed > closed,
    };
  }

  const letters = () => smtp.mails.filter(({ to }) => to.includes(HOST)).length;

  /** A node of its own process on the database of a test, with a partner and a venue that it can ask. */
  async function startLost(url: string, database: TestDatabase) {
    const seeding = await startTestService({ settings, database });
    const partner = await AskingPartner.add(seeding, `${receiver.url}/lost`);
    const { id: staffId } = await addTestStaff(seeding, 'lead');
    const placeId = await addVenue(seeding, { email: HOST });
    await seeding.close();
    const node = new KilledNode(url, settings);
    await node.start();
    const date = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10);
    const table = { place_id: placeId, date, time: '19:30', party_size: 4, guest_name: 'Guest Example' };
    const request = () => node.call(partner.partner.headers['x-partner-key'] ?? '', 'request_table', table);
    return { node, staffId, partner: partner.partner, request };
  }

  /** Another node goes on with everything that concerns others, and the switch is thrown there. */
  async function goOn(context: TestContext, database: TestDatabase, staffId: string): Promise<TestService> {
    const healthy = await startTestService({ settings, database });
    await (await OneOfEach.of(healthy, parts)).all(context);
    await flipSwitch(healthy.app.deps, { on: true, reason: 'A test.', staffId });
    return healthy;
  }

  test('behind a cut link: it keeps one webhook endpoint until the server ends its transaction, and no other', async (context) => {
    const database = await createTestDatabase();
    const proxy = await silentProxy(database.url);
    const { node, partner, request } = await startLost(proxy.url, database);
    try {
      proxy.silenceAfter('from webhook_endpoint where partner_id = $1 for update');
      void request().catch(() => undefined);
      await until('its link is cut', () => proxy.isSilent());
      const healthy = await startTestService({ settings, database });
      const others = await OneOfEach.of(healthy, parts);
      await timed(context, () => others.webhook());
      const own = WebhookPartner.of(healthy, partner);
      const booking = own.newBooking();
      await own.move(booking, 1);
      await until('its own', () => receivedAt(receiver, '/lost').some(({ body }) => body.includes(booking)));
      await healthy.close();
    } finally {
      await node.stop('SIGKILL');
      proxy.end();
      await database.drop();
    }
  });

  test('behind a cut link: others go on, the kill switch is thrown, and nothing leaves after that', async (context) => {
    const database = await createTestDatabase();
    const proxy = await silentProxy(database.url);
    const { node, staffId, request } = await startLost(proxy.url, database);
    const letter = holdLetter();
    try {
      await request();
      await until('a letter is in hand', letter.held);
      proxy.silence();
      const healthy = await goOn(context, database, staffId);
      letter.release();
      await until('the connection for the letter is closed', letter.isOver);
      assert.equal(letters(), 0);
      await healthy.close();
    } finally {
      await node.stop('SIGKILL');
      proxy.end();
      await database.drop();
    }
  });

  test('that stands still: others go on, the kill switch is thrown, and nothing leaves when it wakes', async (context) => {
    const database = await createTestDatabase();
    const { node, staffId, request } = await startLost(database.url, database);
    const letter = holdLetter();
    try {
      await request();
      await until('a letter is in hand', letter.held);
      node.signal('SIGSTOP');
      const healthy = await goOn(context, database, staffId);
      // The answer waits for the node when it wakes.
      letter.release();
      node.signal('SIGCONT');
      await until('the connection for the letter is closed', letter.isOver);
      assert.equal(letters(), 0);
      await healthy.close();
    } finally {
      node.signal('SIGCONT');
      await node.stop('SIGKILL');
      await database.drop();
    }
  });
});
