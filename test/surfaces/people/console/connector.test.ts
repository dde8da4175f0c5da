import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findConnector } from '../../../../src/bookings/booking-server/venue-connector.ts';
import { addVenue } from '../../../bookings/asking-partner.ts';
import { startVenueServer } from '../../../bookings/booking-server/venue-server.ts';
import { noCertificates } from '../../../harness/service/https-server.ts';
import { startTestService } from '../../../harness/service/service.ts';
import { signInStaff } from '../../../harness/people/staff.ts';

describe("setting up a venue's booking system", { skip: noCertificates }, async () => {
  const venue = await startVenueServer();
  const service = await startTestService({ settings: { EGRESS_ALLOW: venue.pair } });
  const lead = await signInStaff(service, 'lead');
  const placeId = await addVenue(service);
  const page = `/console/places/${placeId}`;
  const fields = {
    base_url: venue.url,
    merchant_id: 'm-1',
    service_id: 's-1',
    username: 'waypost',
    password: 'a secret of the venue',
    duration_minutes: '105',
    accepts_desk_contact: 'yes',
    enabled: 'yes',
  };
  const save = (change: Record<string, string> = {}) =>
    lead.post(`${page}/connector`, { ...fields, ...change }, page);
  const held = () => findConnector(service.database.pool, placeId);

  test('impossible input is refused, and nothing is stored', async () => {
    const faulty: Record<string, string>[] = [
      { base_url: '' },
      { base_url: 'ftp://venue.example' },
      { base_url: 'https://127.0.0.1:1' },
      { base_url: 'https://localhost' },
      { merchant_id: '' },
      { username: 'a:b' },
      { password: '' },
      { duration_minutes: '0' },
      { duration_minutes: 'long' },
      { accepts_desk_contact: 'perhaps' },
    ];
    for (const change of faulty) {
      const response = await save(change);
      assert.equal(response.status, 422, JSON.stringify(change));
      assert.ok(!(await response.text()).includes(fields.password));
    }
    assert.equal(await held(), undefined);
    const desk = await signInStaff(service, 'desk');
    assert.equal((await desk.post(`${page}/connector`, fields, page)).status, 403);
  });

  test('it is saved with its password sealed and never shown, tried, changed and removed', async () => {
    assert.equal((await save()).status, 303);
    assert.deepEqual(await held(), {
      baseUrl: venue.url,
      merchantId: 'm-1',
      serviceId: 's-1',
      username: 'waypost',
      durationSec: 6300,
      acceptsDeskContact: true,
      enabled: true,
    });
    assert.ok(!(await (await lead.get(page)).text()).includes(fields.password));
    const tried = await (await lead.post(`${page}/connector/check`, {}, page)).text();
    assert.match(tried, /The venue&#39;s system answers/);
    assert.match(venue.calls.at(-1)?.authorization ?? '', /^Basic /);
    assert.equal((await save({ password: '', enabled: 'no' })).status, 303);
    assert.equal((await held())?.enabled, false);
    assert.equal((await lead.post(`${page}/connector/remove`, {}, page)).status, 303);
    assert.equal(await held(), undefined);
    const lines = await service.database.pool`
      select operation, detail from audit_log where subject = ${placeId} order by sequence`;
    assert.deepEqual(
      lines.map((line) => String(line['operation'])),
      ['set_connector', 'set_connector', 'remove_connector'],
    );
    assert.ok(!JSON.stringify(lines).includes('secret'));
  });
});
