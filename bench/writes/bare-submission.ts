import type { Pool } from '../../src/core/postgres/db.ts';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { takeBare } from './bare-take.ts';

export interface BareSubmission {
  agentId: string;
  keyHash: Buffer;
  name: string;
  /** 26 characters that no other submission has. */
  ulid: string;
}

/** A submission without its name. */
export const BUSINESS = {
  relationship: 'owner',
  vertical: 'restaurant',
  country: 'ID',
  city: 'Bali',
  address: 'Jalan Pantai 7, Jimbaran',
  website: 'https://warung-senja.example',
  description: 'Grilled fish on the beach.',
};

/** The rows of one submission as a bare client reads and writes them, in the same order and as closely packed. */
export async function submitBare(
  pool: Pool,
  { agentId, keyHash, name, ulid }: BareSubmission,
): Promise<void> {
  const id = `sub_${ulid}`;
  const now = new Date();
  const content = { ...BUSINESS, name };
  await pool`select a.id, a.plan from api_key k join agent a on a.id = k.agent_id where k.hash = ${keyHash}`;
  await pool.begin(async (sql) => {
    await Promise.all([
      sql`select pg_advisory_xact_lock(hashtextextended(${`${agentId}/business/${ulid}`}, 0))`,
      sql`select id from submission where agent_id = ${agentId} and kind = 'business' and own_ref = ${ulid}`,
    ]);
    // The places that it may be, by their name: the service asks its index for that.
    await sql`select id, name, lat, lng, phone, website, address from place order by id limit 20`;
    await Promise.all([
      sql`insert into submission (id, kind, agent_id, agent_name, operator_name, own_ref, created_at, updated_at)
          select ${id}, 'business', id, agent_name, operator_name, ${ulid}, ${now}, ${now} from agent
          where id = ${agentId}`,
      sql`insert into submission_revision (submission_id, revision, content, flags, duplicates, submitted_at)
          values (${id}, 1, ${sql.json(content)}, '{}', '[]', ${now})`,
      sql`insert into audit_log (at, actor, operation, request_id, subject, detail)
          values (${now}, ${agentId}, 'submit_business', ${id}, ${id}, '{}')`,
      takeBare(sql, `writes-minute/${agentId}`, MINUTE_MS, now),
      takeBare(sql, `writes-day/${agentId}`, DAY_MS, now),
    ]);
  });
}
