import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { PersonExport } from '../../src/commands/privacy/export-person.ts';
import { DAY_MS } from '../../src/core/time.ts';
import { addMadeUpPlace } from '../directory/made-up-place.ts';
import { joinMember, makeTable } from '../harness/people/member.ts';
import { addTestPartner } from '../harness/people/partner.ts';
import { SubmittingAgent } from '../harness/people/submissions.ts';
import { startTestService } from '../harness/service/service.ts';
import { makeBuyer } from '../licensing/buyer.ts';
import { tablesWith } from '../members/database-search.ts';
import { runWaypost } from './run-waypost.ts';

const folder = mkdtempSync(join(tmpdir(), 'waypost-privacy-'));
after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const service = await startTestService();
const { pool } = service.database;
const SETTINGS = { DATABASE_URL: service.database.url, BASE_URL: 'http://localhost:3000' };

let files = 0;
async function exportPerson(...options: string[]): Promise<PersonExport> {
  const file = join(folder, `export-${files++}.json`);
  const { code, error } = await runWaypost(['privacy', 'export', file, ...options], SETTINGS);
  assert.deepEqual([code, error], [0, '']);
  assert.equal(statSync(file).mode & 0o077, 0, 'only its owner may read it');
  return JSON.parse(readFileSync(file, 'utf8')) as PersonExport;
}
const erase = (...options: string[]) => runWaypost(['privacy', 'erase', ...options], SETTINGS);

test('a member gets everything about them, and nothing of it is left after the erasure', async () => {
  const member = await joinMember(service, 'Odalys Quintana');
  const { partnerId } = await addTestPartner(service);
  const placeId = await addMadeUpPlace(pool, service.clock);
  const booking = await makeTable(service, { member, placeId, partnerId });
  const { tables } = await exportPerson('--member', member.email.toUpperCase());
  assert.equal(tables['member']?.[0]?.['display_name'], 'Odalys Quintana');
  assert.deepEqual(
    tables['booking']?.map(({ id }) => id),
    [booking],
  );
  assert.ok((tables['booking_entry']?.length ?? 0) > 0, 'what belongs to a table');
  assert.ok(!JSON.stringify(tables).includes('token_hash'), 'no key and no hash');
  const { code, out, error } = await erase('--member', member.email, '--yes');
  assert.deepEqual([code, error], [0, '']);
  assert.match(out, /What stays:/);
  assert.deepEqual(await tablesWith(pool, member.email, 'Odalys Quintana'), []);
  const again = await erase('--member', member.email, '--yes');
  assert.deepEqual([again.code, again.error.includes('No member has the mailbox')], [1, true]);
});

test('an operator is erased except for what is permanent, its key ends, and its mailbox can sign up again', async () => {
  const agent = await SubmittingAgent.signUp(service);
  const { id } = await agent.business();
  const [row] = await pool<{ operator_email: string }[]>`
    select operator_email from agent where id = ${agent.agentId}`;
  const email = row?.operator_email ?? '';
  const { tables } = await exportPerson('--operator', email);
  assert.deepEqual(
    tables['submission']?.map((one) => one['id']),
    [id],
  );
  assert.ok(tables['audit_log']?.some(({ actor }) => actor === agent.agentId));
  const { code, out, error } = await erase('--operator', email, '--yes');
  assert.deepEqual([code, error], [0, '']);
  assert.match(out, /attribution of published data is permanent/);
  assert.deepEqual(await tablesWith(pool, email), []);
  assert.equal((await agent.get('/api/agent/me')).status, 401);
  const [kept] = await pool<{ agent_id: string }[]>`select agent_id from submission where id = ${id}`;
  assert.equal(kept?.agent_id, agent.agentId);
});

test('an operator whose wallet holds money is not erased', async () => {
  const buyer = await makeBuyer(service, 5_000);
  const [row] = await pool<{ operator_email: string }[]>`
    select operator_email from agent where id = ${buyer.agentId}`;
  const { code, error } = await erase('--operator', row?.operator_email ?? '', '--yes');
  assert.equal(code, 1);
  assert.match(error, /holds 50\.00 USD/);
  assert.equal((await buyer.wallet()).status, 200);
});

test('a partner is erased once its tables are over, with the names of its guests', async () => {
  const partner = await addTestPartner(service);
  const member = await joinMember(service, 'Perpetua Nightingale');
  const placeId = await addMadeUpPlace(pool, service.clock);
  const made = { member, placeId, partnerId: partner.partnerId };
  await makeTable(service, made);
  // A command reads the clock of the machine, not that of the test.
  const coming = await makeTable(service, {
    ...made,
    agoMs: service.clock.now().getTime() - Date.now() - DAY_MS,
  });
  const refused = await erase('--partner', partner.email, '--yes');
  assert.equal(refused.code, 1);
  assert.match(refused.error, /has 1 open or coming tables/);
  await pool`update booking set table_at = ${new Date(service.clock.now().getTime() - DAY_MS)} where id = ${coming}`;
  const { tables } = await exportPerson('--partner', partner.email);
  assert.equal(tables['booking']?.length, 2);
  const { code, error } = await erase('--partner', partner.email, '--yes');
  assert.deepEqual([code, error], [0, '']);
  assert.deepEqual(await tablesWith(pool, partner.email), []);
  const names =
    await pool`select 1 from booking where partner_id = ${partner.partnerId} and guest_name = 'Perpetua Nightingale'`;
  assert.equal(names.length, 0);
  const [account] = await pool<
    { status: string }[]
  >`select status from partner where id = ${partner.partnerId}`;
  assert.equal(account?.status, 'revoked');
  const keys = await pool`select 1 from api_key where partner_id = ${partner.partnerId}`;
  assert.equal(keys.length, 0);
});

test('the contact of a venue is erased with its claim; a published contact is named, not changed', async () => {
  const contact = `host-${randomUUID()}@venue.example`;
  const placeId = await addMadeUpPlace(pool, service.clock, { name: 'Casa Privada' });
  await pool`insert into venue_claim (place_id, channel, contact, claimed_at) values (${placeId}, 'mail', ${contact}, now())`;
  await pool`update place set email = ${contact} where id = ${placeId}`;
  const { tables } = await exportPerson('--venue', contact);
  assert.deepEqual(Object.keys(tables).toSorted(), ['place', 'venue_claim']);
  const { code, out, error } = await erase('--venue', contact, '--yes');
  assert.deepEqual([code, error], [0, '']);
  assert.match(out, /1 listings?, which nobody has claimed any more/);
  assert.match(out, new RegExp(`published contact of Casa Privada \\(${placeId}\\)`));
  assert.deepEqual(await tablesWith(pool, contact), ['place']);
});

test('every export and erasure has an audit row without the contact; wrong options change nothing', async () => {
  const rows = await pool<{ operation: string; detail: { kind: string } }[]>`
    select operation, detail from audit_log where operation like '%personal_data' order by sequence`;
  const erased = rows.filter(({ operation }) => operation === 'erase_personal_data');
  assert.deepEqual(
    erased.map(({ detail }) => detail.kind),
    ['member', 'operator', 'partner', 'venue'],
  );
  const wrong = [
    ['erase', '--member', 'a@b.example'],
    ['erase', '--yes'],
    ['erase', '--yes', '--member', 'a@b.example', '--partner', 'a@b.example'],
    ['erase', '--yes', '--venue', 'not a contact'],
  ];
  for (const args of wrong)
    assert.equal((await runWaypost(['privacy', ...args], SETTINGS)).code, 2, args.join(' '));
  assert.equal((await erase('--yes', '--partner', 'nobody@b.example')).code, 1);
});
