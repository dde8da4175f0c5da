import type { Db } from '../../core/postgres/db.ts';
import { escapeLike } from '../../core/text/text.ts';
import { HOUSE_PARTNER } from './house-partner.ts';
import type { PartnerRow } from './partner-keys.ts';

export interface ListedPartner extends PartnerRow {
  name: string;
  email: string;
  email_verified_at: Date | null;
  company: string | null;
  website: string | null;
  use_case: string | null;
  bookings_reason: string | null;
  bookings_at: Date | null;
  bookings_by: string | null;
  created_at: Date;
  key_prefix: string | null;
  last_used_at: Date | null;
}

interface PartnerFilter {
  query?: string | undefined;
  plan?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** Lists partners, newest first: ids begin with their creation time. */
export function listPartners(
  db: Db,
  { query, plan, after, limit }: PartnerFilter,
): Promise<readonly ListedPartner[]> {
  const part = query === undefined ? null : `%${escapeLike(query)}%`;
  return db<ListedPartner[]>`
    ${partnerColumns(db)}
    where p.id <> ${HOUSE_PARTNER} and (${plan ?? null}::text is null or p.plan = ${plan ?? null})
      and (${after ?? null}::text is null or p.id < ${after ?? null})
      and (${part}::text is null or p.id = ${query ?? null} or p.name ilike ${part} or p.company ilike ${part}
           or p.email ilike ${part})
    order by p.id desc limit ${limit}`;
}

export async function findPartner(db: Db, id: string): Promise<ListedPartner | undefined> {
  if (!/^ptn_[0-9a-z]{26}$/.test(id) || id === HOUSE_PARTNER) return undefined;
  const [partner] = await db<ListedPartner[]>`${partnerColumns(db)} where p.id = ${id}`;
  return partner;
}

function partnerColumns(db: Db) {
  return db`
    select p.id, p.name, p.email, p.email_verified_at, p.company, p.website, p.use_case, p.status, p.plan,
      p.pay_per_call, p.spend_limit_cents, p.bookings_enabled, p.bookings_reason, p.bookings_at, s.email as bookings_by,
      p.bookings_from, p.created_at, k.prefix as key_prefix, k.last_used_at
    from partner p left join staff s on s.id = p.bookings_by
    left join api_key k on k.partner_id = p.id and k.revoked_at is null and k.pending_until is null`;
}
