import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { createNewId } from '../../src/core/ids.ts';
import { createTestDatabase } from '../harness/service/database.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATION = '0019_whose_word.sql';
const NOW = '2026-11-14T12:00:00Z';

const database = await createTestDatabase('template0');
const { pool } = database;
after(() => database.drop());
const newId = createNewId({ now: () => new Date(NOW) });
const agentId = newId('agt');
const staffId = newId('stf');

/** A database as an installation has it that was not upgraded yet. */
async function migrateUntil(name: string): Promise<void> {
  const files = (await readdir(FOLDER)).filter((file) => file < name).sort();
  for (const file of files) await pool.unsafe(await readFile(new URL(file, FOLDER), 'utf8'));
  await pool`
    insert into destination (id, slug, name, country, timezone, lat, lng, west, south, east, north)
    values (${newId('dst')}, 'bali', 'Bali', 'ID', 'Asia/Makassar', -8, 115, 114, -9, 116, -8)`;
  await pool`
    insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at)
    values (${agentId}, 'Agent', 'Operator', 'operator@operator.example', 'To have submitted before.', ${NOW})`;
  await pool`
    insert into staff (id, email, role, password_hash, must_change_password, created_at)
    values (${staffId}, 'a@staff.example', 'reviewer', 'none', false, ${NOW})`;
}

async function addPlace(fields: Record<string, unknown>, origins: Record<string, string>): Promise<string> {
  const id = newId('plc');
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref, origins)
    select ${id}, id, 'Warung', 'restaurant', 'restaurant', 'ID', lat, lng, 'osm', ${id}, ${pool.json(origins)}
    from destination`;
  await pool`update place set ${pool(fields)} where id = ${id}`;
  return id;
}

/** A live submission of a business, approved by a person. */
async function addSubmission(placeId: string | null, content: Record<string, string>): Promise<string> {
  const id = newId('sub');
  await pool.begin(async (tx) => {
    await tx`
      insert into submission (id, kind, agent_id, agent_name, operator_name, place_id, created_at, updated_at)
      values (${id}, 'business', ${agentId}, 'Agent', 'Operator', ${placeId}, ${NOW}, ${NOW})`;
    await tx`
      insert into submission_revision (submission_id, revision, content, submitted_at)
      values (${id}, 1, ${tx.json(content)}, ${NOW})`;
    await tx`
      insert into submission_decision (submission_id, revision, decision, decided_by, decided_at)
      values (${id}, 1, 'approved', ${staffId}, ${NOW})`;
    await tx`
      update submission set status = 'approved', live_revision = ${placeId === null ? null : 1}, reviewed_at = ${NOW}
      where id = ${id}`;
  });
  return id;
}

async function readPlace(id: string): Promise<Record<string, unknown>> {
  const [place] =
    await pool`select origins, published, hours->>'source' as hours from place where id = ${id}`;
  assert.ok(place);
  return place;
}

async function sendCode(placeId: string, channel: string, contact: string): Promise<void> {
  await pool`insert into claim_code (place_id, channel, contact) values (${placeId}, ${channel}, ${contact})`;
}

await migrateUntil(MIGRATION);

test('an upgrade gives back what can be known of whose word a field is', async () => {
  const other = newId('sub');
  const replaced = await addPlace(
    { email: 'new@agent.example', phone: '+62361555111', website: 'https://agent.example/' },
    { email: other, phone: other, website: other },
  );
  await sendCode(replaced, 'mail', 'halo@venue.example');
  await sendCode(replaced, 'sms', '+62361555111');
  await pool`insert into place_enrichment (place_id, website, updated_at) values (${replaced}, 'https://venue.example/', ${NOW})`;
  const unknown = await addPlace({ phone: '+62361555222' }, { phone: other });

  const hours = pool.json({ text: 'Mo-Su 00:00-04:00', source: 'owner', observed_at: NOW, compiled: null });
  const claimed = await addPlace(
    { badge: 'claimed', phone: '+62361555333', about: 'Our own words.', hours },
    { phone: 'owner', hours: 'owner', about: 'owner' },
  );
  await sendCode(claimed, 'sms', '+62361555444');
  await pool`
    insert into venue_claim (place_id, channel, contact, claimed_at)
    values (${claimed}, 'sms', '+62361555444', ${NOW})`;
  const after = pool.json({ value: 'Our own words.', origin: 'owner' });
  await pool`
    insert into venue_edit (place_id, part, before, after, edited_at) values (${claimed}, 'about', '{}', ${after}, ${NOW})`;
  const owners = await addSubmission(claimed, {
    relationship: 'owner',
    phone: '+62361555333',
    hours: 'Mo-Su 00:00-04:00',
    description: 'Their words.',
  });

  const manages = { relationship: 'authorized_agent', email: 'Agent@agent.example' };
  const asked = [await addSubmission(null, manages), await addSubmission(null, manages)];
  for (const [at, contact] of ['agent@agent.example', 'halo@venue.example'].entries())
    await pool`
      insert into business_confirmation (submission_id, revision, token_hash, channel, contact, asked_at)
      values (${asked[at] ?? ''}, 1, ${Buffer.alloc(32, at)}, 'mail', ${contact}, ${NOW})`;

  await pool.unsafe(await readFile(new URL(MIGRATION, FOLDER), 'utf8'));

  assert.deepEqual(await readPlace(replaced), {
    origins: { email: other, website: other },
    published: { email: 'halo@venue.example', website: 'https://venue.example/' },
    hours: null,
  });
  assert.deepEqual(await readPlace(unknown), { origins: { phone: other }, published: {}, hours: null });
  assert.deepEqual(await readPlace(claimed), {
    origins: { phone: owners, hours: owners, about: 'owner' },
    published: { phone: '+62361555444' },
    hours: 'reviewer',
  });
  const questions = await pool<{ channel: string; kept: boolean }[]>`
    select channel, token_hash = ${Buffer.alloc(32, 1)} as kept from business_confirmation order by asked_at, contact nulls first`;
  assert.deepEqual(
    [...questions],
    [
      { channel: 'desk', kept: false },
      { channel: 'mail', kept: true },
    ],
  );
  const tasks = await pool<{ submission_id: string }[]>`select submission_id from desk_task`;
  assert.deepEqual(
    tasks.map((task) => task.submission_id),
    asked.slice(0, 1),
  );
});
