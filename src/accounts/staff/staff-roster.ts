import type { Db } from '../../core/postgres/db.ts';
import { endSessionsOf } from '../sign-in/staff-session.ts';
import type { HashedPassword } from './password.ts';
import type { StaffRole } from './staff.ts';

export interface RosterEntry {
  id: string;
  email: string;
  role: StaffRole;
  created_at: Date;
  disabled_at: Date | null;
  second_factor: boolean;
  last_seen_at: Date | null;
}

export function listRoster(db: Db): Promise<readonly RosterEntry[]> {
  return db<RosterEntry[]>`
    select s.id, s.email, s.role, s.created_at, s.disabled_at, s.totp_secret is not null as second_factor,
      (select max(t.last_seen_at) from staff_session t where t.staff_id = s.id and t.second_factor) as last_seen_at
    from staff s order by s.disabled_at is not null, s.email`;
}

/** Resets a person who lost password or phone: a one-time password, and no second factor yet. */
export async function resetStaff(
  tx: Db,
  staffId: string,
  { password, hash }: HashedPassword,
): Promise<{ email: string; password: string } | undefined> {
  const [person] = await tx<{ email: string }[]>`
    update staff set password_hash = ${hash}, must_change_password = true, totp_secret = null,
      totp_confirmed_at = null, totp_last_step = null
    where id = ${staffId} and disabled_at is null returning email`;
  if (person === undefined) return undefined;
  await tx`delete from staff_recovery_code where staff_id = ${staffId}`;
  await endSessionsOf(tx, staffId);
  return { email: person.email, password };
}

/** Disables or restores a person's access. False when nothing changed or there is no such person. */
export async function setStaffDisabled(
  tx: Db,
  staffId: string,
  disabled: boolean,
  now: Date,
): Promise<boolean> {
  const changed = await tx`
    update staff set disabled_at = ${disabled ? now : null}
    where id = ${staffId} and (disabled_at is null) = ${disabled}`;
  if (changed.count === 0) return false;
  await endSessionsOf(tx, staffId);
  return true;
}
