import type { Db } from '../core/postgres/db.ts';

/** A person who joined. Venues and partners learn the name, and nobody the mailbox. */
export interface Member {
  /** Begins with mem_. */
  id: string;
  displayName: string;
  email: string;
}

/** Somebody who has proven a mailbox. Until a name is chosen they are on the way to being a member. */
export type ArrivingMember = Omit<Member, 'displayName'> & { displayName: string | null };

export const DISPLAY_NAME_MAX = 80;

/**
 * A member by id; undefined for one who does not exist, has not finished joining or was forgotten. In a transaction the
 * name stays until its end: whoever wants to be forgotten waits, and what was written meanwhile is erased too.
 */
export async function findMember(db: Db, memberId: string): Promise<Member | undefined> {
  const [member] = await db<Member[]>`
    select id, display_name as "displayName", email from member
    where id = ${memberId} and forgotten_at is null and display_name is not null for share`;
  return member;
}

/** The same, also before a name was chosen. */
export async function findArrivingMember(db: Db, memberId: string): Promise<ArrivingMember | undefined> {
  const [member] = await db<ArrivingMember[]>`
    select id, display_name as "displayName", email from member where id = ${memberId} and forgotten_at is null`;
  return member;
}

/** Sets what venues are told from now on. What they have been told already stays as it was said. */
export async function setDisplayName(db: Db, memberId: string, displayName: string): Promise<void> {
  await db`
    update member set display_name = ${displayName} where id = ${memberId} and forgotten_at is null`;
}
