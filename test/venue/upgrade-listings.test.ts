import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addSubmission,
  agentId,
  migrate,
  migrateUntil,
  newId,
  NOW,
  pool,
  staffId,
} from './before-upgrade.ts';

const MIGRATION = '0054_listings.sql';
await migrateUntil(MIGRATION);

/** A place of a map whose telephone and description an agent submitted. */
async function addPlace(): Promise<string> {
  const id = newId('plc');
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref)
    select ${id}, id, 'Warung', 'restaurant', 'restaurant', 'ID', lat, lng, 'osm', ${id} from destination`;
  return id;
}

async function submitted(placeId: string, relationship: string): Promise<string> {
  const id = await addSubmission(placeId, { name: 'Warung', relationship });
  const word = (by: string, ref: string, value: string) => ({
    by,
    ref,
    at: NOW,
    proof: `reviewed:${staffId}`,
    value,
  });
  const words = {
    phone: [
      word('agent', id, '+351210009999'),
      { ...word('map', 'osm', '+62361555111'), proof: 'published' },
    ],
    about: [word('agent', id, 'By an agent.')],
  };
  await pool`
    update place set phone = '+351210009999', about = 'By an agent.', words = ${pool.json(words)} where id = ${placeId}`;
  return id;
}

async function shown(placeId: string) {
  const [place] = await pool<{ phone: string; about: string | null }[]>`
    select phone, about from place where id = ${placeId}`;
  return [place?.phone, place?.about];
}

test('an upgrade shows published data first, keeps what a business confirmed, and deletes what a venue denied', async () => {
  const [third, confirmed, denied] = [await addPlace(), await addPlace(), await addPlace()];
  await submitted(third, 'third_party');
  const yes = await submitted(confirmed, 'authorized_agent');
  await pool`
    insert into business_confirmation (submission_id, revision, token_hash, channel, asked_at, answer, answered_at, answered_by)
    values (${yes}, 1, sha256('x'), 'desk', ${NOW}, 'yes', ${NOW}, 'business')`;
  const no = await submitted(denied, 'owner');
  await pool`
    insert into venue_claim (place_id, channel, contact, claimed_at)
    values (${denied}, 'mail', 'ibu@venue.example', ${NOW})`;
  await pool`
    insert into venue_representative (place_id, agent_id, answer, answered_at)
    values (${denied}, ${agentId}, 'no', ${NOW})`;

  await migrate(MIGRATION);
  assert.deepEqual(await shown(third), ['+62361555111', 'By an agent.']);
  assert.deepEqual(await shown(confirmed), ['+351210009999', 'By an agent.']);
  assert.deepEqual(await shown(denied), ['+62361555111', null]);
  const [takedown] = await pool<{ code: string; live: number | null }[]>`
    select t.reason_code as code, s.live_revision as live from submission_takedown t join submission s on s.id = t.submission_id
    where s.id = ${no}`;
  assert.deepEqual(takedown, { code: 'relationship_denied', live: null });
});
