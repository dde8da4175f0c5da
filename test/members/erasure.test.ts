import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listEntries } from '../../src/bookings/timeline.ts';
import { timelineFault } from '../../src/bookings/maintenance/timeline-fault.ts';
import type { BookingStatus } from '../../src/bookings/booking.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { addVenue, AskingPartner, linkInOutbox, tap, untilResting } from '../bookings/asking-partner.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { joinMember, type TestMember } from '../harness/people/member.ts';
import { LONG } from '../harness/tier.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { Buyer } from '../licensing/buyer.ts';
import { addMadePhoto, fillWallet } from '../licensing/made-photo.ts';
import { tablesWith, tablesWithValue } from './database-search.ts';

interface Told {
  for: { name: string };
  notes: string | null;
  reason: string | null;
  status: string;
}

/** Parts of words that we write ourselves, words of JSON, characters that mean something to a program, other scripts. */
const NAMES = LONG
  ? ['al', 'e', 'null', 'booking', 'a.*(b)+[c]$1^|', '"Q" \\n\\\\', '👩‍👩‍👧 Zoë', 'مريم العلي']
  : ['e', 'a.*(b)+[c]$1^| "Q" \\n\\\\'];

describe('"forget me"', async () => {
  const receiver = await startReceiver();
  const service = await startTestService({
    settings: {
      EGRESS_ALLOW: receiver.pair,
      BOOKING_READS_PER_MINUTE: '100000',
      BOOKING_WRITES_PER_MINUTE: '100000',
    },
  });
  const { pool } = service.database;
  // Ten in the morning where the venues are.
  service.clock.advance(14 * HOUR_MS);
  const partner = await AskingPartner.add(service, `${receiver.url}/hook`);
  let made = 4000;

  const forget = async (member: TestMember) => {
    const done = await member.post('/member/forget', { sure: 'yes' });
    assert.equal(done.status, 200, await done.clone().text());
    assert.match(await done.text(), /Your account is erased/);
  };
  async function linkCode(member: TestMember): Promise<string> {
    const text = await (await member.post('/member/link/code', {}, '/member/link')).text();
    return /<strong>([0-9A-Z-]{14})<\/strong>/.exec(text)?.[1] ?? '';
  }
  const told = async (id: string) => {
    const { bookings } = await partner.call<{ bookings: Told[] }>('booking_status', { booking_id: id });
    assert.ok(bookings[0]);
    return bookings[0];
  };
  const outbox = (...ids: string[]) =>
    pool<{ id: string; body: string }[]>`
      select m.id, m.body from message m where m.body is not null
        and m.id in (select message_id from venue_ask where booking_id = any(${ids}))`;

  for (const [at, name] of NAMES.entries())
    test(`is forgotten in every table, also by the name ${JSON.stringify(name)}`, async () => {
      const member = await joinMember(service, name);
      const word = `zqx${at}allergy`;
      const asked = { member_id: member.memberId, guest_name: undefined, notes: `Severe ${word} to nuts` };
      const placeId = await addVenue(service, { phone: `+628170${++made}` });
      const link_code = await linkCode(member);
      const key = `key-of-${word}-0123456789`;
      const id = await partner.request(placeId, { ...asked, link_code, idempotency_key: key });
      const link = await linkInOutbox(service, id);
      // A venue that offers another time, and a partner that gives a reason, each in its own words.
      const offered = await partner.request(placeId, { ...asked, time: '13:00', date: '2026-11-22' });
      await tap(service, await linkInOutbox(service, offered), { answer: 'offer', offer_time: '14:00' });
      await partner.untilStatus(offered, 'offered');
      await pool`update booking_offer set note = ${`For ${word}`} where booking_id = ${offered}`;
      await receiver.down();
      const off = await partner.request(placeId, { ...asked, time: '21:00', date: '2026-11-24' });
      await partner.call('cancel_booking', {
        booking_id: off,
        reason: `${word} is ill`,
        idempotency_key: `${key}-off`,
      });
      const ids = [id, offered, off];
      await pool`update venue_ask set reason = ${`${word} is ill`} where booking_id = ${id}`;
      assert.ok((await outbox(...ids)).some(({ body }) => body.includes(word)));
      const pending = await pool<{ keys: string; data: object }[]>`
        select data from webhook_delivery where booking_id = ${off} order by number`;
      const keysBefore = pending.map(({ data }) => Object.keys(data));
      assert.deepEqual(await tablesWith(pool, word), [
        'booking',
        'booking_offer',
        'message',
        'venue_ask',
        'webhook_delivery',
      ]);

      await forget(member);
      assert.deepEqual(await tablesWith(pool, word, member.email), []);
      assert.deepEqual(await tablesWithValue(pool, name), []);
      const [stored] =
        await pool`select count(*)::int as count from idempotency_key where subject = any(${ids})`;
      assert.equal(stored?.['count'], 0);
      for (const { body } of await outbox(...ids)) {
        assert.ok(body.includes('Name: guest, a guest of') && !body.includes(`Name: ${name},`), body);
        assert.ok(!body.includes('Note:'), body);
        assert.match(body, /\/v\/[\w-]+\n|no longer wanted/);
      }
      // The request can still be answered, and the partner reads all but the name.
      await tap(service, link, { answer: 'yes' });
      assert.deepEqual(
        [(await told(id)).status, (await told(id)).for.name, (await told(id)).notes],
        ['confirmed', 'guest', null],
      );
      assert.deepEqual([(await told(off)).status, (await told(off)).reason], ['cancelled', null]);
      const after = await pool<{ data: object }[]>`
        select data from webhook_delivery where booking_id = ${off} order by number`;
      assert.deepEqual(
        after.map(({ data }) => Object.keys(data)),
        keysBefore,
        'no member has another name',
      );
      for (const bookingId of ids) {
        const [row] = await pool<{ status: BookingStatus; lastSequence: number }[]>`
          select status, last_sequence as "lastSequence" from booking where id = ${bookingId}`;
        assert.ok(row);
        assert.equal(timelineFault(row, await listEntries(pool, [bookingId])), undefined);
      }

      await receiver.up();
      receiver.received.length = 0;
      await passTime(service, HOUR_MS);
      const event = await until('the webhook that waited', () =>
        receiver.received
          .map(({ body }) => body)
          .find((body) => body.includes(off) && body.includes('cancelled')),
      );
      assert.ok(!event.includes(word));
      const { data } = JSON.parse(event) as { data: { booking_id: string; reason: string | null } };
      assert.deepEqual([data.booking_id, data.reason], [off, null]);
    });

  test('goes from a message that asks for other guests too, and theirs stays as it was', async () => {
    const placeId = await addVenue(service, { phone: `+628170${++made}` });
    const first = await partner.request(placeId, { date: '2026-11-23' });
    await partner.untilStatus(first, 'asking');
    // Words of four letters stand by chance in hashes that are written as text.
    const guests = [
      { member: await joinMember(service, 'Qwanda Zetaquist'), word: 'peanutqx', time: '20:00' },
      { member: await joinMember(service, 'Ywain Thetaquist'), word: 'shellfishqx', time: '21:00' },
    ];
    const ids: string[] = [];
    for (const { member, word, time } of guests)
      ids.push(
        await partner.request(placeId, {
          date: '2026-11-23',
          time,
          member_id: member.memberId,
          link_code: await linkCode(member),
          guest_name: undefined,
          notes: `No ${word} please`,
        }),
      );
    for (const id of [first, ...ids]) await untilResting(service, id);
    await passTime(service, 15 * MINUTE_MS);
    const shared = await until('one message for both', async () => {
      const bodies = await outbox(...ids);
      return bodies.length === 1 && bodies[0]?.body.includes('Ywain Thetaquist') === true && bodies[0];
    });
    assert.ok(shared.body.includes('Qwanda Zetaquist'));
    const [one, two] = guests;
    assert.ok(one && two);

    await forget(two.member);
    assert.deepEqual(await tablesWith(pool, 'Ywain', 'Thetaquist', two.word), []);
    const [left] = await outbox(...ids);
    assert.ok(left);
    for (const word of ['Qwanda Zetaquist', one.word, 'Name: guest, a guest of', 'at 21:00', '/v/'])
      assert.ok(left.body.includes(word), left.body);
    await forget(one.member);
    assert.deepEqual(await tablesWith(pool, 'Qwanda', 'Zetaquist', one.word), []);
    const link = /\/v\/[\w-]+/.exec((await outbox(...ids))[0]?.body ?? '')?.[0] ?? '';
    assert.equal((await service.request(link)).status, 200);
  });

  test('is not named by a message that is written after that', async () => {
    const member = await joinMember(service, 'Vesper Iotaquist');
    const placeId = await addVenue(service, { phone: `+628170${++made}` });
    const id = await partner.request(placeId, {
      member_id: member.memberId,
      link_code: await linkCode(member),
      guest_name: undefined,
    });
    await tap(service, await linkInOutbox(service, id), { answer: 'yes' });
    await partner.untilStatus(id, 'confirmed');
    await forget(member);
    await partner.call('modify_booking', { booking_id: id, notes: 'For Vesper Iotaquist, as ever' });
    await partner.call('modify_booking', { booking_id: id, time: '20:30' });
    await until('the venue is asked about the change', async () =>
      (await outbox(id)).some(({ body }) => body.includes('could it be')),
    );
    assert.deepEqual(await tablesWith(pool, 'Vesper'), []);
    assert.deepEqual([(await told(id)).for.name, (await told(id)).notes], ['guest', null]);
  });

  test('as a photographer is named in no caption, mail or licence', async () => {
    const member = await joinMember(service, 'Zinnia Kqppa');
    const sold = await addMadePhoto(pool, service.clock, { memberId: member.memberId });
    const withdrawn = await addMadePhoto(pool, service.clock, {
      memberId: member.memberId,
      state: 'to_check',
    });
    await pool`update photo set caption = 'Me, Zinnia', state = 'withdrawn' where id = ${withdrawn}`;
    await pool`
    insert into message (id, channel, recipient, subject, body, purpose, subject_id, created_at)
    values (${service.app.deps.newId('msg')}, 'mail', ${member.email}, 'Your photo is approved', 'Set its prices',
            'photo_checked', ${sold}, ${service.clock.now()})`;
    const { agentId, apiKey } = await signUpAgent(service);
    await fillWallet(pool, service.clock, agentId, 5_000);
    const bought = await new Buyer(service, agentId, apiKey).license(
      sold,
      'web',
      900,
      'a-key-of-its-own-0123456789',
    );
    assert.equal(bought.status, 201, JSON.stringify(bought.body));
    assert.match(String(bought.body['attribution_line']), /Zinnia Kqppa/);
    assert.equal((await member.post('/member/forget', { sure: 'yes' })).status, 200);
    assert.deepEqual(await tablesWith(pool, 'Zinnia', 'Kqppa', member.email), []);
    const [licence] = await pool<{ attribution_line: string; refunded_at: Date | null }[]>`
    select attribution_line, refunded_at from photo_licence`;
    assert.deepEqual(
      { ...licence },
      { attribution_line: 'Photo: a traveller via Waypost', refunded_at: null },
    );
  });
});
