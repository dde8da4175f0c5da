import type { Db } from '../../core/postgres/db.ts';
import type { NewId } from '../../core/ids.ts';
import { tellPassword, type ToldPassword } from './password.ts';

export const STAFF_ROLES = ['reviewer', 'desk', 'lead'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export class StaffExistsError extends Error {}

interface NewStaff {
  email: string;
  role: StaffRole;
  /** Chosen by the person; without it a random one is made that must be changed at the first sign-in. */
  password?: string | undefined;
}

/** Adds a person and returns the password to tell them: the given one, or the random one, shown this once. */
export async function addStaff(
  db: Db,
  newId: NewId,
  now: Date,
  person: NewStaff,
  told?: ToldPassword,
): Promise<string> {
  const { password, hash } = told ?? (await tellPassword(person.password));
  if (!(await insertStaff(db, newId, now, person, hash))) {
    throw new StaffExistsError(`${person.email} is already a member of staff.`);
  }
  return password;
}

/** The first account of an empty database. Returns undefined when there already is one. */
export async function addFirstStaff(
  tx: Db,
  newId: NewId,
  now: Date,
  chosen: { email: string; password: string } | undefined,
): Promise<{ email: string; password: string; generated: boolean } | undefined> {
  const [any] = await tx`select 1 from staff limit 1`;
  if (any !== undefined) return undefined;
  const email = chosen?.email ?? 'lead@waypost.example';
  // Before the table is locked.
  const { password, hash } = await tellPassword(chosen?.password);
  // Two nodes may start at the same instant on one empty database: the second waits and finds the account.
  await tx`lock table staff in share row exclusive mode`;
  const [other] = await tx`select 1 from staff limit 1`;
  if (other !== undefined) return undefined;
  await insertStaff(tx, newId, now, { email, role: 'lead', password: chosen?.password }, hash);
  return { email, password, generated: chosen === undefined };
}

async function insertStaff(
  db: Db,
  newId: NewId,
  now: Date,
  person: NewStaff,
  hash: string,
): Promise<boolean> {
  const added = await db`
    insert into staff (id, email, role, password_hash, must_change_password, created_at)
    values (${newId('stf')}, ${person.email.toLowerCase()}, ${person.role}, ${hash},
            ${person.password === undefined}, ${now})
    on conflict on constraint staff_email_unique do nothing`;
  return added.count === 1;
}
