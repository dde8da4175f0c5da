import { readdir, readFile } from 'node:fs/promises';
import { after } from 'node:test';
import { createNewId } from '../../src/core/ids.ts';
import { createTestDatabase } from '../harness/service/database.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
export const NOW = '2026-11-14T12:00:00Z';

const database = await createTestDatabase('template0');
export const { pool } = database;
after(() => database.drop());
export const newId = createNewId({ now: () => new Date(NOW) });
export const agentId = newId('agt');
export const staffId = newId('stf');

/** A database as an installation has it that was not upgraded yet. */
export async function migrateUntil(name: string): Promise<void> {
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

export async function addPlace(
  fields: Record<string, unknown>,
  origins: Record<string, string>,
): Promise<string> {
  const id = newId('plc');
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, source, source_ref, origins)
    select ${id}, id, 'Warung', 'restaurant', 'restaurant', 'ID', lat, lng, 'osm', ${id}, ${pool.json(origins)}
    from destination`;
  await pool`update place set ${pool(fields)} where id = ${id}`;
  return id;
}

/** A live submission of a business, approved by a person. */
export async function addSubmission(
  placeId: string | null,
  content: Record<string, string>,
): Promise<string> {
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

/** Upgrades to the version that a migration makes. */
export async function migrate(name: string): Promise<void> {
  await pool.unsafe(await readFile(new URL(name, FOLDER), 'utf8'));
}
