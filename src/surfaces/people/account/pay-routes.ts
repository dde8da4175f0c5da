import type { FastifyInstance, FastifyReply } from 'fastify';
import { completeCheckout, findCheckout, type Checkout } from '../../../accounts/partners/plan-checkout.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { paymentsOf, requirePayments } from '../../../wallet/payments.ts';
import { creditTopUp, findTopUp, type TopUp } from '../../../wallet/top-up.ts';
import { csrfField } from '../form/csrf.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import type { Action, ActionContext } from '../person/action.ts';
import { anybody, type Anybody } from '../person/audience.ts';
import type { PageRequest } from '../person/page-request.ts';
import { addAction, addPage } from '../person/person-route.ts';
import { payPage } from './pay-page.ts';
import { topUpPage } from './top-up-page.ts';

const PATH = '/pay/:id';

/** The item to be paid: a month of a plan, or credit for a wallet. */
type Due = { what: 'plan'; checkout: Checkout } | { what: 'topup'; checkout: TopUp };

const DUE_ID = /^(pay|top)_[0-9a-z]{26}$/;

/** Mounts the payment pages. They need no sign-in: anybody with the link may pay. */
export function addPayPages(scope: FastifyInstance, deps: Deps): void {
  addPage(scope, deps, { path: PATH, who: anybody, show: showDue });
  addAction(scope, deps, pay);
}

async function showDue({ deps, request, reply, params, now }: PageRequest): Promise<FastifyReply> {
  const due = await requirePayable(deps, deps.pool, params['id'] ?? '', now);
  const common = {
    site: siteOf(deps),
    test: paymentsOf(deps) === 'test',
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

const pay: Action<Anybody> = {
  name: 'pay_checkout',
  path: PATH,
  who: anybody,
  async run(act) {
    const { db, deps, now, params } = act;
    const due = await requirePayable(deps, db, params['id'] ?? '', now);
    const { id, paid_at: paidAt } = due.checkout;
    if (paidAt !== null) act.unchanged();
    else if (paymentsOf(deps) === 'test') await payInTest(act, due);
    else {
      // The payment counts only once the provider's event arrives.
      act.unchanged();
      act.afterCommit(async (outside) => ({ to: await openProvider(outside.deps, due) }));
    }
    return { to: `/pay/${id}` };
  },
};

/** Returns the URL of the provider's payment page. */
async function openProvider({ stripe, config }: Deps, due: Due): Promise<string> {
  if (stripe === undefined) throw new Error('There is no payment provider.');
  const { id, amount_cents: amountCents, agent_name: agentName } = due.checkout;
  const title =
    due.what === 'plan'
      ? `${config.serviceName}: plan ${due.checkout.plan} for ${agentName}, one month`
      : `${config.serviceName}: photo wallet of ${agentName}`;
  return stripe.openCheckout({ id, amountCents, title, returnUrl: `${config.baseUrl}/pay/${id}` });
}

/** Completes a test payment: the plan becomes active or the wallet gets test credit, and no money moves. */
async function payInTest(act: ActionContext<Anybody>, due: Due): Promise<void> {
  const { id, agent_id, amount_cents } = due.checkout;
  const first =
    due.what === 'plan'
      ? await completeCheckout(act.db, id, 'test', act.now)
      : await creditTopUp(act.db, act, id, { reference: id, book: 'test', amountCents: amount_cents });
  if (due.what === 'plan') act.invalidateKeyCaches();
  if (!first) {
    act.unchanged();
    return;
  }
  const plan = due.what === 'plan' && { plan: due.checkout.plan };
  act.audit(agent_id, { checkout: id, ...plan, amount_cents, test: true });
}

/** Loads an item that can be paid or was paid; throws otherwise. */
async function requirePayable(
  deps: Pick<Deps, 'config' | 'destinations'>,
  db: Db,
  id: string,
  now: Date,
): Promise<Due> {
  const due = DUE_ID.test(id) ? await findDue(db, id) : undefined;
  if (due === undefined) throw new AppError('not_found', 'There is no checkout at this address.');
  if (due.checkout.paid_at === null) requirePayments(deps);
  if (due.checkout.paid_at === null && due.checkout.expires_at <= now) {
    const again = due.what === 'plan' ? '/api/agent/me/plan' : '/api/agent/photos/topup';
    throw new AppError('link_expired', 'This checkout has expired after one day. Nothing was paid.', {
      hint: `Have the agent create a new one with POST ${again}.`,
    });
  }
  return due;
}

async function findDue(db: Db, id: string): Promise<Due | undefined> {
  if (id.startsWith('pay_')) {
    const checkout = await findCheckout(db, id);
    return checkout && { what: 'plan', checkout };
  }
  const checkout = await findTopUp(db, id);
  return checkout && { what: 'topup', checkout };
}

/** Allows the provider in the page's form-action policy, since the form redirects there. */
function allowProvider({ config, stripe }: Deps, reply: FastifyReply): void {
  const policy = reply.getHeader('content-security-policy');
  if (stripe === undefined || typeof policy !== 'string') return;
  const sites = ['https://checkout.stripe.com', ...(config.stripe?.apiUrl ? [config.stripe.apiUrl] : [])];
  reply.header(
    'content-security-policy',
    policy.replace("form-action 'self'", `form-action 'self' ${sites.join(' ')}`),
  );
}
