import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { passTime, until } from '../../harness/service/jobs.ts';
import { startTestService } from '../../harness/service/service.ts';
import { signInStaff, type FormClient } from '../../harness/people/staff.ts';
import { startSmtp } from '../../messages/smtp-receiver.ts';
import { addVenue, AskingPartner, linkIn, tap, untilResting } from '../asking-partner.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';

describe('the human desk', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: { SMTP_URL: smtp.url, MAIL_FROM: 'post@waypost.example' },
  });
  // Ten in the morning where the venues are: nobody is asked at night.
  service.clock.advance(14 * 60 * MINUTE_MS);
  const partner = await AskingPartner.add(service);
  let desk = await signInStaff(service, 'desk');

  /** A venue of which nothing but a number is held, which without a phone provider is left to the desk. */
  async function atDesk(change: Record<string, unknown> = {}): Promise<string> {
    const placeId = await addVenue(service, { phone: '+6281234567', method: 'phone' });
    const bookingId = await partner.request(placeId, change);
    await until('it is on the list', async () => (await page(desk)).includes(bookingId));
    return bookingId;
  }
  const page = async (client: FormClient) => (await client.get('/console/desk')).text();
  const answer = (client: FormClient, id: string, fields: Record<string, string>) =>
    client.post(`/console/desk/${id}`, fields, '/console/desk');

  test('silence leads to the desk, and the yes that it hears books the table', async () => {
    const email = 'silent@venue.example';
    const placeId = await addVenue(service, { email });
    const bookingId = await partner.request(placeId);
    const link = await linkIn(smtp, email);
    await partner.untilStatus(bookingId, 'asking');
    await untilResting(service, bookingId);
    await passTime(service, 46 * MINUTE_MS);
    await until('a reminder', () => smtp.mails.filter(({ to }) => to.includes(email)).length === 2);
    await untilResting(service, bookingId);
    await passTime(service, 45 * MINUTE_MS);
    desk = await signInStaff(service, 'desk');
    await until('it is on the list', async () => (await page(desk)).includes(bookingId));
    assert.equal((await answer(desk, bookingId, { answer: 'yes' })).status, 303);
    const { status, booked, confirmation } = await partner.status(bookingId);
    assert.deepEqual([status, booked, confirmation?.by], ['confirmed', true, 'desk']);
    assert.ok(!(await page(desk)).includes(bookingId));
    // The venue's own tap comes too late to matter, and says the same.
    await tap(service, link, { answer: 'yes' });
    assert.equal((await partner.status(bookingId)).status, 'confirmed');
  });

  test('a call belongs to the person who took it: they get the script, the number and the buttons, and nobody calls twice', async () => {
    const bookingId = await atDesk({ notes: 'A quiet corner' });
    assert.equal((await partner.status(bookingId)).status, 'sent');
    assert.ok(!(await page(desk)).includes('Hello, this is Waypost'));
    assert.equal((await desk.post(`/console/desk/${bookingId}/take`, {}, '/console/desk')).status, 303);
    assert.equal((await partner.status(bookingId)).status, 'asking');
    const mine = await page(desk);
    assert.ok(/Hello, this is Waypost.*Do you have a table for 4 on Friday 20 November at 19:30/s.test(mine));
    assert.ok(/The guest adds: “A quiet corner”/.test(mine));
    assert.ok(/href="tel:\+6281234567"/.test(mine));
    const other = await signInStaff(service, 'desk');
    assert.ok(/is calling/.test(await page(other)));
    assert.equal((await other.post(`/console/desk/${bookingId}/take`, {}, '/console/desk')).status, 409);
    assert.equal((await answer(other, bookingId, { answer: 'no' })).status, 409);
    assert.equal((await partner.status(bookingId)).status, 'asking');
    const putDown = await desk.post(`/console/desk/${bookingId}/put-down`, {}, '/console/desk');
    const notice = await (await desk.get(putDown.headers.get('location') ?? '')).text();
    assert.match(notice, /class="outcome good"[^]*Warung[^]*: *Somebody else may make this call now/);
    assert.ok(!notice.includes(`action="/console/desk/${bookingId}/undo"`), 'only an answer is undone');
    assert.equal((await other.post(`/console/desk/${bookingId}/take`, {}, '/console/desk')).status, 303);
    assert.equal((await answer(other, bookingId, { answer: 'no' })).status, 303);
    assert.equal((await partner.status(bookingId)).status, 'declined');
  });

  test('a slip of the desk is taken back within two minutes, and not after, by nobody but the desk', async () => {
    const bookingId = await atDesk();
    const answered = await answer(desk, bookingId, { answer: 'no' });
    assert.equal((await partner.status(bookingId)).status, 'declined');
    const shown = await (await desk.get(answered.headers.get('location') ?? '')).text();
    const undo = `/console/desk/${bookingId}/undo`;
    assert.ok(shown.includes(`action="${undo}"`), shown);
    const reviewer = await signInStaff(service, 'reviewer');
    assert.equal((await reviewer.post(undo, {}, '/console/account')).status, 403);
    assert.equal((await desk.post(undo, {}, '/console/desk')).status, 303);
    assert.equal((await partner.status(bookingId)).status, 'asking');
    assert.ok((await page(desk)).includes(`id="${bookingId}"`), 'the call is on the list again');
    assert.equal(
      (await desk.post(undo, {}, '/console/desk')).status,
      409,
      'there is nothing more to take back',
    );
    assert.equal((await answer(desk, bookingId, { answer: 'yes' })).status, 303);
    await passTime(service, 3 * MINUTE_MS);
    assert.equal((await desk.post(undo, {}, '/console/desk')).status, 409);
    assert.equal((await partner.status(bookingId)).status, 'confirmed');
  });

  test('a reviewer sees which venues are called, and nothing of the guest', async () => {
    const bookingId = await atDesk({ guest_name: 'Ada Example', notes: 'A quiet corner' });
    const reviewer = await signInStaff(service, 'reviewer');
    const seen = await page(reviewer);
    assert.ok(seen.includes(`id="${bookingId}"`));
    assert.doesNotMatch(seen, /Ada Example|quiet corner/);
    assert.match(await page(desk), /Ada Example[^]*A quiet corner/);
    await partner.call('cancel_booking', { booking_id: bookingId });
  });

  test('two who take the same call at the same moment: one has it', async () => {
    const bookingId = await atDesk();
    const other = await signInStaff(service, 'desk');
    const [csrf, otherCsrf] = await Promise.all([desk.token('/console/desk'), other.token('/console/desk')]);
    const taken = await Promise.all([
      desk.postRaw(`/console/desk/${bookingId}/take`, { csrf }),
      other.postRaw(`/console/desk/${bookingId}/take`, { csrf: otherCsrf }),
    ]);
    assert.deepEqual(taken.map(({ status }) => status).sort(), [303, 409]);
    await partner.call('cancel_booking', { booking_id: bookingId });
  });

  test('a call that was taken and forgotten comes back after a quarter of an hour', async () => {
    const bookingId = await atDesk();
    await desk.post(`/console/desk/${bookingId}/take`, {}, '/console/desk');
    await passTime(service, 16 * MINUTE_MS);
    const other = await signInStaff(service, 'desk');
    assert.equal((await other.post(`/console/desk/${bookingId}/take`, {}, '/console/desk')).status, 303);
    assert.equal((await answer(other, bookingId, { answer: 'yes' })).status, 303);
  });

  test('another time that the venue offers on the phone is an offer like any other', async () => {
    const bookingId = await atDesk();
    const offer = { answer: 'offer', offer_date: '2026-11-20', offer_time: '21:00', note: 'On the terrace' };
    assert.equal((await answer(desk, bookingId, { ...offer, offer_time: '' })).status, 422);
    assert.equal((await answer(desk, bookingId, { ...offer, offer_date: 'Friday' })).status, 422);
    assert.equal((await answer(desk, bookingId, { ...offer, note: 'Call 0812 3456 789' })).status, 422);
    assert.equal((await answer(desk, bookingId, { answer: 'maybe' })).status, 422);
    assert.equal((await answer(desk, bookingId, offer)).status, 303);
    const told = await partner.status(bookingId);
    assert.deepEqual([told.status, told.offer?.time], ['offered', '21:00']);
    await partner.call('modify_booking', { booking_id: bookingId, accept_offer: told.offer?.offer_id });
    await until('the desk tells the venue', async () => (await page(desk)).includes('its offer is accepted'));
    await desk.post(`/console/desk/${bookingId}/take`, {}, '/console/desk');
    assert.equal((await desk.post(`/console/desk/${bookingId}/told`, {}, '/console/desk')).status, 303);
    assert.ok((await partner.status(bookingId)).timeline.some(({ event }) => event === 'venue_told'));
  });

  test('when nobody answers, the call comes back in half an hour', async () => {
    const bookingId = await atDesk();
    await answer(desk, bookingId, { answer: 'no_answer' });
    assert.ok(/Nobody answered; try again in 30 min/.test(await page(desk)));
    assert.equal((await partner.status(bookingId)).status, 'asking');
    await partner.call('cancel_booking', { booking_id: bookingId });
  });

  test('only the desk answers, and only about bookings that there are', async () => {
    const bookingId = await atDesk();
    const reviewer = await signInStaff(service, 'reviewer');
    assert.equal((await answer(reviewer, bookingId, { answer: 'yes' })).status, 403);
    assert.equal((await desk.postRaw(`/console/desk/${bookingId}`, { answer: 'yes' })).status, 403);
    const stranger = await service.request(`/console/desk/${bookingId}`, { method: 'POST' });
    assert.equal(stranger.status, 401);
    assert.equal((await answer(desk, `bkg_${'0'.repeat(26)}`, { answer: 'yes' })).status, 404);
    assert.equal((await partner.status(bookingId)).status, 'sent');
    assert.equal((await answer(desk, bookingId, { answer: 'no' })).status, 303);
    assert.equal((await answer(desk, bookingId, { answer: 'yes' })).status, 409);
  });

  test("the venue's answer is in the audit trail under the name of the person who recorded it", async () => {
    const bookingId = await atDesk();
    await answer(desk, bookingId, { answer: 'yes' });
    const [line] = await service.database.pool`
      select actor, detail from audit_log where subject = ${bookingId} and operation = 'record_venue_answer'`;
    assert.equal(line?.['actor'], desk.staff.id);
  });

  /** Audit rows of a booking written by the desk. */
  const audited = async (bookingId: string) => {
    const lines = await service.database.pool<{ operation: string; detail: Record<string, unknown> }[]>`
      select operation, detail from audit_log where subject = ${bookingId} and actor = ${desk.staff.id}
      order by sequence`;
    return lines.map(({ operation, detail }) => [operation, detail['taken_back'] ?? detail['late'] ?? null]);
  };

  test('taking a call, returning it and a late answer are in the audit trail, each once', async () => {
    const bookingId = await atDesk();
    const send = (step: string) => desk.post(`/console/desk/${bookingId}/${step}`, {}, '/console/desk');
    for (const step of ['take', 'put-down', 'put-down']) assert.equal((await send(step)).status, 303);
    assert.equal((await answer(desk, bookingId, { answer: 'no' })).status, 303);
    assert.equal((await answer(desk, bookingId, { answer: 'yes' })).status, 409);
    assert.equal((await partner.status(bookingId)).timeline.at(-1)?.event, 'late_answer');
    assert.equal((await send('told')).status, 409);
    assert.deepEqual(await audited(bookingId), [
      ['take_call', null],
      ['put_down_call', null],
      ['record_venue_answer', null],
      ['record_venue_answer', true],
    ]);
  });

  test('the notice to the venue and its cancellation are recorded together, or not at all', async () => {
    const { pool } = service.database;
    const bookingId = await atDesk();
    await answer(desk, bookingId, { answer: 'yes' });
    // As it is when the venue's own system no longer takes a table back.
    await pool`
      insert into venue_ask (booking_id, revision, step, channel, state, claimed_at)
      values (${bookingId}, 1, 'notify_cancelled', 'desk', 'waiting', ${service.clock.now()})`;
    const tell = () => desk.post(`/console/desk/${bookingId}/told`, { taken_back: 'yes' }, '/console/desk');
    const events = async () => (await partner.status(bookingId)).timeline.map(({ event }) => event);
    const before = [await events(), await audited(bookingId)];
    await pool`
      create function crash() returns trigger language plpgsql as 'begin raise exception ''crash''; end'`;
    await pool`
      create trigger crash before update on booking for each row when (new.status = 'cancelled')
      execute function crash()`;
    assert.equal((await tell()).status, 500);
    assert.deepEqual([await events(), await audited(bookingId)], before);
    assert.ok((await page(desk)).includes('Ask the venue to cancel the table'));
    await pool`drop trigger crash on booking`;
    assert.equal((await tell()).status, 303);
    assert.deepEqual((await events()).slice(-2), ['venue_told', 'cancelled']);
    const told = (await audited(bookingId)).filter(([operation]) => operation === 'tell_venue');
    assert.deepEqual(told, [['tell_venue', true]]);
    assert.equal((await tell()).status, 409);
  });
});
