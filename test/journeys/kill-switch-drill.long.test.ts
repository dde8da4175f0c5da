import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { drillPassed } from '../../src/bookings/kill-switch/drill-report.ts';
import { AskingPartner, addVenue } from '../bookings/asking-partner.ts';
import { connectVenue, settingsFor } from '../bookings/booking-server/connect-venue.ts';
import { startVenueServer } from '../bookings/booking-server/venue-server.ts';
import { rpc } from '../harness/clients/mcp.ts';
import { addTestStaff } from '../harness/people/staff.ts';
import { runDrill } from '../harness/service/drill.ts';
import { noCertificates } from '../harness/service/https-server.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { startSmtp } from '../messages/smtp-receiver.ts';
import { startPhoneProvider } from '../twilio/phone-provider.ts';

// Two nodes ask 200 venues by mail, text, call and their own systems, all of which take their time, during a drill.
const REQUESTS = 200;
const WRITERS = 8;
const ANSWER_MS = 400;

test(
  'a drill on two nodes at work: nothing reaches a venue after the answer, and all bookings go on',
  { skip: noCertificates },
  async () => {
    const [smtp, provider, venue] = [await startSmtp(), await startPhoneProvider(), await startVenueServer()];
    const settings = {
      ...provider.settings,
      ...settingsFor(venue),
      EGRESS_ALLOW: `${provider.settings['EGRESS_ALLOW'] ?? ''},${venue.pair}`,
      SMTP_URL: smtp.url,
      JOBS_AT_ONCE: '8',
      BOOKING_WRITES_PER_MINUTE: '100000',
      BOOKING_READS_PER_MINUTE: '100000',
    };
    const first = await startTestService({ settings });
    const second = await startTestService({ settings, database: first.database });
    const { pool } = first.database;
    const partner = await AskingPartner.add(first);
    const lead = await addTestStaff(first, 'lead');

    const places: string[] = [];
    for (let n = 0; n < REQUESTS; n++) {
      const name = `Warung ${n}`;
      const phone = `+62812${String(3_000_000 + n)}`;
      if (n % 4 === 0) places.push(await addVenue(first, { name, email: `v${n}@venue.example` }));
      else if (n % 4 === 1) places.push(await addVenue(first, { name, phone }));
      else if (n % 4 === 2) places.push(await addVenue(first, { name, phone, method: 'phone' }));
      else places.push(await connectVenue(first, venue));
    }

    /** When anything reached a receiver or was taken by it, by the clock of this machine, which the database shares. */
    const seen: { by: string; at: number }[] = [];
    const note = (by: string) => seen.push({ by, at: Date.now() });
    smtp.refuse = () => void note('mail');
    smtp.taken = async () => {
      await pause(ANSWER_MS);
      note('mail');
    };
    provider.instead = (response) => {
      note('phone');
      setTimeout(() => {
        note('phone');
        const sid = `SM${String(seen.length).padStart(32, '0')}`;
        response
          .writeHead(201, { 'content-type': 'application/json' })
          .end(JSON.stringify({ sid, status: 'queued' }));
      }, ANSWER_MS);
      return true;
    };
    venue.instead = (_method, response, act) => {
      note('system');
      setTimeout(() => {
        note('system');
        response.writeHead(200, { 'content-type': 'application/json' }).end(act());
      }, ANSWER_MS);
      return true;
    };

    let requested = 0;
    const waiting = places.map((placeId, n) => ({ placeId, n }));
    const write = async (writer: number) => {
      const node = writer % 2 === 0 ? first : second;
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const input = {
          place_id: one.placeId,
          date: '2026-11-20',
          time: '19:30',
          party_size: 2,
          guest_name: 'Guest Example',
          idempotency_key: `request-${one.n}`,
        };
        const message = { id: 1, method: 'tools/call', params: { name: 'request_table', arguments: input } };
        const { body } = await rpc(node, '/api/concierge/mcp', message, partner.partner.headers);
        // On a busy machine a call may also fail for a moment; it is repeated with its key.
        if (body.result === undefined || JSON.stringify(body).includes('"bookings_halted"')) {
          waiting.push(one);
          await pause(50);
        } else {
          assert.notEqual(body.result['isError'], true, JSON.stringify(body));
          requested++;
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await until(
      'most are requested and venues are being asked',
      () => requested >= REQUESTS / 2 && seen.length > 20,
    );
    let answeredAt = 0;
    const drill = await runDrill(first, lead.id, {
      say: (line) => {
        if (line.startsWith('All bookings are halted')) answeredAt = Date.now();
      },
    });
    await Promise.all(writers);

    assert.ok(drillPassed(drill), JSON.stringify(drill));
    assert.ok((drill.inFlight ?? 0) > 0 && (drill.frozen ?? 0) > 0, 'there was something to halt');
    assert.ok(drill.lastAt !== null && drill.answeredAt !== null && drill.lastAt <= drill.answeredAt);
    const resumedAt = drill.resumedAt?.getTime() ?? 0;
    assert.deepEqual(
      seen.filter(({ at }) => at > answeredAt && at < resumedAt),
      [],
      'no receiver has seen anything',
    );
    const flips = await pool<{ actor: string; on: boolean }[]>`
    select actor, (detail->>'on')::boolean as on from audit_log where operation = 'flip_kill_switch' order by sequence`;
    assert.deepEqual(
      [...flips],
      [true, false].map((on) => ({ actor: lead.id, on })),
    );

    await until('every venue was asked', async () => {
      const [row] = await pool<{ count: number }[]>`
      select count(*)::int as count from booking where status in ('asking','confirmed')`;
      return row?.count === REQUESTS;
    });
    for (const by of ['mail', 'phone', 'system'])
      assert.ok(
        seen.some((one) => one.by === by && one.at > resumedAt),
        `${by} goes on`,
      );
    // The database belongs to the first node, so the second goes before it.
    await second.close();
  },
);
