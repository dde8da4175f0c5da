import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advanceChoice } from '../../../src/bookings/choices/advance-choice.ts';
import { requeueLostBookings } from '../../../src/bookings/maintenance/requeue-lost-bookings.ts';
import { transactionsOf, violatedConstraint } from '../../../src/core/postgres/db.ts';
import { MINUTE_MS } from '../../../src/core/time.ts';
import { addTestStaff } from '../../harness/people/staff.ts';
import { passTime, until } from '../../harness/service/jobs.ts';
import { flipSwitch } from '../../harness/service/kill-switch.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { startSmtp } from '../../messages/smtp-receiver.ts';
import { refused, refusedCode } from '../../surfaces/concierge/refused.ts';
import { addVenue, AskingPartner, linkIn, tap, type BookingTold } from '../asking-partner.ts';

interface Chain {
  choice_id: string;
  position: number;
  over: boolean;
  venues: { place_id: string; booking_id: string | null; status: string | null; refusal: string | null }[];
}
type Chosen = BookingTold & { choice: Chain | null };

const pass = (service: TestService, minutes: number) => passTime(service, minutes * MINUTE_MS);

const statusesOf = ({ venues }: Chain) => venues.map(({ status }) => status);

describe('a table that is requested from several venues in order', async () => {
  const smtp = await startSmtp();
  const service = await startTestService({
    settings: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'post@waypost.example',
      BOOKING_READS_PER_MINUTE: '100000',
      BOOKING_WRITES_PER_MINUTE: '100000',
    },
  });
  // Ten in the morning where the venues are: nobody is asked at night.
  service.clock.advance(14 * 60 * MINUTE_MS);
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  await pool`
    insert into webhook_endpoint (partner_id, url, sealed_secret, created_at, changed_at)
    values (${partner.partner.partnerId}, 'https://partner.example/hook', 'x', now(), now())`;
  let made = 0;

  interface Venue {
    placeId: string;
    email: string;
  }

  async function venue(): Promise<Venue> {
    const email = `choice-${++made}@venue.example`;
    return { email, placeId: await addVenue(service, { email, name: `Venue ${made}`, gather: 0 }) };
  }

  /** A choice of so many venues whose first one has been asked. */
  async function choose(count: number, change: Record<string, unknown> = {}) {
    // Nobody is asked in the evening: from six on, the test goes on at ten in the next morning.
    const hour = new Date(service.clock.now().getTime() + 8 * 60 * MINUTE_MS).getUTCHours();
    if (hour >= 18 || hour < 9) await pass(service, ((34 - hour) % 24) * 60);
    const venues: Venue[] = [];
    for (let nth = 0; nth < count; nth++) venues.push(await venue());
    const [first, ...others] = venues.map(({ placeId }) => placeId);
    const bookingId = await partner.request(first ?? '', { alternatives: others, ...change });
    await partner.untilStatus(bookingId, 'asking');
    return { venues, bookingId };
  }

  async function chainOf(bookingId: string): Promise<Chain> {
    const { choice } = (await partner.status(bookingId)) as Chosen;
    assert.ok(choice);
    return choice;
  }

  function untilChain(bookingId: string, ...statuses: (string | null)[]): Promise<Chain> {
    const wanted = JSON.stringify(statuses);
    return until(`the venues are ${wanted}`, async () => {
      const chain = await chainOf(bookingId);
      return JSON.stringify(statusesOf(chain)) === wanted ? chain : undefined;
    });
  }

  const answer = async ({ email }: Venue | undefined = { email: '', placeId: '' }, what: string) => {
    const offer = what === 'offer' ? { offer_date: '2026-11-20', offer_time: '20:15' } : {};
    return tap(service, await linkIn(smtp, email, 0), { answer: what, ...offer });
  };

  const mailsTo = ({ email }: Venue | undefined = { email: '', placeId: '' }) =>
    smtp.mails.filter(({ to }) => to.includes(email));

  /** The webhooks of a booking, as they are queued. */
  function webhooksOf(bookingId: string | null | undefined) {
    return pool<{ event: string; choice: { choice_id: string; position: number; venues: number } | null }[]>`
      select event, data->'choice' as choice from webhook_delivery where booking_id = ${bookingId ?? null} order by number`;
  }

  test('the next venue is asked after a no, and each step is reported with the choice and the position', async () => {
    const { venues, bookingId } = await choose(3);
    assert.deepEqual(statusesOf(await chainOf(bookingId)), ['asking', null, null]);
    await answer(venues[0], 'no');
    const chain = await untilChain(bookingId, 'declined', 'asking', null);
    assert.deepEqual([chain.position, chain.over], [1, false]);
    await answer(venues[1], 'yes');
    const { venues: all, over, choice_id } = await untilChain(bookingId, 'declined', 'confirmed', null);
    assert.equal(over, true);
    const second = all[1]?.booking_id;
    const hooks = await webhooksOf(second);
    assert.deepEqual(
      hooks.map(({ event, choice }) => [event, choice]),
      ['sent', 'asking', 'confirmed'].map((event) => [event, { choice_id, position: 2, venues: 3 }]),
    );
    assert.equal(mailsTo(venues[2]).length, 0);
    // The request of the second venue is for the same guest and table.
    assert.match(mailsTo(venues[1])[0]?.text ?? '', /Guest Example/);
  });

  test('after silence the next venue is asked too, and the first yes wins, whoever says it', async () => {
    const { venues, bookingId } = await choose(3, { answer_within_minutes: 20 });
    await pass(service, 19);
    assert.deepEqual(statusesOf(await chainOf(bookingId)), ['asking', null, null]);
    await pass(service, 2);
    await untilChain(bookingId, 'asking', 'asking', null);
    await answer(venues[0], 'yes');
    await untilChain(bookingId, 'confirmed', 'cancelled', null);
    const told = await until('the second venue is told', () => mailsTo(venues[1])[1]);
    assert.match(told.text.replaceAll(/=?\r\n/g, ' '), /No longer wanted/);
    const page = await service.request(await linkIn(smtp, venues[1]?.email ?? '', 0), {
      headers: { accept: 'text/html' },
    });
    assert.match(await page.text(), /This table is no longer wanted/);
  });

  test('a late yes after another venue confirmed is answered politely and changes nothing, also the second time', async () => {
    const { venues, bookingId } = await choose(2, { answer_within_minutes: 20 });
    await pass(service, 21);
    await untilChain(bookingId, 'asking', 'asking');
    const link = await linkIn(smtp, venues[0]?.email ?? '', 0);
    await answer(venues[1], 'yes');
    for (let time = 0; time < 2; time++) {
      const page = await tap(service, link, { answer: 'yes' });
      assert.ok(page.status < 500, String(page.status));
      assert.equal((await partner.status(bookingId)).status, 'cancelled');
    }
    await untilChain(bookingId, 'cancelled', 'confirmed');
    const { reason, timeline } = await partner.status(bookingId);
    assert.equal(reason, 'other_venue_confirmed');
    assert.ok(timeline.filter(({ event }) => event === 'late_answer').length <= 1);
    await until('the first venue is told', () => mailsTo(venues[0])[1]);
  });

  test('of two venues that say yes at the same moment one has the table', async () => {
    for (let round = 0; round < 6; round++) {
      const { venues, bookingId } = await choose(2, { answer_within_minutes: 5, time: `12:0${round}` });
      await pass(service, 6);
      const { venues: asked } = await untilChain(bookingId, 'asking', 'asking');
      for (const { email } of venues) await linkIn(smtp, email, 0);
      const pages = await Promise.all(venues.map((one) => answer(one, 'yes')));
      for (const { status } of pages) assert.ok(status < 500, String(status));
      await until('one has the table', async () => {
        const statuses = statusesOf(await chainOf(bookingId));
        return [...statuses].sort().join() === 'cancelled,confirmed';
      });
      const confirmed = await pool`
        select 1 from webhook_delivery
        where booking_id = any(${asked.flatMap(({ booking_id }) => booking_id ?? [])}::text[]) and event = 'confirmed'`;
      assert.equal(confirmed.length, 1);
    }
  });

  test('venues that never answer end one by one, and the choice with them', async () => {
    const { bookingId } = await choose(2, { answer_within_minutes: 10 });
    await pass(service, 11);
    await untilChain(bookingId, 'asking', 'asking');
    await pass(service, 5 * 60);
    const chain = await untilChain(bookingId, 'no_answer', 'no_answer');
    assert.equal(chain.over, true);
  });

  test('an offer keeps the next venue waiting until it is declined', async () => {
    const { venues, bookingId } = await choose(2, { answer_within_minutes: 5 });
    assert.equal(
      await refusedCode(partner, 'modify_booking', { booking_id: bookingId, decline_offer: true }),
      'invalid_move',
    );
    await answer(venues[0], 'offer');
    await pass(service, 60);
    assert.deepEqual(statusesOf(await chainOf(bookingId)), ['offered', null]);
    const declined = await partner.call<Chosen>('modify_booking', {
      booking_id: bookingId,
      decline_offer: true,
    });
    assert.deepEqual([declined.status, declined.reason], ['cancelled', 'offer_declined']);
    await untilChain(bookingId, 'cancelled', 'asking');
    await until('the venue knows', () => mailsTo(venues[0])[1]);
  });

  test('an accepted offer is the table of the choice', async () => {
    const { venues, bookingId } = await choose(2);
    await answer(venues[0], 'offer');
    const { offer } = await partner.untilStatus(bookingId, 'offered');
    await partner.call('modify_booking', { booking_id: bookingId, accept_offer: offer?.offer_id });
    const chain = await untilChain(bookingId, 'confirmed', null);
    assert.equal(chain.over, true);
    await pass(service, 60);
    assert.equal(mailsTo(venues[1]).length, 0);
  });

  test('without a choice a declined offer ends the request', async () => {
    const one = await venue();
    const bookingId = await partner.request(one.placeId);
    await answer(one, 'offer');
    await partner.untilStatus(bookingId, 'offered');
    await partner.call('modify_booking', { booking_id: bookingId, decline_offer: true });
    const { status, choice } = (await partner.status(bookingId)) as Chosen;
    assert.deepEqual([status, choice], ['cancelled', null]);
  });

  test('cancelling any booking of the choice cancels what is open and asks nobody further', async () => {
    for (const by of [0, 1]) {
      const { venues, bookingId } = await choose(3);
      await answer(venues[0], 'no');
      const { venues: all } = await untilChain(bookingId, 'declined', 'asking', null);
      const cancelled = await partner.call<Chosen>('cancel_booking', { booking_id: all[by]?.booking_id });
      assert.equal(cancelled.choice?.over, true);
      const chain = await untilChain(bookingId, 'declined', 'cancelled', null);
      assert.equal(chain.over, true);
      await until('the venue is told', () => mailsTo(venues[1])[1]);
      await pass(service, 60);
      await until('nothing is due', async () => (await dueJobs()) === 0);
      assert.equal(mailsTo(venues[2]).length, 0);
      // Twice is not an error, and changes nothing.
      await partner.call('cancel_booking', { booking_id: all[1]?.booking_id });
    }
  });

  async function dueJobs(): Promise<number> {
    const [row] = await pool<{ count: number }[]>`
      select count(*)::int as count from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where j.run_at <= now() and t.identifier in ('advance_choice','advance_booking')`;
    return row?.count ?? 0;
  }

  test('a venue that takes back its yes has no table, and after its no the next one is asked', async () => {
    const { venues, bookingId } = await choose(3, { answer_within_minutes: 20 });
    await pass(service, 21);
    await untilChain(bookingId, 'asking', 'asking', null);
    await answer(venues[0], 'yes');
    await untilChain(bookingId, 'confirmed', 'cancelled', null);
    await tap(service, await linkIn(smtp, venues[0]?.email ?? '', 0), {}, '/undo');
    await answer(venues[0], 'no');
    await untilChain(bookingId, 'declined', 'cancelled', 'asking');
  });

  test('a table that the venue cancels later ends the choice', async () => {
    const { venues, bookingId } = await choose(2);
    await answer(venues[0], 'yes');
    const link = await linkIn(smtp, venues[0]?.email ?? '', 0);
    await pass(service, 3);
    await tap(service, link, { answer: 'cancel', revision: '1' });
    const { over } = await untilChain(bookingId, 'cancelled', null);
    assert.equal(over, true);
    assert.equal((await partner.status(bookingId)).reason, 'venue_cancelled');
  });

  test('every venue is checked before the first is asked, and a refusal says which one', async () => {
    const [a, b] = [await venue(), await venue()];
    await pool`update place set booking_method = 'not_through', chosen_by_venue = true where id = ${b.placeId}`;
    const table = {
      place_id: a.placeId,
      date: '2026-11-20',
      time: '19:30',
      party_size: 2,
      guest_name: 'Anna',
    };
    const { code, text } = await refused(partner, 'request_table', { ...table, alternatives: [b.placeId] });
    assert.equal(code, 'venue_opted_out');
    assert.ok(text.includes(`Alternative 1, ${b.placeId}`), text);
    const c = await venue();
    for (const [alternatives, more] of [
      [[a.placeId], {}],
      [[c.placeId, c.placeId], {}],
      [Array.from({ length: 6 }, (_, nth) => `plc_${nth}`), {}],
      [['plc_rehearsal_yes'], {}],
      [[c.placeId], { answer_within_minutes: 4 }],
      [undefined, { answer_within_minutes: 30 }],
    ] as const)
      assert.equal(
        await refusedCode(partner, 'request_table', { ...table, alternatives, ...more }),
        'validation_failed',
        JSON.stringify(alternatives),
      );
    const [stored] = await pool`
      select from booking_choice c where place_ids && ${[a.placeId, b.placeId, c.placeId]}::text[]`;
    assert.equal(stored, undefined);
    const dry = await partner.call<{ choice_id: string | null }>('request_table', {
      ...table,
      alternatives: [c.placeId],
      dry_run: true,
    });
    assert.equal(dry.choice_id, null);
  });

  test('without enabled bookings rehearsal venues lead to rehearsal venues only', async () => {
    const fresh = await AskingPartner.addNew(service);
    const table = { date: '2026-11-20', time: '19:30', party_size: 2, guest_name: 'Anna' };
    const real = { ...table, place_id: 'plc_rehearsal_no', alternatives: [(await venue()).placeId] };
    assert.equal(await refusedCode(fresh, 'request_table', real), 'validation_failed');
    const bookingId = await fresh.request('plc_rehearsal_no', { alternatives: ['plc_rehearsal_yes'] });
    await until('the first rehearses its no, the second its yes', async () => {
      await pass(service, 1);
      const { choice } = (await fresh.status(bookingId)) as Chosen;
      return choice !== null && statusesOf(choice).join() === 'declined,confirmed';
    });
  });

  test('a venue that cannot be asked when its turn comes is passed over', async () => {
    const { venues, bookingId } = await choose(3);
    await pool`
      update place set booking_method = 'not_through', chosen_by_venue = true where id = ${venues[1]?.placeId ?? ''}`;
    await answer(venues[0], 'no');
    const chain = await untilChain(bookingId, 'declined', null, 'asking');
    assert.equal(chain.venues[1]?.refusal, 'venue_opted_out');
    assert.equal(mailsTo(venues[1]).length, 0);
  });

  test('while bookings are halted no further venue is asked', async () => {
    const { venues, bookingId } = await choose(2, { answer_within_minutes: 10 });
    const { id: staffId } = await addTestStaff(service, 'lead');
    const flip = (on: boolean) => flipSwitch(service.app.deps, { on, reason: 'a test', staffId });
    await flip(true);
    await pass(service, 30);
    await answer(venues[0], 'no');
    await until('nothing is due', async () => (await dueJobs()) === 0);
    assert.deepEqual(statusesOf(await chainOf(bookingId)), ['declined', null]);
    await flip(false);
    await untilChain(bookingId, 'declined', 'asking');
  });

  test('a repeated call makes one choice, and a job that was lost or runs twice asks each venue once', async () => {
    const [a, b] = [await venue(), await venue()];
    const call = () =>
      partner.call<{ booking_id: string; choice_id: string }>('request_table', {
        place_id: a.placeId,
        date: '2026-11-20',
        time: '19:30',
        party_size: 4,
        guest_name: 'Guest Example',
        alternatives: [b.placeId],
        idempotency_key: `choice-${a.placeId}`,
      });
    const [once, twice] = [await call(), await call()];
    assert.deepEqual(twice, once);
    await partner.untilStatus(once.booking_id, 'asking');
    await answer(a, 'no');
    await pool`delete from graphile_worker._private_jobs where key = ${`choice/${once.choice_id}`}`;
    await requeueLostBookings(pool, service.clock.now());
    const { deps } = service.app;
    const { signal } = new AbortController();
    const run = () =>
      advanceChoice.run({ deps, inTransaction: transactionsOf(pool), signal }, { choice_id: once.choice_id });
    await Promise.all([run(), run(), run()]);
    await untilChain(once.booking_id, 'declined', 'asking');
    assert.equal(mailsTo(b).length, 1);
  });

  test('the database itself lets one booking of a choice have a table', async () => {
    const { bookingId } = await choose(2, { answer_within_minutes: 5 });
    await pass(service, 6);
    const { venues: all } = await untilChain(bookingId, 'asking', 'asking');
    const ids = all.flatMap(({ booking_id }) => booking_id ?? []);
    const both = pool.begin((tx) =>
      tx`update booking set held = '{}' where id = any(${ids}::text[])`.then(() => undefined),
    );
    const thrown: unknown = await both.then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.equal(violatedConstraint(thrown), 'booking_choice_one_table');
  });
});
