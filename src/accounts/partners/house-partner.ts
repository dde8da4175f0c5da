import type { Db } from '../../core/postgres/db.ts';

/**
 * The partner account of the service itself: tables that members request on pages are its bookings. It has no key, no
 * mailbox, no plan and no webhook, and no list of partners contains it.
 */
export const HOUSE_PARTNER = 'ptn_0000000000000000000members';

/** Stores the account with the first request of a member. Its email is no address, so nobody can sign up with it. */
export async function storeHousePartner(tx: Db, now: Date): Promise<void> {
  await tx`
    insert into partner (id, email, name, created_at) values (${HOUSE_PARTNER}, 'members', 'Members', ${now})
    on conflict (id) do nothing`;
}
