import { z } from 'zod';
import { partnerPlanSet, PARTNER_PLANS, type PartnerPlanName } from '../../metering/plans.ts';
import { issueKey } from '../../accounts/keys/key-owner.ts';
import {
  issuePendingKey,
  PENDING_KEY_MS,
  replacePartnerKey,
} from '../../accounts/partners/partner-key-change.ts';
import { createPartnerLink } from '../../accounts/partners/partner-link.ts';
import { mailClosed, mailKey, mailPendingKey, maskedAddress } from '../../accounts/partners/partner-mail.ts';
import { insertPartner } from '../../accounts/partners/partner.ts';
import type { Ctx } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { defineOperation } from '../../core/operation.ts';
import { signUpLimit } from '../../metering/rate-limits.ts';
import { HOLDER_NAME_MAX, HOLDER_NAME_MIN } from '../../core/text/limits.ts';
import { emailAddress, line, text, webAddress } from '../../core/text/text.ts';
import { takeFromWindow } from '../../metering/rate-window.ts';
import { DAY_MS } from '../../core/time.ts';
import examples from './examples.json' with { type: 'json' };

/** Maximum number of keys mailed to an address in a day on request of somebody who has not proven to own it. */
const MAILED_KEYS_PER_DAY = 3;

export const signUpPartner = defineOperation({
  name: 'sign_up_partner',
  title: 'Get a partner key',
  description:
    'Creates a partner account and its key, which is shown once and mailed. Signing up again replaces the key: at once with the current key in X-Partner-Key, otherwise by mail, and the old key works until the new one is first used.',
  tag: 'partners',
  effect: 'write',
  containsUntrustedText: false,
  acts: ['overwrites', 'reaches_out'],
  access: { who: 'anyone' },
  rateLimits: [signUpLimit('partner-sign-ups', ({ config }) => config.partnerSignupsPerHour)],
  rest: { method: 'POST', path: '/api/partner/signup', status: 201 },
  tools: [],
  furtherTools: ['partner'],
  input: z.object({
    email: emailAddress().describe('Where the key is mailed. One account and one key per address.'),
    name: line(HOLDER_NAME_MIN, HOLDER_NAME_MAX).describe(
      'The person or company that answers for the account.',
    ),
    company: line(0, 120).optional().describe('The company, if different from the name.'),
    website: webAddress(500).optional().describe('A page about the product that shows the answers.'),
    use_case: text(0, 500).optional().describe('One sentence on what the answers are used for.'),
    plan: z
      .literal('free')
      .optional()
      .describe('Every account starts on the free plan; larger ones are by agreement.'),
  }),
  output: z.object({
    partner_id: z.string().optional().describe('Absent when the key was sent by mail only.'),
    api_key: z
      .string()
      .optional()
      .describe('Send it as X-Partner-Key. It is shown only once; absent when it was sent by mail only.'),
    key_shown_once: z.literal(true).optional(),
    rotated: z.literal(true).optional().describe('The address was already registered: its key was replaced.'),
    delivery: z.literal('email').optional().describe('The new key was sent by mail only.'),
    emailed_to: z.string().describe('Where the key was mailed, with most of it hidden.'),
    plan: partnerPlanSet.word.optional(),
    limits: z
      .object({ calls_per_minute: z.int(), calls_per_month: z.int().describe('What the plan includes.') })
      .optional(),
    next: z.string().optional().describe('What ends this key, and what to do before setting a webhook.'),
  }),
  statusOf: ({ rotated }) => (rotated === true ? 200 : 201),
  failures: ['idempotency_in_progress', 'signup_rate_limited'],
  example: examples.sign_up_partner,
  async run(ctx, args) {
    const { config } = ctx.deps;
    const { email, name } = args;
    const id = ctx.newId('ptn');
    const details = {
      company: args.company || null,
      website: args.website || null,
      use_case: args.use_case || null,
    };
    if (!(await insertPartner(ctx.db, id, { email, name, ...details }, ctx.now)))
      return signUpAgain(ctx, email);
    const apiKey = await issueKey(ctx.db, config.prefix, { partnerId: id }, ctx.now);
    await mailKey(mailOf(ctx, { id, name, email }), apiKey, false);
    ctx.audit(id, { name });
    return { ...keyResponse(id, email, 'free', apiKey), next: firstKeyNotice(config.baseUrl) };
  },
  summarize: ({ partner_id, api_key, emailed_to, next }) =>
    api_key === undefined
      ? `A new key is on its way to ${emailed_to}.`
      : `${partner_id ?? ''} is registered. Its key (shown only once): ${api_key}.${next === undefined ? '' : ` ${next}`}`,
});

/** Anybody can sign up with an address, so the first proof of its mailbox ends what was issued before. */
function firstKeyNotice(baseUrl: string): string {
  return `The first sign-in at ${baseUrl}/partner verifies the mailbox. It ends this key and a webhook that was set with it, and shows a new key: sign in there before you set a webhook.`;
}

interface ExistingPartner {
  id: string;
  name: string;
  email: string;
  plan: PartnerPlanName;
  status: 'active' | 'suspended' | 'revoked';
}

async function signUpAgain(ctx: Ctx, email: string) {
  const { config } = ctx.deps;
  const [partner] = await ctx.db<ExistingPartner[]>`
    select id, name, email, plan, status from partner where email = ${email} for no key update`;
  if (partner === undefined) throw new Error('An existing partner was deleted.');
  ctx.audit(partner.id, { again: true });
  const mailed = { rotated: true as const, delivery: 'email' as const, emailed_to: maskedAddress(email) };
  if (partner.status === 'revoked') {
    await chargeMail(ctx, partner.id);
    await mailClosed(mailOf(ctx, partner));
    return mailed;
  }
  if (ctx.actor.kind === 'partner' && ctx.actor.id === partner.id && ctx.actor.keyHash !== undefined) {
    const apiKey = await replacePartnerKey(ctx.db, config.prefix, partner.id, ctx.now, ctx.actor.keyHash);
    ctx.invalidateKeyCaches();
    await mailKey(mailOf(ctx, partner), apiKey, true);
    return { rotated: true as const, ...keyResponse(partner.id, email, partner.plan, apiKey) };
  }
  if (config.partnerResignupShowsKey) return replaceUnproven(ctx, partner);
  await chargeMail(ctx, partner.id);
  const { apiKey, keyHash } = await issuePendingKey(ctx.db, config.prefix, partner.id, ctx.now);
  const token = await createPartnerLink(ctx.db, {
    partnerId: partner.id,
    purpose: 'replace_key',
    keyHash,
    now: ctx.now,
    lifeMs: PENDING_KEY_MS,
  });
  await mailPendingKey(mailOf(ctx, partner), { apiKey, token, days: PENDING_KEY_MS / DAY_MS });
  return mailed;
}

/** For test set-ups: anybody who names the address gets the key, but no bookings. The mailbox is unproven again. */
async function replaceUnproven(ctx: Ctx, partner: ExistingPartner) {
  const apiKey = await replacePartnerKey(ctx.db, ctx.deps.config.prefix, partner.id, ctx.now);
  await ctx.db`
    update partner set bookings_enabled = false, bookings_reason = 'The key was replaced without the old one.',
      bookings_at = ${ctx.now}, bookings_by = null, bookings_from = ${ctx.now}, email_verified_at = null
    where id = ${partner.id}`;
  ctx.invalidateKeyCaches();
  await mailKey(mailOf(ctx, partner), apiKey, true);
  return { rotated: true as const, ...keyResponse(partner.id, partner.email, partner.plan, apiKey) };
}

async function chargeMail(ctx: Ctx, partnerId: string): Promise<void> {
  const limit = { name: `partner_key_mails/${partnerId}`, max: MAILED_KEYS_PER_DAY, windowMs: DAY_MS };
  const { allowed, resetsInSeconds } = await takeFromWindow(ctx.db, limit, ctx.now);
  if (allowed) return;
  throw new AppError(
    'signup_rate_limited',
    'This address has received the maximum number of keys for today. Nothing was changed.',
    {
      hint: 'Use one of the mailed keys, or send the current key in X-Partner-Key.',
      retryAfterSeconds: resetsInSeconds,
    },
  );
}

function keyResponse(id: string, email: string, plan: PartnerPlanName, apiKey: string) {
  const { per_minute, included } = PARTNER_PLANS[plan];
  return {
    partner_id: id,
    api_key: apiKey,
    key_shown_once: true as const,
    emailed_to: maskedAddress(email),
    plan,
    limits: { calls_per_minute: per_minute, calls_per_month: included },
  };
}

function mailOf(ctx: Ctx, partner: { id: string; name: string; email: string }) {
  return { db: ctx.db, config: ctx.deps.config, newId: ctx.newId, now: ctx.now, partner };
}
