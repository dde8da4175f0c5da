import { recordAudit } from '../../core/audit.ts';
import type { Deps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { PartnerPlanName } from '../../metering/plans.ts';
import { mailPartner } from './partner-mail.ts';

/** Who changes a setting, for the audit trail: a person of ours, or the partner itself. */
export interface SettingBy {
  actor: string;
  requestId: string;
}

interface Changed {
  id: string;
  name: string;
  email: string;
}

interface Letter {
  subject: string;
  paragraphs: readonly string[];
}

/** Makes a change, tells the partner and writes it down, all or nothing. False: there was nothing to change. */
async function change(
  deps: Deps,
  by: SettingBy,
  operation: string,
  detail: Record<string, string | number | boolean | null>,
  update: (db: Db, now: Date) => Promise<Changed | undefined>,
  letter: Letter,
): Promise<boolean> {
  const now = deps.clock.now();
  const changed = await deps.pool.begin(async (sql) => {
    const partner = await update(sql, now);
    if (partner === undefined) return false;
    const { config, newId } = deps;
    await mailPartner({ db: sql, config, newId, now, partner }, { ...letter, purpose: operation });
    await recordAudit(sql, { at: now, ...by, operation, subject: partner.id, detail });
    return true;
  });
  if (changed) await deps.lease.lapsed();
  return changed;
}

/** Switches table requests on, for a mailbox that is proven, or off, with the reason that the partner is told. */
export function setBookings(
  deps: Deps,
  partnerId: string,
  to: { enabled: boolean; reason: string; staffId: string },
  by: SettingBy,
): Promise<boolean> {
  const { enabled, reason, staffId } = to;
  const word = enabled ? 'on' : 'off';
  return change(
    deps,
    by,
    'partner_bookings',
    { enabled, reason },
    async (sql, now) => {
      const [partner] = await sql<Changed[]>`
        update partner set bookings_enabled = ${enabled}, bookings_reason = ${reason}, bookings_at = ${now},
          bookings_by = ${staffId}
        where id = ${partnerId} and bookings_enabled <> ${enabled} and status <> 'revoked'
          and (${!enabled} or email_verified_at is not null)
        returning id, name, email`;
      return partner;
    },
    {
      subject: `Table requests are ${word}`,
      paragraphs: [
        enabled
          ? `Your key may now ask venues for tables at ${deps.config.partnerUrl}/api/concierge/mcp.`
          : 'Your key may no longer ask venues for tables. Bookings that are confirmed stay as they are.',
        `Reason: ${reason}`,
      ],
    },
  );
}

/** Switches on or off that calls past the allowance are paid for, up to a limit in a month. */
export function setPayPerCall(
  deps: Deps,
  partnerId: string,
  to: { enabled: boolean; spendLimitCents: number },
  by: SettingBy,
): Promise<boolean> {
  const { enabled, spendLimitCents } = to;
  const limit = `${(spendLimitCents / 100).toFixed(2)} USD a month`;
  return change(
    deps,
    by,
    'partner_pay_per_call',
    { enabled, spend_limit_cents: spendLimitCents },
    async (sql) => {
      const [partner] = await sql<Changed[]>`
        update partner set pay_per_call = ${enabled}, spend_limit_cents = ${spendLimitCents}
        where id = ${partnerId} and (pay_per_call, spend_limit_cents) <> (${enabled}, ${spendLimitCents})
          and status <> 'revoked'
        returning id, name, email`;
      return partner;
    },
    {
      subject: `Pay-per-call is ${enabled ? 'on' : 'off'}`,
      paragraphs: [
        enabled
          ? `Calls past what your plan includes are now paid for by their price, up to ${limit}. After that they are refused until the next month.`
          : `Calls past what your plan includes are refused until the next month. The spend limit is ${limit}; it holds for plans that are paid by the call.`,
        `Whoever has the mailbox of the account can change this at ${deps.config.baseUrl}/partner.`,
      ],
    },
  );
}

export function setPlan(
  deps: Deps,
  partnerId: string,
  to: { plan: PartnerPlanName; reason: string },
  by: SettingBy,
): Promise<boolean> {
  const { plan, reason } = to;
  return change(
    deps,
    by,
    'partner_plan',
    { plan, reason },
    async (sql) => {
      const [partner] = await sql<Changed[]>`
        update partner set plan = ${plan} where id = ${partnerId} and plan <> ${plan} and status <> 'revoked'
        returning id, name, email`;
      return partner;
    },
    {
      subject: `Your plan is now ${plan}`,
      paragraphs: [
        `Your plan is now ${plan}. Its limits hold from your next call on: ${deps.config.baseUrl}/partner`,
        `Reason: ${reason}`,
      ],
    },
  );
}

export type PartnerMove = 'suspend' | 'unsuspend' | 'revoke';

/** From which state each move is possible, where it leads, and what the partner is told. A revoked one stays so. */
const MOVES = {
  suspend: { from: ['active'], to: 'suspended', told: 'Your key is refused until this is cleared up.' },
  unsuspend: { from: ['suspended'], to: 'active', told: 'Your key works again.' },
  revoke: {
    from: ['active', 'suspended'],
    to: 'revoked',
    told: 'Your key was revoked and will not work again.',
  },
} as const satisfies Record<PartnerMove, { from: readonly string[]; to: string; told: string }>;

export function movePartner(
  deps: Deps,
  partnerId: string,
  { move, reason }: { move: PartnerMove; reason: string },
  by: SettingBy,
): Promise<boolean> {
  const { from, to, told } = MOVES[move];
  return change(
    deps,
    by,
    `partner_${move}`,
    { reason },
    async (sql, now) => {
      const [partner] = await sql<Changed[]>`
        update partner set status = ${to} where id = ${partnerId} and status = any(${[...from]})
        returning id, name, email`;
      if (move === 'revoke' && partner !== undefined) {
        await sql`update api_key set revoked_at = ${now} where partner_id = ${partnerId} and revoked_at is null`;
        await sql`delete from partner_session where partner_id = ${partnerId}`;
      }
      return partner;
    },
    { subject: `Your partner account is ${to}`, paragraphs: [told, `Reason: ${reason}`] },
  );
}
