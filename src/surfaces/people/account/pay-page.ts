import type { FastifyReply } from 'fastify';
import { completeCheckout, findCheckout, type Checkout } from '../../../accounts/partners/plan-checkout.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { DAILY_CAP_CENTS } from '../../../licensing/daily-cap.ts';
import { AGENT_PLANS } from '../../../metering/plans.ts';
import { paymentsOf, requirePayments } from '../../../wallet/payments.ts';
import { creditTopUp, findTopUp, type TopUp } from '../../../wallet/top-up.ts';
import { formatTime } from '../console/moment.ts';
import { actionForm } from '../form/action-form.ts';
import { sentenceCase } from '../frame/wording.ts';
import { defineAction, type ActionContext } from '../person/action.ts';
import { anybody, type Anybody } from '../person/audience.ts';
import { definePage } from '../person/page.ts';

const PATH = '/pay/:id';

/** The item to be paid: a month of a plan, or credit for a wallet. */
type Due = { what: 'plan'; checkout: Checkout } | { what: 'topup'; checkout: TopUp };

const DUE_ID = /^(pay|top)_[0-9a-z]{26}$/;

const pay = defineAction({
  name: 'pay_checkout',
  path: PATH,
  who: anybody,
  plain: false,
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
});

/**
 * The payment page needs no sign-in: anybody with the link may pay. Without a payment provider it is a test, in which
 * no money moves, and the page states so.
 */
export const payPage = definePage({
  path: PATH,
  who: anybody,
  load: ({ deps, params, now }) => requirePayable(deps, deps.pool, params['id'] ?? '', now),
  view(req, due, state) {
    const { deps, reply } = req;
    allowProvider(deps, reply);
    const test = paymentsOf(deps) === 'test';
    const paid = due.checkout.paid_at !== null;
    const { title, text, facts, button, note } =
      due.what === 'plan' ? planWords(due.checkout, test) : topUpWords(due.checkout, test);
    return {
      title,
      body: html`${test && html`<p><span class="badge warn">Test checkout</span></p>`}
        <p>${text}</p>
        ${factTable(facts)} ${!paid && actionForm(req, pay, state, { button })}
        ${(test || !paid) && html`<p class="soft">${note}</p>`}`,
    };
  },
  actions: [pay],
});

/** Words of a payment page. */
interface PayWords {
  title: string;
  text: Html;
  facts: readonly (readonly [string, string | Html])[];
  button: string;
  /** Explains what the payment does, or what it did in a test. */
  note: string;
}

const NO_CARD = 'No payment provider is set up here, so you need no card and no money moves.';
const OWN_PAGE = 'The next page is the payment provider’s own.';
const WAS_TEST = 'This was a test: no card was needed and no money moved.';

function planWords(checkout: Checkout, test: boolean): PayWords {
  const { agent_name, operator_name, plan, amount_cents, paid_at } = checkout;
  const { reads_per_day, reads_per_minute, beta } = AGENT_PLANS[plan];
  const paid = paid_at !== null;
  const applies = test
    ? `${NO_CARD} The larger quota applies as soon as you press the button;`
    : `${OWN_PAGE} The larger quota applies as soon as your payment is confirmed;`;
  return {
    title: paid ? 'The plan is paid' : 'Pay for a plan',
    text: paid
      ? html`<strong>${agent_name}</strong> has its new plan now. You need not do anything else.`
      : html`The agent <strong>${agent_name}</strong> asks you to pay for one month of a plan.`,
    facts: [
      ['Operator', operator_name],
      ['Plan', sentenceCase(plan)],
      [
        'Reads',
        `${formatNumber(reads_per_day)} a day, ${formatNumber(reads_per_minute)} a minute${beta ? ', and beta features' : ''}`,
      ],
      ['Amount', usd(amount_cents)],
      deadline(checkout),
    ],
    button: `Pay ${usd(amount_cents)}${test ? ' in test mode' : ''}`,
    note: paid ? WAS_TEST : `${applies} it ends after a month unless you pay again.`,
  };
}

function topUpWords(topUp: TopUp, test: boolean): PayWords {
  const { agent_name, operator_name, amount_cents, paid_at } = topUp;
  const paid = paid_at !== null;
  const effect = test
    ? `${NO_CARD} Test credit buys licences that are marked as tests.`
    : `${OWN_PAGE} The wallet is filled as soon as your payment is confirmed. Only a person can pay; the agent cannot.`;
  return {
    title: paid ? 'The wallet is topped up' : 'Top up a wallet',
    text: paid
      ? html`<strong>${agent_name}</strong> can now license photos with it. You need not do anything else.`
      : html`The agent <strong>${agent_name}</strong> asks you to pay into its wallet. It uses the wallet only
          to license photos of places.`,
    facts: [
      ['Agent', agent_name],
      ['Operator', operator_name],
      ['Amount', test ? `${usd(amount_cents)} of test credit` : usd(amount_cents)],
      ['It can spend', `at most ${usd(DAILY_CAP_CENTS)} in a UTC day`],
      deadline(topUp),
    ],
    button: test ? `Add ${usd(amount_cents)} of test credit` : `Pay ${usd(amount_cents)}`,
    note: paid ? `${WAS_TEST} Licences bought with it are marked as tests.` : effect,
  };
}

function deadline({ paid_at, expires_at }: Due['checkout']): readonly [string, string | Html] {
  return paid_at === null ? ['Pay by', formatTime(expires_at)] : ['Paid', formatTime(paid_at)];
}

/** Renders what is paid for or licensed as a table of names and values. */
export function factTable(rows: readonly (readonly [string, string | Html])[]): Html {
  return html`<div class="card">
    <table>
      <tbody>
        ${rows.map(
          ([name, value]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

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
  if (due === undefined)
    throw new AppError('not_found', 'There is no checkout at this address.', {
      hint: 'Check that the link is complete, or ask the agent for a new one.',
    });
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
