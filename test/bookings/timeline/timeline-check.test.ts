import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkTimelines } from '../../../src/bookings/maintenance/check-timelines.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts';
import { waypostHere } from '../../backup/commands.ts';
import { addTestPartner } from '../../harness/people/partner.ts';
import { signInStaff } from '../../harness/people/staff.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { makeTimelines } from './made-timelines.ts';

async function prepare() {
  const service = await startTestService();
  const { partnerId } = await addTestPartner(service);
  const { pool } = service.database;
  const ids = await makeTimelines(pool, service.app.deps.newId, { partnerId, bookings: 250 });
  const overview = async () => {
    // A session does not outlast the hours that pass here.
    const desk = await signInStaff(service, 'desk');
    const page = await (await desk.get('/console/health')).text();
    const [, card = ''] = /<section[^>]*aria-labelledby="timelines">([^]*?)<\/section>/.exec(page) ?? [];
    return card.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  };
  return { service, ids, overview };
}

/** As the owner of the database can. */
async function changeText({ database }: TestService, id: string | undefined, text: string): Promise<void> {
  await database.pool.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`update booking_entry set text = ${text} where booking_id = ${id ?? ''} and sequence = 2`;
  });
}

describe('the check that runs by itself', async () => {
  const { service, ids, overview } = await prepare();
  const { deps } = service.app;
  const hour = (most = 100) => {
    service.clock.advance(HOUR_MS);
    return checkTimelines(deps, service.clock.now(), most);
  };
  const errors = () => service.logged.filter(({ msg }) => /timelines/.test(String(msg)));

  test('the console says that nobody has checked, while that is so', async () => {
    assert.match(await overview(), /No check has finished yet\./);
  });

  test('goes on every hour where it was, and says when all were looked at', async () => {
    await hour();
    assert.match(
      await overview(),
      /No check has finished yet.*been running since .*: 100 bookings so far, none broken/,
    );
    // Two nodes in the same moment.
    await Promise.all([hour(), checkTimelines(deps, service.clock.now(), 100)]);
    // In the very same moment it counts once; one behind the other, both go on.
    assert.match(await overview(), /: 200 bookings so far|All timelines are intact: 250 bookings/);
    await hour();
    assert.match(await overview(), /All timelines are intact: 250 bookings with 999 entries, checked from/);
    assert.doesNotMatch(await overview(), /been running since|No check has finished/);
    assert.deepEqual(errors(), []);
  });

  test('begins anew a day after it began, and not before', async () => {
    await changeText(service, ids[120], 'Never said.');
    await hour();
    assert.match(await overview(), /All timelines are intact/);
    service.clock.advance(DAY_MS);
    await hour();
    await hour();
    assert.match(await overview(), /All timelines are intact.*200 bookings so far, 1 broken/);
    assert.match(await overview(), new RegExp(`${ids[120] ?? ''}, entry 2: its hash does not match`));
    assert.equal(errors().length, 1, 'whoever watches the log hears of it');
    await hour();
    assert.match(
      await overview(),
      /1 timeline is broken: 250 bookings.*found all timelines intact ended on 14 Nov/,
    );
  });
});

describe('waypost bookings verify', async () => {
  const { service, ids, overview } = await prepare();
  const verify = () => waypostHere(['bookings', 'verify'], { DATABASE_URL: service.database.url });

  test('says how many it looked at, and the console knows of it', async () => {
    const { code, out, error } = await verify();
    assert.deepEqual([code, error], [0, '']);
    assert.match(
      out,
      /Timelines: 100 of 250\n[^]*Timelines: 250 of 250\n250 bookings with 999 entries checked\./,
    );
    assert.match(out, /All timelines are consistent/);
    assert.match(await overview(), /All timelines are intact: 250 bookings with 999 entries/);
  });

  test('names each broken one with its entry, and ends with 1', async () => {
    const broken = [ids[7], ids[249]];
    for (const id of broken) await changeText(service, id, 'Never said.');
    const { code, out, error } = await verify();
    assert.equal(code, 1);
    for (const id of broken)
      assert.match(out, new RegExp(`^  ${id ?? ''}, entry 2: its hash does not match`, 'm'));
    assert.match(out, /250 bookings with 999 entries checked\./);
    assert.equal(error, '2 timelines are broken.\n');
    assert.match(await overview(), /2 timelines are broken/);
  });
});
