import type { Db } from '../../core/postgres/db.ts';
import type { NewId } from '../../core/ids.ts';
import { issueKey } from '../keys/key-owner.ts';

export class PartnerExistsError extends Error {}

interface NewPartner {
  email: string;
  name: string;
  company?: string | null;
  website?: string | null;
  use_case?: string | null;
}

export async function insertPartner(
  db: Db,
  id: string,
  { email, name, company, website, use_case }: NewPartner,
  now: Date,
): Promise<boolean> {
  const inserted = await db`
    insert into partner (id, email, name, company, website, use_case, created_at)
    values (${id}, ${email.toLowerCase()}, ${name}, ${company ?? null}, ${website ?? null}, ${use_case ?? null}, ${now})
    on conflict on constraint partner_email_unique do nothing`;
  return inserted.count === 1;
}

/** Adds a partner and issues its key. The key is returned only here; its hash is stored. */
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
