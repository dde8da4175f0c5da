import type { Db } from '../../core/postgres/db.ts';
import type { NewId } from '../../core/ids.ts';
import { preparePassword, type HashedPassword } from './password.ts';

export const STAFF_ROLES = ['reviewer', 'desk', 'lead'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export class StaffExistsError extends Error {}

interface NewStaff {
  email: string;
  role: StaffRole;
  /** Chosen by the person; without it, a random one is generated that must be changed at the first sign-in. */
  password?: string | undefined;
}

/** Adds a person and returns the password: the given one, or the random one, which is shown only here. */
export async function addStaff(
  db: Db,
  newId: NewId,
  now: Date,
  person: NewStaff,
  prepared?: HashedPassword,
): Promise<string> {
  const { password, hash } = prepared ?? (await preparePassword(person.password));
  const { email, role } = person;
  const mustChange = person.password === undefined;
  if (!(await insertStaff(db, newId('stf'), now, { email, role, mustChange }, hash))) {
    throw new StaffExistsError(`${person.email} is already a member of staff.`);
  }
  return password;
}

export interface FirstStaff {
  id: string;
  email: string;
  password: string;
  hash: string;
  generated: boolean;
}

export async function makeFirstStaff(
  newId: NewId,
  chosen: { email: string; password: string } | undefined,
): Promise<FirstStaff> {
  const prepared = await preparePassword(chosen?.password);
  const email = chosen?.email ?? 'lead@waypost.example';
  return { id: newId('stf'), email, ...prepared, generated: chosen === undefined };
}

export async function hasStaff(db: Db): Promise<boolean> {
  const [any] = await db`select 1 from staff limit 1`;
  return any !== undefined;
}

/** Stores the first account of an empty database. Can be retried after a commit whose response was lost. */
export async function addFirstStaff(
  tx: Db,
  now: Date,
  { id, email, generated, hash }: FirstStaff,
): Promise<'added' | 'added before' | 'not the first'> {
  // Two nodes may start at the same instant on one empty database: the second waits and finds the account.
  await tx`lock table staff in share row exclusive mode`;
  const [first] = await tx<{ id: string }[]>`select id from staff order by created_at limit 1`;
  if (first !== undefined) return first.id === id ? 'added before' : 'not the first';
  await insertStaff(tx, id, now, { email, role: 'lead', mustChange: generated }, hash);
  return 'added';
}

async function insertStaff(
  db: Db,
  id: string,
  now: Date,
  person: { email: string; role: StaffRole; mustChange: boolean },
  hash: string,
): Promise<boolean> {
  const added = await db`
    insert into staff (id, email, role, password_hash, must_change_password, created_at)
    values (${id}, ${person.email.toLowerCase()}, ${person.role}, ${hash}, ${person.mustChange}, ${now})
    on conflict on constraint staff_email_unique do nothing`;
  return added.count === 1;
}
