import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { completeCheckout, findCheckout, type Checkout } from '../../../accounts/partners/plan-checkout.ts';
import { recordAudit } from '../../../core/audit.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { creditTopUp, findTopUp, type TopUp } from '../../../wallet/top-up.ts';
import { checkCsrf, csrfField } from '../form/csrf.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { payPage } from './pay-page.ts';
import { topUpPage } from './top-up-page.ts';

type PayRequest = FastifyRequest<{ Params: { id: string } }>;

/** What is to be paid: a month of a plan, or credit for a wallet. */
type Due = { what: 'plan'; checkout: Checkout } | { what: 'topup'; checkout: TopUp };

const DUE_ID = /^(pay|top)_[0-9a-z]{26}$/;

/** Where a person pays, without signing in: whoever has the link may. */
export function addPayPages(scope: FastifyInstance, deps: Deps): void {
  scope.get('/pay/:id', (request: PayRequest, reply) => showDue(deps, request, reply));
  scope.post('/pay/:id', (request: PayRequest, reply) => pay(deps, request, reply));
}

async function showDue(deps: Deps, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
  const due = await payable(deps, request);
  const common = {
    site: siteOf(deps),
    test: deps.stripe === undefined,
    action: `/pay/${due.checkout.id}`,
    csrf: csrfField(deps, request, reply),
  };
  allowProvider(deps, reply);
  return sendPage(
    reply,
    due.what === 'plan'
      ? payPage({ ...common, checkout: due.checkout })
      : topUpPage({ ...common, topUp: due.checkout }),
  );
}

async function pay(deps: Deps, request: PayRequest, reply: FastifyReply): Promise<FastifyReply> {
  checkCsrf(deps, request);
  const due = await payable(deps, request);
  const { id, amount_cents: amountCents, agent_name: agentName, paid_at: paidAt } = due.checkout;
  if (paidAt !== null) return reply.redirect(`/pay/${id}`, 303);
  if (deps.stripe !== undefined) {
    const { serviceName, baseUrl } = deps.config;
    const title =
      due.what === 'plan'
        ? `${serviceName}: plan ${due.checkout.plan} for ${agentName}, one month`
        : `${serviceName}: photo wallet of ${agentName}`;
    const returnUrl = `${baseUrl}/pay/${id}`;
    return reply.redirect(await deps.stripe.openCheckout({ id, amountCents, title, returnUrl }), 303);
  }
  await payInTest(deps, request, due);
  return reply.redirect(`/pay/${id}`, 303);
}

/** No payment provider is set up: a plan holds, a wallet gets test credit, and no money moves. */
async function payInTest(deps: Deps, request: PayRequest, due: Due): Promise<void> {
  const now = deps.clock.now();
  const { id, agent_id, amount_cents } = due.checkout;
  await deps.pool.begin(async (sql) => {
    const first =
      due.what === 'plan'
        ? await completeCheckout(sql, id, 'test', now)
        : await creditTopUp(sql, { newId: deps.newId, now }, id, {
            reference: id,
            book: 'test',
            amountCents: amount_cents,
          });
    if (!first) return;
    await recordAudit(sql, {
      at: now,
      actor: `address:${request.ip}`,
      operation: 'pay_checkout',
      requestId: request.id,
      subject: agent_id,
      detail: {
        checkout: id,
        ...(due.what === 'plan' && { plan: due.checkout.plan }),
        amount_cents,
        test: true,
      },
    });
  });
  if (due.what === 'plan') await deps.lease.lapsed();
}

/** What can be paid, or was. */
async function payable(deps: Deps, request: PayRequest): Promise<Due> {
  const { id } = request.params;
  const due = DUE_ID.test(id) ? await findDue(deps, id) : undefined;
  if (due === undefined) throw new AppError('not_found', 'There is no checkout at this address.');
  if (due.checkout.paid_at === null && due.checkout.expires_at <= deps.clock.now()) {
    const again = due.what === 'plan' ? '/api/agent/me/plan' : '/api/agent/photos/topup';
    throw new AppError('link_expired', 'This checkout was open for a day and has closed. Nothing was paid.', {
      hint: `Have the agent ask for a new one with POST ${again}.`,
    });
  }
  return due;
}

async function findDue(deps: Deps, id: string): Promise<Due | undefined> {
  if (id.startsWith('pay_')) {
    const checkout = await findCheckout(deps.pool, id);
    return checkout && { what: 'plan', checkout };
  }
  const checkout = await findTopUp(deps.pool, id);
  return checkout && { what: 'topup', checkout };
}

/** A form that leads on to another site needs that site's leave in the policy of its page. */
function allowProvider({ config, stripe }: Deps, reply: FastifyReply): void {
  const policy = reply.getHeader('content-security-policy');
  if (stripe === undefined || typeof policy !== 'string') return;
  const sites = ['https://checkout.stripe.com', ...(config.stripe?.apiUrl ? [config.stripe.apiUrl] : [])];
  reply.header(
    'content-security-policy',
    policy.replace("form-action 'self'", `form-action 'self' ${sites.join(' ')}`),
  );
}
