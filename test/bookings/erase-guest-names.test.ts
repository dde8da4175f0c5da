import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseGuestNames } from '../../src/bookings/maintenance/erase-guest-names.ts';
import { transactionsOf, violatedConstraint } from '../../src/core/postgres/db.ts';
import { startTestService } from '../harness/service/service.ts';
import { AskingPartner, addVenue } from './asking-partner.ts';
import { DAY_MS } from '../../src/core/time.ts';

test('thirty days after its date nobody can read for whom a table was, anywhere', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  const place = await addVenue(service, { phone: '+62361123456' });
  const id = await partner.request(place, { guest_name: 'Xanthippe Quellmann', notes: 'For Xanthippe.' });
  await partner.untilStatus(id, 'asking');
  const tableAt = Date.parse('2026-11-20T11:30:00Z');
  await eraseGuestNames(transactionsOf(pool), new Date(tableAt + 30 * DAY_MS));
  assert.equal(await mentions(), true);
  await eraseGuestNames(transactionsOf(pool), new Date(tableAt + 30 * DAY_MS + 1));
  assert.equal(await mentions(), false);
  const [row] = await pool`select guest_name, notes from booking where id = ${id}`;
  assert.deepEqual({ ...row }, { guest_name: 'guest', notes: null });

  async function mentions(): Promise<boolean> {
    const tables = await pool<{ name: string }[]>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const [hit] = await pool.unsafe(
        `select from ${name} t where to_jsonb(t)::text ilike '%xanthippe%' limit 1`,
      );
      if (hit !== undefined) return true;
    }
    return false;
  }
});

test('the database itself takes no contact in a name, a note or a reason', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const partner = await AskingPartner.add(service);
  const id = await partner.request(await addVenue(service));
  for (const column of ['guest_name', 'notes', 'reason'])
    for (const contact of ['a@b.example', '0812 345-6789', 'https://x.example', 'see www.x.example']) {
      const refused = await pool
        .unsafe(`update booking set ${column} = $1 where id = $2`, [contact, id])
        .then(() => 'nothing')
        .catch((thrown: unknown) => violatedConstraint(thrown) ?? 'another error');
      assert.equal(refused, `booking_${column}_no_contact`, contact);
    }
});
