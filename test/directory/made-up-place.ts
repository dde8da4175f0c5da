import type { Pool } from '../../src/core/postgres/db.ts';
import { createNewId } from '../../src/core/ids.ts';
import type { TestClock } from '../harness/service/service.ts';

interface MadeUp {
  name?: string;
  website?: string | null;
  email?: string | null;
  verifiedAt?: Date | null;
}

/** Adds a place of the test's own to a destination of the catalogue, and gives its id. */
export async function addMadeUpPlace(pool: Pool, clock: TestClock, made: MadeUp = {}): Promise<string> {
  const id = createNewId(clock)('plc');
  const { name = `House ${id.slice(-6)}`, website = null, email = null, verifiedAt = null } = made;
  await pool`
    insert into place (id, destination_id, name, vertical, category, country, lat, lng, website, email, verified_at,
      source, source_ref, created_at, updated_at)
    select ${id}, d.id, ${name}, 'restaurant', 'restaurant', d.country, d.lat, d.lng, ${website}, ${email},
      ${verifiedAt}, 'test', ${id}, ${clock.now()}, ${clock.now()}
    from destination d where d.slug = 'bali'`;
  return id;
}
