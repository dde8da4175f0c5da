import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { completeCheckout, findCheckout, type Checkout } from '../../../accounts/plan-checkout.ts';
import { findRecoveryLink, useRecoveryLink } from '../../../accounts/recovery-link.ts';
import { recordAudit } from '../../../core/audit.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { checkCsrf, csrfField } from '../csrf.ts';
import { addFormPages } from '../form-body.ts';
import { sendPage } from '../send-page.ts';
import { siteOf } from '../site.ts';
import { payPage } from './pay-page.ts';
import { newKeyPage, recoverPage } from './recover-page.ts';

type RecoverRequest = FastifyRequest<{ Params: { token: string } }>;
type PayRequest = FastifyRequest<{ Params: { checkoutId: string } }>;

const TOKEN = /^[\w-]{43}$/;
const CHECKOUT_ID = /^pay_[0-9a-z]{26}$/;

/** What an operator does as a person: get a new key by mail, pay for a plan. Neither needs a sign-in. */
export function addAccountPages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    scope.get('/recover/:token', (request: RecoverRequest, reply) => showRecovery(deps, request, reply));
    scope.post('/recover/:token', (request: RecoverRequest, reply) => recover(deps, request, reply));
    scope.get('/pay/:checkoutId', (request: PayRequest, reply) => showCheckout(deps, request, reply));
    scope.post('/pay/:checkoutId', (request: PayRequest, reply) => pay(deps, request, reply));
  });
}

async function showRecovery(deps: Deps, request: RecoverRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { token } = request.params;
  const agent = TOKEN.test(token) ? await findRecoveryLink(deps.pool, token, deps.clock.now()) : undefined;
  if (agent === undefined) throw linkNotGood();
  const csrf = csrfField(deps, request, reply);
  return sendPage(reply, recoverPage({ site: siteOf(deps), agent, action: `/recover/${token}`, csrf }));
}

async function recover(deps: Deps, request: RecoverRequest, reply: FastifyReply): Promise<FastifyReply> {
  checkCsrf(deps, request);
  const { token } = request.params;
  const now = deps.clock.now();
  const used = await deps.pool.begin(async (sql) => {
    if (!TOKEN.test(token)) return undefined;
    const recovered = await useRecoveryLink(sql, deps.config.prefix, token, now);
    if (recovered !== undefined) {
      await recordAudit(sql, {
        at: now,
        actor: `address:${request.ip}`,
        operation: 'use_recovery_link',
        requestId: request.id,
        subject: recovered.agent.id,
      });
    }
    return recovered;
  });
  if (used === undefined) throw linkNotGood();
  reply.header('cache-control', 'no-store');
  return sendPage(reply, newKeyPage({ site: siteOf(deps), ...used }));
}

function linkNotGood(): AppError {
  return new AppError('link_expired', 'This link was used, is too old, or was not copied whole.', {
    hint: 'Ask for a new one with POST /api/agent/recover. If the key was shown to you, it is good.',
  });
}

async function showCheckout(deps: Deps, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
  const checkout = await openCheckoutOf(deps, request);
  const csrf = csrfField(deps, request, reply);
  return sendPage(reply, payPage({ site: siteOf(deps), checkout, action: `/pay/${checkout.id}`, csrf }));
}

async function pay(deps: Deps, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
  checkCsrf(deps, request);
  const checkout = await openCheckoutOf(deps, request);
  const now = deps.clock.now();
  await deps.pool.begin(async (sql) => {
    if (!(await completeCheckout(sql, checkout.id, 'test', now))) return;
    await recordAudit(sql, {
      at: now,
      actor: `address:${request.ip}`,
      operation: 'pay_checkout',
      requestId: request.id,
      subject: checkout.agent_id,
      detail: { checkout: checkout.id, plan: checkout.plan, amount_cents: checkout.amount_cents, test: true },
    });
  });
  return reply.redirect(`/pay/${checkout.id}`, 303);
}

/** A checkout that can be paid, or that was. */
async function openCheckoutOf(deps: Deps, request: PayRequest): Promise<Checkout> {
  const { checkoutId } = request.params;
  const checkout = CHECKOUT_ID.test(checkoutId) ? await findCheckout(deps.pool, checkoutId) : undefined;
  if (checkout === undefined) throw new AppError('not_found', 'There is no checkout at this address.');
  if (checkout.paid_at === null && checkout.expires_at <= deps.clock.now()) {
    throw new AppError('link_expired', 'This checkout was open for a day and has closed. Nothing was paid.', {
      hint: 'Have the agent ask for a new one with POST /api/agent/me/plan.',
    });
  }
  return checkout;
}
