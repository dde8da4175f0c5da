import type { Pool } from '../core/db.ts';
import { violatedConstraint } from '../core/db.ts';
import type { NewId } from '../core/ids.ts';
import { issueKey } from './key-owner.ts';

export class PartnerExistsError extends Error {}

/** Adds a partner with its key. The key is returned this once; only its hash stays. */
export async function addPartner(
  pool: Pool,
  newId: NewId,
  now: Date,
  prefix: string,
  partner: { email: string; name: string },
): Promise<{ partnerId: string; apiKey: string }> {
  const partnerId = newId('ptn');
  try {
    return await pool.begin(async (sql) => {
      await sql`
        insert into partner (id, email, name, created_at)
        values (${partnerId}, ${partner.email.toLowerCase()}, ${partner.name}, ${now})`;
      return { partnerId, apiKey: await issueKey(sql, prefix, { partnerId }, now) };
    });
  } catch (thrown) {
    if (violatedConstraint(thrown) === 'partner_email_unique') {
      throw new PartnerExistsError(`${partner.email} already has a partner account.`);
    }
    throw thrown;
  }
}
