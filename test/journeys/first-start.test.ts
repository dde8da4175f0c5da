import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/clock.ts';
import { buildSampleStreets, loadSample } from '../../src/demo/load-sample.ts';
import { builtAt } from '../../src/streets/build/build-streets.ts';
import { venueContacts } from '../../src/venue/contact.ts';
import { AskingPartner } from '../bookings/asking-partner.ts';
import { until } from '../harness/service/jobs.ts';
import { startTestService } from '../harness/service/service.ts';
import { importAt } from '../import/import-directory.ts';
import { sharedFile } from '../import/shared-data.ts';
import { refused } from '../surfaces/concierge/refused.ts';

const MONACO = sharedFile('osm/monaco.osm.pbf');
const service = await startTestService();
const { pool } = service.database;
await loadSample(pool, { clock: systemClock, progress: () => undefined });

async function restaurant(): Promise<string> {
  const [row] = await pool<{ id: string }[]>`
    select p.id from place p join destination d on d.id = p.destination_id
    where d.slug = 'monaco' and p.vertical = 'restaurant' and p.phone like '+377%' and p.closed_at is null
    order by p.id limit 1`;
  return row?.id ?? assert.fail('Monaco has no restaurant with a number');
}

test('the demonstration has a real city, contacts none of its venues, and an import of the operator ends that', async () => {
  const [{ places } = { places: 0 }] = await pool<{ places: number }[]>`
    select count(*)::int as places from place where source = 'osm'`;
  assert.ok(places > 600, `${places} places`);
  const id = await restaurant();
  const withheld = { messageContacts: [], phone: null, unusable_phone: null, website: null };
  assert.deepEqual(await venueContacts(pool, id), withheld);
  const partner = await AskingPartner.add(service);
  const wanted = { place_id: id, date: '2026-11-20', time: '19:30', party_size: 2, guest_name: 'Guest' };
  assert.equal((await refused(partner, 'request_table', wanted)).code, 'demonstration_place');
  const insert = () => pool`
    insert into claim_code (place_id, channel, contact, browser, requested_from, code_hash, sent_at, expires_at)
    values (${id}, 'sms', '+37798061919', '\\x00', '10.0.0.1', '\\x00', now(), now() + interval '1 minute')`;
  await assert.rejects(insert, /claim_code_not_at_sample_venue|contacts no real venue/);
  await importAt(service.database, MONACO, { now: new Date('2026-11-18T12:00:00Z') });
  assert.notEqual((await venueContacts(pool, id)).phone, null);
});

test('the streets of the real city are built once, beside the service', async () => {
  await pool`update destination set sample = true where slug = 'monaco'`;
  const folder = mkdtempSync(join(tmpdir(), 'waypost-sample-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const log = createLog('silent', { write: () => undefined });
  const worker = await buildSampleStreets(pool, folder, log);
  assert.ok(worker);
  await until('the streets are built', async () => (await builtAt(folder, MONACO)) !== undefined);
  assert.equal(await buildSampleStreets(pool, folder, log), undefined);
});
