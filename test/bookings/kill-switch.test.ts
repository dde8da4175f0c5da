import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { loseTransactions, passTime, until } from '../harness/service/jobs.ts';
import { startTestService, type TestService } from '../harness/service/service.ts';
import { venueSays } from '../harness/service/venue-answer.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';
import { refusedCode } from '../surfaces/concierge/refused.ts';
import { AskingPartner, addVenue, untilResting } from './asking-partner.ts';
import { HOUR_MS } from '../../src/core/time.ts';

interface Halting {
  service: TestService;
  partner: AskingPartner;
  flip: (on: boolean) => ReturnType<typeof flipSwitch>;
  asked: (change?: object) => Promise<string>;
}

async function halting(settings: Record<string, string> = {}): Promise<Halting> {
  const service = await startTestService({ settings: { BOOKING_READS_PER_MINUTE: '100000', ...settings } });
  const partner = await AskingPartner.add(service);
  const { id: staffId } = await addTestStaff(service, 'lead');
  let phones = 1000;
  return {
    service,
    partner,
    flip: (on) => flipSwitch(service.app.deps, { on, reason: 'A test.', staffId }),
    asked: async (change = {}) => {
      const place = await addVenue(service, { name: `Warung ${phones}`, phone: `+62361${phones++}99` });
      const id = await partner.request(place, { ...change });
      await partner.untilStatus(id, 'asking');
      return id;
    },
  };
}

test('a halt stops the clock of what is asked; afterwards there is as much time left as before', async () => {
  const { service, partner, flip, asked } = await halting();
  const id = await asked();
  const answerBy = async () =>
    Date.parse(((await partner.status(id)) as { answer_by?: string }).answer_by ?? '');
  const before = await answerBy();
  assert.equal(await flip(true), 1);
  assert.equal(await flip(true), undefined);
  await passTime(service, 20 * HOUR_MS);
  assert.equal((await partner.status(id)).status, 'asking');
  assert.equal(await flip(false), 1);
  assert.equal(await answerBy(), before + 20 * HOUR_MS);
  await untilResting(service, id);
  await passTime(service, 24 * HOUR_MS);
  await partner.untilStatus(id, 'no_answer');
});

/** The tests below share a service, one after the other: each leaves bookings that concern no other, and the switch off. */
const smtp = await startSmtp();
const shared = await halting({ SMTP_URL: smtp.url, MAIL_FROM: 'desk@waypost.example' });

test('confirmed tables stay, answers of venues count, and nothing new begins', async () => {
  const { service, partner, flip, asked } = shared;
  const confirmed = await asked();
  const open = await asked();
  const answer = { revision: 1, actor: 'venue' as const };
  await venueSays(service.app.deps, { ...answer, bookingId: confirmed, answer: 'yes' });
  await flip(true);
  assert.equal((await partner.status(confirmed)).status, 'confirmed');
  assert.equal(
    await refusedCode(partner, 'modify_booking', { booking_id: confirmed, party_size: 2 }),
    'bookings_halted',
  );
  await venueSays(service.app.deps, { ...answer, bookingId: open, answer: 'no' });
  assert.equal((await partner.status(open)).status, 'declined');
  await flip(false);
});

test('a letter in hand whose transaction is lost does not leave after the switch was thrown', async () => {
  const { service, partner, flip } = shared;
  const gate = Promise.withResolvers<undefined>();
  let held = false;
  smtp.refuse = () => {
    held = true;
    return gate.promise;
  };
  await partner.request(await addVenue(service, { email: 'host@venue.example' }));
  await until('a letter is in hand', () => held);
  await loseTransactions(service);
  await flip(true);
  const { closed } = smtp;
  gate.resolve(undefined);
  await until('the connection for the letter is closed', () => smtp.closed > closed);
  assert.deepEqual(smtp.mails, []);
  await flip(false);
});

test('requests for tables that are too near after a halt are cancelled, and the held table of a change stays', async () => {
  const { service, partner, flip, asked } = shared;
  const near = await asked({ date: '2026-11-15', time: '12:00' });
  const changed = await asked({ date: '2026-11-15', time: '12:00' });
  await venueSays(service.app.deps, { bookingId: changed, revision: 1, actor: 'venue', answer: 'yes' });
  await partner.call('modify_booking', { booking_id: changed, time: '12:30' });
  const far = await asked();
  await flip(true);
  // Then it is half past eleven in Bali.
  await passTime(service, 15.5 * HOUR_MS);
  await flip(false);
  const seen = async (id: string) => {
    const { status, reason, time } = await partner.status(id);
    return [status, reason, time];
  };
  assert.deepEqual(await seen(near), ['cancelled', 'halted', '12:00']);
  assert.deepEqual(await seen(changed), ['confirmed', 'halted', '12:00']);
  assert.deepEqual(await seen(far), ['asking', null, '19:30']);
});

test('a request that was never sent because of a halt of more than a day is cancelled', async () => {
  const { service, partner, flip } = shared;
  const id = await partner.request(await addVenue(service));
  await until('it waits at the desk', async () => {
    const [ask] = await service.database
      .pool`select from venue_ask where booking_id = ${id} and state = 'waiting'`;
    return ask !== undefined;
  });
  await flip(true);
  await untilResting(service, id);
  await passTime(service, 25 * HOUR_MS);
  const ended = await partner.untilStatus(id, 'cancelled');
  assert.equal(ended.reason, 'halted_too_long');
});
