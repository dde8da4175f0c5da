import type { Db } from '../../core/postgres/db.ts';

/**
 * The partner account of the service itself: tables that members request on pages are its bookings. It has no key, no
 * mailbox, no plan and no webhook, and no list of partners contains it.
 */
export const HOUSE_PARTNER = 'ptn_0000000000000000000members';

/** The name by which venues know partner n; null for the service itself. */
export const PUBLIC_NAME_SQL = `case when n.id <> '${HOUSE_PARTNER}' then coalesce(n.company, n.name) end`;

export async function publicName(db: Db, partnerId: string): Promise<string | null> {
  const [partner] = await db.unsafe<{ name: string | null }[]>(
    `select ${PUBLIC_NAME_SQL} as name from partner n where n.id = $1`,
    [partnerId],
    { prepare: true },
  );
  return partner?.name ?? null;
}

/** Stores the account with the first request of a member. Its email is no address, so nobody can sign up with it. */
export async function storeHousePartner(tx: Db, now: Date): Promise<void> {
  await tx`
    insert into partner (id, email, name, created_at) values (${HOUSE_PARTNER}, 'members', 'Members', ${now})
    on conflict (id) do nothing`;
}
