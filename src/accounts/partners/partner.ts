import type { Db } from '../../core/postgres/db.ts';
import type { NewId } from '../../core/ids.ts';
import { issueKey } from '../keys/key-owner.ts';

export class PartnerExistsError extends Error {}

export interface NewPartner {
  email: string;
  name: string;
  company?: string | null;
  website?: string | null;
  use_case?: string | null;
}

/** Writes a partner down; false when its email address has one already. */
export async function insertPartner(
  db: Db,
  id: string,
  { email, name, company, website, use_case }: NewPartner,
  now: Date,
): Promise<boolean> {
  const made = await db`
    insert into partner (id, email, name, company, website, use_case, created_at)
    values (${id}, ${email.toLowerCase()}, ${name}, ${company ?? null}, ${website ?? null}, ${use_case ?? null}, ${now})
    on conflict on constraint partner_email_unique do nothing`;
  return made.count === 1;
}

/** Adds a partner with its key. The key is returned this once; only its hash stays. */
export async function addPartner(
  tx: Db,
  newId: NewId,
  now: Date,
  prefix: string,
  partner: NewPartner,
): Promise<{ partnerId: string; apiKey: string }> {
  const partnerId = newId('ptn');
  if (!(await insertPartner(tx, partnerId, partner, now)))
    throw new PartnerExistsError(`${partner.email} already has a partner account.`);
  return { partnerId, apiKey: await issueKey(tx, prefix, { partnerId }, now) };
}
