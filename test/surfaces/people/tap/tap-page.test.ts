import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addVenue, AskingPartner, linkInOutbox, nonceOf, tap } from '../../../bookings/asking-partner.ts';
import { tries } from '../../../harness/tier.ts';
import { startTestService, type TestService } from '../../../harness/service/service.ts';

async function asked(service: TestService, table: { date?: string } = {}) {
  const partner = await AskingPartner.add(service);
  const placeId = await addVenue(service, { phone: '+6281234567' });
  const bookingId = await partner.request(placeId, { notes: 'A high chair, please', ...table });
  const link = await linkInOutbox(service, bookingId);
  await partner.untilStatus(bookingId, 'asking');
  return { partner, bookingId, link };
}

describe('the page behind the link in a message', async () => {
  const service = await startTestService();

  test('shows the table, the name and the note, and is kept by nobody', async () => {
    const { link } = await asked(service);
    const response = await service.request(link);
    const text = await response.text();
    assert.equal(response.status, 200);
    for (const word of [
      'Warung Senja',
      'Friday 20 November',
      '19:30',
      'Guest Example',
      'Guest of',
      'Test Partner',
      'A high chair, please',
    ])
      assert.ok(text.includes(word), word);
    for (const answer of ['yes', 'offer', 'no', 'stop'])
      assert.match(text, new RegExp(`name="answer"[^>]*value="${answer}"`));
    assert.doesNotMatch(text, /llms\.txt|openapi\.json|API reference/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.match(response.headers.get('x-robots-tag') ?? '', /noindex/);
    assert.equal(response.headers.get('set-cookie'), null);
  });

  test('says when the day is tomorrow, and nothing of the kind about later days', async () => {
    for (const [date, shown] of [
      ['2026-11-15', 'Sunday 15 November (tomorrow)'],
      ['2026-11-16', 'Monday 16 November'],
    ] as const) {
      const { link } = await asked(service, { date });
      const text = await (await service.request(link)).text();
      assert.equal(/(?:Sun|Mon)day 1[56] November[^<]*/.exec(text)?.[0].trim(), shown);
    }
  });

  test('mail scanners may look as often as they like: nothing changes', async () => {
    const { partner, bookingId, link } = await asked(service);
    const before = await partner.status(bookingId);
    for (let look = 0; look < tries({ quick: 5, long: 25 }); look++) {
      assert.equal((await service.request(link, { method: 'HEAD' })).status, 200);
      assert.equal((await service.request(`${link}?answer=yes&nonce=x`)).status, 200);
    }
    assert.equal((await service.request(`${link}/undo`)).status, 405);
    assert.deepEqual(await partner.status(bookingId), before);
  });

  test('an answer without the nonce of this very page is refused, and nothing changes', async () => {
    const { partner, bookingId, link } = await asked(service);
    const other = await asked(service);
    const post = (fields: Record<string, string>) =>
      service.request(link, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });
    assert.equal((await post({ answer: 'yes' })).status, 403);
    assert.equal((await post({ answer: 'yes', nonce: 'a.b.c' })).status, 403);
    assert.equal((await post({ answer: 'yes', nonce: await nonceOf(service, other.link) })).status, 403);
    assert.equal((await partner.status(bookingId)).status, 'asking');
  });

  test('an answer that says nothing is refused with what is wrong, and nothing changes', async () => {
    const { partner, bookingId, link } = await asked(service);
    const faulty: [Record<string, string>, RegExp][] = [
      [{ answer: 'perhaps' }, /Say yes, no/],
      [{}, /Say yes, no/],
      [{ answer: 'offer', offer_date: '20.11.2026', offer_time: '20:00' }, /must be a day/],
      [{ answer: 'offer', offer_date: '2026-11-31', offer_time: '20:00' }, /must be a day/],
      [{ answer: 'offer', offer_date: '2026-11-20', offer_time: 'late' }, /must be a time/],
      [{ answer: 'offer', offer_date: '2026-11-20', offer_time: '' }, /must be a time/],
      [{ answer: 'offer', offer_date: '2025-11-20', offer_time: '20:00' }, /has passed/],
      [{ answer: 'offer', offer_date: '2026-11-20', offer_time: '19:30' }, /answer yes instead/],
    ];
    for (const [fields, words] of faulty) {
      const response = await tap(service, link, fields);
      assert.equal(response.status, 422, JSON.stringify(fields));
      assert.match(await response.text(), words);
    }
    assert.equal((await partner.status(bookingId)).status, 'asking');
  });

  test('a link that we never sent leads nowhere, however it looks', async () => {
    for (const token of ['AAAAAAAAAAAAAAAAAAAAAA', 'x', '%00', "'--", 'a'.repeat(90)])
      assert.equal((await service.request(`/v/${token}`)).status, 404, token);
  });

  test('a venue that cannot keep its promise says so later, and the guest hears of it', async () => {
    const { partner, bookingId, link } = await asked(service);
    await tap(service, link, { answer: 'yes' });
    service.clock.advance(3 * 60_000);
    assert.match(await (await service.request(link)).text(), /We cannot keep this table after all/);
    await tap(service, link, { answer: 'cancel', revision: '1' });
    const { status, reason } = await partner.status(bookingId);
    assert.deepEqual([status, reason], ['cancelled', 'venue_cancelled']);
  });

  test('an answer and its undo leave one line of the audit trail each; what changes nothing leaves none', async () => {
    const { bookingId, link } = await asked(service);
    const [booking] = await service.database.pool`select place_id from booking where id = ${bookingId}`;
    const actor = `venue:${String(booking?.['place_id'])}`;
    await tap(service, link, { answer: 'yes' });
    const nonce = await nonceOf(service, link);
    for (let press = 0; press < 2; press++) {
      const undone = await tap(service, link, { nonce }, '/undo');
      assert.deepEqual([undone.status, undone.headers.get('location')], [303, link]);
    }
    const lines = await service.database.pool<{ operation: string; detail: object }[]>`
      select operation, detail from audit_log
      where subject = ${bookingId} and actor = ${actor} order by sequence`;
    assert.deepEqual(
      lines.map(({ operation, detail }) => [operation, detail]),
      [
        ['record_venue_answer', { answer: 'yes', by: 'venue' }],
        ['undo_venue_answer', { was: 'confirmed', by: 'venue' }],
      ],
    );
  });

  test("a guest's text is always shown as text", async () => {
    const partner = await AskingPartner.add(service);
    const bookingId = await partner.request(await addVenue(service, { phone: '+6281234568' }), {
      guest_name: '<b>Bold</b> "Bob"',
    });
    const text = await (await service.request(await linkInOutbox(service, bookingId))).text();
    assert.ok(text.includes('&lt;b&gt;Bold&lt;/b&gt; &quot;Bob&quot;'));
  });
});
