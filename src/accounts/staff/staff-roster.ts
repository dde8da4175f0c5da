import { recordAudit } from '../../core/audit.ts';
import type { Deps } from '../../core/context.ts';
import { hashPassword, randomPassword } from './password.ts';
import { endSessionsOf, type StaffMember } from '../sign-in/staff-session.ts';
import { addStaff, type StaffRole } from './staff.ts';

export interface RosterEntry {
  id: string;
  email: string;
  role: StaffRole;
  created_at: Date;
  disabled_at: Date | null;
  second_factor: boolean;
  last_seen_at: Date | null;
}

/** Who acts, for the audit trail. */
export interface ActingStaff {
  staff: StaffMember;
  requestId: string;
}

export function listRoster(deps: Deps): Promise<readonly RosterEntry[]> {
  return deps.pool<RosterEntry[]>`
    select s.id, s.email, s.role, s.created_at, s.disabled_at, s.totp_secret is not null as second_factor,
      (select max(t.last_seen_at) from staff_session t where t.staff_id = s.id and t.second_factor) as last_seen_at
    from staff s order by s.disabled_at is not null, s.email`;
}

/** Adds a person and gives the password for the first sign-in, shown this once. */
export async function hireStaff(
  deps: Deps,
  person: { email: string; role: StaffRole },
  by: ActingStaff,
): Promise<string> {
  const now = deps.clock.now();
  return deps.pool.begin(async (sql) => {
    const password = await addStaff(sql, deps.newId, now, person);
    await recordAudit(sql, {
      at: now,
      actor: by.staff.id,
      operation: 'staff_add',
      requestId: by.requestId,
      subject: person.email,
      detail: { role: person.role },
    });
    return password;
  });
}

/** Gives a person who lost password or telephone a new start: a one-time password, and no second factor yet. */
export async function resetStaff(deps: Deps, staffId: string, by: ActingStaff): Promise<string | undefined> {
  const password = randomPassword();
  const hash = await hashPassword(password);
  const now = deps.clock.now();
  return deps.pool.begin(async (sql) => {
    const reset = await sql`
      update staff set password_hash = ${hash}, must_change_password = true, totp_secret = null,
        totp_confirmed_at = null, totp_last_step = null
      where id = ${staffId} and disabled_at is null`;
    if (reset.count === 0) return undefined;
    await sql`delete from staff_recovery_code where staff_id = ${staffId}`;
    await endSessionsOf(sql, staffId);
    const { requestId } = by;
    await recordAudit(sql, {
      at: now,
      actor: by.staff.id,
      operation: 'staff_reset',
      requestId,
      subject: staffId,
    });
    return password;
  });
}

/** Ends or restores a person's access. Nobody can end their own, so that there is always a lead. */
export async function setStaffDisabled(
  deps: Deps,
  staffId: string,
  disabled: boolean,
  by: ActingStaff,
): Promise<boolean> {
  if (staffId === by.staff.id) return false;
  const now = deps.clock.now();
  return deps.pool.begin(async (sql) => {
    const changed = await sql`
      update staff set disabled_at = ${disabled ? now : null}
      where id = ${staffId} and (disabled_at is null) = ${disabled}`;
    if (changed.count === 0) return false;
    await endSessionsOf(sql, staffId);
    const operation = disabled ? 'staff_disable' : 'staff_enable';
    await recordAudit(sql, {
      at: now,
      actor: by.staff.id,
      operation,
      requestId: by.requestId,
      subject: staffId,
    });
    return true;
  });
}
