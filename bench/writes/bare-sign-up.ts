import { randomBytes } from 'node:crypto';
import type { Pool } from '../../src/core/postgres/db.ts';
import { HOUR_MS } from '../../src/core/time.ts';
import { takeBare } from './bare-take.ts';

export interface BareSignUp {
  /** 26 characters that no other agent has. */
  ulid: string;
}

/** The rows of one sign-up as a bare client writes them, in the same order and as closely packed. */
export async function signUpBare(pool: Pool, { ulid }: BareSignUp): Promise<void> {
  const id = `agt_${ulid}`;
  const now = new Date();
  await pool.begin(async (sql) => {
    await Promise.all([
      sql`insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at)
          values (${id}, 'TripPlanner', 'Example Travel Ltd', ${`${ulid}@travel.example`},
                  'Plans weekend trips for our customers.', ${now})`,
      sql`insert into api_key (hash, prefix, agent_id, created_at)
          values (${randomBytes(32)}, ${`svc_live_${ulid.slice(-4)}`}, ${id}, ${now})`,
    ]);
    await Promise.all([
      sql`insert into audit_log (at, actor, operation, request_id, subject, detail)
          values (${now}, 'address:bench', 'sign_up', ${id}, ${id}, '{}')`,
      takeBare(sql, 'sign-ups/address:bench', HOUR_MS, now),
    ]);
  });
}
