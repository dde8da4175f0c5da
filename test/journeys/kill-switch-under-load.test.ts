import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flipSwitch } from '../harness/service/kill-switch.ts';
import { AskingPartner, addVenue } from '../bookings/asking-partner.ts';
import { until } from '../harness/service/jobs.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { startTestService } from '../harness/service/service.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { tries } from '../harness/tier.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';

// Two nodes ask venues by mail as fast as they can while somebody throws the switch again and again.
const FLIPS = tries({ quick: 2, long: 20 });
const VENUES = 2 * FLIPS;
const WRITERS = 4;

const smtp = await startSmtp();
const settings = {
  SMTP_URL: smtp.url,
  MAIL_FROM: 'desk@waypost.example',
  BOOKING_WRITES_PER_MINUTE: '100000',
  BOOKING_WRITES_PER_DAY: '100000',
  BOOKING_READS_PER_MINUTE: '100000',
  VENUE_ASKS_PER_DAY: '100000',
  VENUE_OPEN_ASKS: '100000',
};
const first = await startTestService({ settings });
const second = await startTestService({ settings, database: first.database });
const partner = await AskingPartner.add(first);
const { id: staffId } = await addTestStaff(first, 'lead');
const venues: string[] = [];
for (let at = 0; at < VENUES; at++)
  venues.push(await addVenue(first, { name: `Warung ${at}`, email: `v${at}@venue.example`, gather: 0 }));

/** Since when the switch is on, once that has committed; undefined while nothing is promised. */
let haltedSince: number | undefined;
const mailsWhileHalted: number[] = [];
let mails = 0;
// A mail counts when its sender begins to hand it over, and once more when it was taken.
smtp.refuse = () => {
  if (haltedSince !== undefined) mailsWhileHalted.push(performance.now() - haltedSince);
  return undefined;
};
smtp.taken = () => {
  mails++;
  if (haltedSince !== undefined) mailsWhileHalted.push(performance.now() - haltedSince);
  return new Promise((resolve) => setTimeout(resolve, 5));
};

test(`of ${FLIPS} flips with two nodes at work, no mail leaves after one has committed`, async () => {
  const writing = { over: false, requested: 0, halted: 0 };
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writing, writer));
  for (let flip = 0; flip < FLIPS; flip++) {
    const [from, to] = flip % 2 === 0 ? [first, second] : [second, first];
    const before = mails;
    await until('mails leave', () => mails >= before + 5);
    const on = await flipSwitch(from.app.deps, { on: true, reason: `Flip ${flip}`, staffId });
    haltedSince = performance.now();
    assert.notEqual(on, undefined);
    const refusedBefore = writing.halted;
    await until('requests are refused', () => writing.halted >= refusedBefore + WRITERS);
    haltedSince = undefined;
    await flipSwitch(to.app.deps, { on: false, reason: 'It goes on.', staffId });
  }
  writing.over = true;
  await Promise.all(writers);
  assert.deepEqual(mailsWhileHalted, []);
  assert.ok(writing.requested > FLIPS && mails > FLIPS * 5);
  const [left] = await first.database.pool<{ count: number }[]>`
    select count(*)::int as count from booking where frozen_at is not null`;
  assert.equal(left?.count, 0);
  // The database belongs to the first node, so the second goes before it.
  await second.close();
});

async function write(
  writing: { over: boolean; requested: number; halted: number },
  writer: number,
): Promise<void> {
  for (let at = 0; !writing.over; at++) {
    const node = (at + writer) % 2 === 0 ? first : second;
    const input = {
      place_id: venues[(at * WRITERS + writer) % VENUES],
      date: '2026-11-20',
      time: '19:30',
      party_size: 2,
      guest_name: `Guest ${String.fromCharCode(97 + writer)} ${words(at)}`,
    };
    const message = { id: 1, method: 'tools/call', params: { name: 'request_table', arguments: input } };
    const { body } = await rpc(node, '/api/concierge/mcp', message, partner.partner.headers);
    const text = JSON.stringify(body);
    if (text.includes('"bookings_halted"')) {
      writing.halted++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    } else if (text.includes('"code":"maintenance"')) {
      // A busy database did not answer in time; the partner asks again with the next request.
      await new Promise((resolve) => setTimeout(resolve, 20));
    } else {
      assert.match(text, /"state":"requested"/);
      writing.requested++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** A number in letters: names with long numbers are refused. */
function words(number: number): string {
  return Array.from(String(number), (digit) => 'abcdefghij'[Number(digit)] ?? '').join('');
}
