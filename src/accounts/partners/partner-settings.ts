import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { usd } from '../../core/text/money.ts';
import type { PartnerPlanName } from '../../metering/plans.ts';
import { answerApplication, type ApplicationSubject } from './partner-application.ts';
import { mailPartner } from './partner-mail.ts';

type PartnerContext = Pick<Ctx, 'deps' | 'newId' | 'now'>;

interface ChangedPartner {
  id: string;
  name: string;
  email: string;
}

interface Letter {
  subject: string;
  purpose: string;
  paragraphs: readonly string[];
}

/** Mails the partner what was changed. False when nothing was changed. */
async function notifyPartner(
  tx: Db,
  { deps, newId, now }: PartnerContext,
  partner: ChangedPartner | undefined,
  letter: Letter,
): Promise<boolean> {
  if (partner === undefined) return false;
  await mailPartner({ db: tx, config: deps.config, newId, now, partner }, letter);
  return true;
}

/** Switches table requests on (only for a proven mailbox) or off. The partner is mailed the reason. */
export async function setBookings(
  tx: Db,
  ctx: PartnerContext,
  partnerId: string,
  { enabled, reason, staffId }: { enabled: boolean; reason: string; staffId: string },
): Promise<boolean> {
  const [partner] = await tx<ChangedPartner[]>`
    update partner set bookings_enabled = ${enabled}, bookings_reason = ${reason}, bookings_at = ${ctx.now},
      bookings_by = ${staffId}
    where id = ${partnerId} and bookings_enabled <> ${enabled} and status <> 'revoked'
      and (${!enabled} or email_verified_at is not null)
    returning id, name, email`;
  if (partner !== undefined && enabled)
    await answerApplication(tx, partnerId, {
      wants: 'bookings',
      granted: true,
      answer: reason,
      now: ctx.now,
    });
  return notifyPartner(tx, ctx, partner, {
    subject: `Table requests are ${enabled ? 'on' : 'off'}`,
    purpose: 'partner_bookings',
    paragraphs: [
      enabled
        ? `Your key can now request tables at ${ctx.deps.config.partnerUrl}/api/concierge/mcp.`
        : 'Your key can no longer request tables. Confirmed bookings stay as they are.',
      `Reason: ${reason}`,
    ],
  });
}

/** Switches pay-per-call past the allowance on or off, with a monthly spend limit. */
export async function setPayPerCall(
  tx: Db,
  ctx: PartnerContext,
  partnerId: string,
  { enabled, spendLimitCents }: { enabled: boolean; spendLimitCents: number },
): Promise<boolean> {
  const limit = `${usd(spendLimitCents)} a month`;
  const [partner] = await tx<ChangedPartner[]>`
    update partner set pay_per_call = ${enabled}, spend_limit_cents = ${spendLimitCents}
    where id = ${partnerId} and (pay_per_call, spend_limit_cents) <> (${enabled}, ${spendLimitCents})
      and status <> 'revoked'
    returning id, name, email`;
  return notifyPartner(tx, ctx, partner, {
    subject: `Pay-per-call is ${enabled ? 'on' : 'off'}`,
    purpose: 'partner_pay_per_call',
    paragraphs: [
      enabled
        ? `Calls beyond your plan are now charged at their price, up to ${limit}. After that they are refused until the next month.`
        : `Calls beyond your plan are refused until the next month. The spend limit is ${limit}; it applies to plans that are paid by the call.`,
      `You can change this with the account's mailbox at ${ctx.deps.config.baseUrl}/partner.`,
    ],
  });
}

export async function setPlan(
  tx: Db,
  ctx: PartnerContext,
  partnerId: string,
  { plan, reason }: { plan: PartnerPlanName; reason: string },
): Promise<boolean> {
  const [partner] = await tx<ChangedPartner[]>`
    update partner set plan = ${plan} where id = ${partnerId} and plan <> ${plan} and status <> 'revoked'
    returning id, name, email`;
  if (partner !== undefined)
    await answerApplication(tx, partnerId, {
      wants: 'plan',
      granted: { plan },
      answer: reason,
      now: ctx.now,
    });
  return notifyPartner(tx, ctx, partner, {
    subject: `Your plan is now ${plan}`,
    purpose: 'partner_plan',
    paragraphs: [
      `Your plan is now ${plan}. Its limits apply from your next call: ${ctx.deps.config.baseUrl}/partner`,
      `Reason: ${reason}`,
    ],
  });
}

/** Refuses an open application. The partner is mailed the reason and may apply again. */
export async function refuseApplication(
  tx: Db,
  ctx: PartnerContext,
  { id, name, email }: ChangedPartner,
  { wants, reason }: { wants: ApplicationSubject; reason: string },
): Promise<boolean> {
  const refused = { wants, granted: false, answer: reason, now: ctx.now };
  if (!(await answerApplication(tx, id, refused))) return false;
  return notifyPartner(
    tx,
    ctx,
    { id, name, email },
    {
      subject: wants === 'bookings' ? 'Table requests stay off' : 'Your plan stays the same',
      purpose: 'partner_application',
      paragraphs: [
        wants === 'bookings'
          ? 'We have not switched table requests on for your account.'
          : 'We have not changed your plan.',
        `Reason: ${reason}`,
        `You can apply again: ${ctx.deps.config.baseUrl}/partner/${wants === 'bookings' ? 'bookings' : 'plan'}`,
      ],
    },
  );
}

export type PartnerMove = 'suspend' | 'unsuspend' | 'revoke';

/** Allowed source states, target state and mail text of each transition. A revoked partner stays revoked. */
const MOVES = {
  suspend: { from: ['active'], to: 'suspended', text: 'Your key is refused until the suspension is lifted.' },
  unsuspend: { from: ['suspended'], to: 'active', text: 'Your key works again.' },
  revoke: {
    from: ['active', 'suspended'],
    to: 'revoked',
    text: 'Your key was revoked and will not work again.',
  },
} as const satisfies Record<PartnerMove, { from: readonly string[]; to: string; text: string }>;

export async function movePartner(
  tx: Db,
  ctx: PartnerContext,
  partnerId: string,
  { move, reason }: { move: PartnerMove; reason: string },
): Promise<boolean> {
  const { from, to, text } = MOVES[move];
  const [partner] = await tx<ChangedPartner[]>`
    update partner set status = ${to} where id = ${partnerId} and status = any(${[...from]})
    returning id, name, email`;
  if (move === 'revoke' && partner !== undefined) {
    await tx`update api_key set revoked_at = ${ctx.now} where partner_id = ${partnerId} and revoked_at is null`;
    await tx`delete from partner_session where partner_id = ${partnerId}`;
    for (const wants of ['bookings', 'plan'] as const)
      await answerApplication(tx, partnerId, { wants, granted: false, answer: reason, now: ctx.now });
  }
  return notifyPartner(tx, ctx, partner, {
    subject: `Your partner account is ${to}`,
    purpose: `partner_${move}`,
    paragraphs: [text, `Reason: ${reason}`],
  });
}
