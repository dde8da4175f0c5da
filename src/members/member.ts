import type { Db } from '../core/postgres/db.ts';

/** A person who joined. Venues and partners see the name; nobody sees the mailbox. */
export interface Member {
  /** Begins with mem_. */
  id: string;
  displayName: string;
  email: string;
}

/** A person with a proven mailbox who may not have chosen a name yet and so not finished joining. */
export type ArrivingMember = Omit<Member, 'displayName'> & { displayName: string | null };

export const DISPLAY_NAME_MAX = 80;

/**
 * Finds a member; undefined for one who does not exist, has not finished joining or was erased. In a transaction the
 * row stays locked: a concurrent erasure waits, and then also erases what was written meanwhile.
 */
export async function findMember(db: Db, memberId: string): Promise<Member | undefined> {
  const [member] = await db<Member[]>`
    select id, display_name as "displayName", email from member
    where id = ${memberId} and forgotten_at is null and display_name is not null for share`;
  return member;
}

/** The same, including members who have not chosen a name yet. */
export async function findArrivingMember(db: Db, memberId: string): Promise<ArrivingMember | undefined> {
  const [member] = await db<ArrivingMember[]>`
    select id, display_name as "displayName", email from member where id = ${memberId} and forgotten_at is null`;
  return member;
}

/** Sets the name that venues see from now on. Messages that were already sent do not change. */
export async function setDisplayName(db: Db, memberId: string, displayName: string): Promise<void> {
  await db`
    update member set display_name = ${displayName} where id = ${memberId} and forgotten_at is null`;
}
