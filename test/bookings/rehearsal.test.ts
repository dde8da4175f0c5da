import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '../callbacks/receiver.ts';
import { callTool } from '../harness/clients/call-tool.ts';
import { PARTNER_MCP } from '../harness/people/partner.ts';
import { passTime, until } from '../harness/service/jobs.ts';
import { signUpAgent, startTestService } from '../harness/service/service.ts';
import { refused, refusedCode } from '../surfaces/concierge/refused.ts';
import { addVenue, AskingPartner } from './asking-partner.ts';

const receiver = await startReceiver();
const service = await startTestService({ settings: { EGRESS_ALLOW: receiver.pair } });
const { pool } = service.database;
service.clock.advance(Date.now() - service.clock.now().getTime());
const TOMORROW = new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
const partner = await AskingPartner.addNew(service);
const { secret } = await partner.call<{ secret: string }>('set_webhook', { url: receiver.url });

interface Found {
  places: { place_id: string; name: string; guidance: string }[];
}

const TABLE = { date: TOMORROW, time: '19:30', party_size: 2, guest_name: 'Guest Example' };

function request(part: string, change: Record<string, unknown> = {}): Promise<string> {
  return partner.request(`plc_rehearsal_${part}`, { ...TABLE, ...change });
}

/** The events that arrived for a booking, each with a valid signature. */
function eventsOf(bookingId: string): { event: string; rehearsal: unknown }[] {
  return receiver.received
    .map(({ body, headers }) => {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return JSON.parse(body) as { event: string; data: { booking_id: string; rehearsal?: true } };
    })
    .filter(({ data }) => data.booking_id === bookingId)
    .map(({ event, data }) => ({ event, rehearsal: data.rehearsal }));
}

/**
 * Waits for the first events of a booking. Whenever its venue has something to do later, that time passes; on a slow
 * machine it may have passed already.
 */
async function untilEvents(bookingId: string, ...expected: string[]): Promise<void> {
  await until(`${bookingId}: ${expected.join(', ')}`, async () => {
    if (eventsOf(bookingId).length >= expected.length) return true;
    const [later] = await pool`
      select 1 from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'rehearse' and payload->>'booking_id' = ${bookingId} and locked_at is null
        and run_at > now()`;
    if (later !== undefined) await passTime(service, 10_000);
    return false;
  });
  assert.deepEqual(
    eventsOf(bookingId).slice(0, expected.length),
    expected.map((event) => ({ event, rehearsal: true })),
  );
}

test('rehearsal venues are found only by search_places with rehearsal', async () => {
  const search = (input: object) =>
    callTool<Found>(
      service,
      PARTNER_MCP,
      'search_places',
      { destination: 'bali', ...input },
      partner.partner.headers,
    );
  const { places } = await search({ rehearsal: true });
  assert.deepEqual(
    places.map(({ place_id }) => place_id.replace('plc_rehearsal_', '')),
    ['yes', 'no', 'offer', 'cancels', 'silent', 'twice', 'full', 'closed'],
  );
  assert.deepEqual((await search({ query: 'rehearsal' })).places, []);
  const agent = { authorization: `Bearer ${(await signUpAgent(service)).apiKey}` };
  for (const [path, headers] of [
    ['/p/plc_rehearsal_yes', { accept: 'text/html' }],
    ['/api/agent/business/plc_rehearsal_yes', agent],
  ] as const)
    assert.equal((await service.request(path, { headers })).status, 404, path);
});

test('each plays its part, before bookings are enabled, and every move is a signed webhook', async () => {
  const [yes, no, offer, cancels, twice] = (await Promise.all(
    ['yes', 'no', 'offer', 'cancels', 'twice'].map((part) => request(part)),
  )) as [string, string, string, string, string];
  await untilEvents(yes, 'sent', 'asking', 'confirmed');
  await untilEvents(no, 'sent', 'asking', 'declined');
  await untilEvents(offer, 'sent', 'asking', 'offered');
  await untilEvents(cancels, 'sent', 'asking', 'confirmed', 'cancelled');
  await untilEvents(twice, 'sent', 'asking', 'confirmed', 'asking', 'declined');
  assert.equal((await partner.status(cancels)).reason, 'venue_cancelled');

  const offered = await partner.status(offer);
  assert.equal(offered.offer?.time, '20:15');
  await partner.call('modify_booking', { booking_id: offer, accept_offer: offered.offer.offer_id });
  await untilEvents(offer, 'sent', 'asking', 'offered', 'confirmed');

  await partner.call('modify_booking', { booking_id: yes, party_size: 3 });
  await untilEvents(yes, 'sent', 'asking', 'confirmed', 'asking', 'confirmed');
  await partner.call('cancel_booking', { booking_id: yes });
  await untilEvents(yes, 'sent', 'asking', 'confirmed', 'asking', 'confirmed', 'cancelled');
});

test('a full venue has a table for a guest who waits, ten seconds after its no', async () => {
  const id = await request('full', { wait_until: `${TOMORROW}T18:00:00Z` });
  await untilEvents(id, 'sent', 'asking', 'asking');
  await untilEvents(id, 'sent', 'asking', 'asking', 'offered');
  const { offer } = await partner.status(id);
  await partner.call('modify_booking', { booking_id: id, accept_offer: offer?.offer_id });
  await untilEvents(id, 'sent', 'asking', 'asking', 'offered', 'confirmed');
  const without = await request('full', { time: '20:30' });
  await untilEvents(without, 'sent', 'asking', 'declined');
});

test('a silent venue is given up after two minutes, and a closed one refuses', async () => {
  const silent = await request('silent');
  await partner.untilStatus(silent, 'asking');
  await passTime(service, 130_000);
  await untilEvents(silent, 'sent', 'asking', 'no_answer');
  const closed = await refused(partner, 'request_table', { ...TABLE, place_id: 'plc_rehearsal_closed' });
  assert.equal(closed.code, 'place_closed');
});

test('rehearsals count nowhere: no limit per venue, no desk, no usage', async () => {
  for (let hour = 10; hour < 16; hour++) await request('silent', { time: `${hour}:00` });
  const [count] = await pool`select count(*)::int as desk from venue_ask where channel = 'desk'`;
  assert.equal(count?.['desk'], 0);
  const usage = await service.request('/api/partner/usage', { headers: partner.partner.headers });
  assert.equal(((await usage.json()) as { bookings: { originated: number } }).bookings.originated, 0);
});

test('real venues stay closed to a partner without bookings, and rehearsal venues to members', async () => {
  const placeId = await addVenue(service, { phone: '+62361123456' });
  assert.equal(
    await refusedCode(partner, 'request_table', { ...TABLE, place_id: placeId }),
    'bookings_not_enabled',
  );
  const { guest_name: _, ...table } = TABLE;
  const input = { ...table, place_id: 'plc_rehearsal_yes', member_id: 'mem_01kdtqb00071qz6sbs7e2vkqza' };
  assert.equal(await refusedCode(partner, 'request_table', input), 'validation_failed');
  const other = await AskingPartner.addNew(service);
  const mine = await request('yes', { time: '12:00' });
  assert.equal(
    await refusedCode(other, 'modify_booking', { booking_id: mine, time: '13:00' }),
    'booking_not_found',
  );
});
