import type { Checkout } from '../../../accounts/partners/plan-checkout.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { AGENT_PLANS } from '../../../metering/plans.ts';
import { usd } from '../../../core/text/money.ts';
import { formatTime } from '../console/moment.ts';
import type { Site } from '../frame/layout.ts';
import { accountPage } from './account-page.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { sentenceCase } from '../frame/wording.ts';

/** Page on which a person pays for an agent's plan. Without a payment provider it is a test, and the page states so. */
export function payPage(model: {
  site: Site;
  checkout: Checkout;
  test: boolean;
  action: string;
  csrf: Html;
}): string {
  const { site, checkout, test, action, csrf } = model;
  const paid = checkout.paid_at !== null;
  return accountPage({
    site,
    title: paid ? 'Paid' : 'Pay for a plan',
    heading: paid ? 'The plan is paid' : 'Pay for a plan',
    description: 'A plan of an agent, paid by a person.',
    test,
    body: html`<p>
        ${
          paid
            ? html`<strong>${checkout.agent_name}</strong> has its new plan now. You need not do anything
                else.`
            : html`The agent <strong>${checkout.agent_name}</strong> asks you to pay for one month of a plan.`
        }
      </p>
      ${facts(checkout)} ${paid ? test && RECEIPT : payForm(checkout, test, action, csrf)}`,
  });
}

function facts({ operator_name, plan, amount_cents, expires_at, paid_at }: Checkout): Html {
  const { reads_per_day, reads_per_minute, beta } = AGENT_PLANS[plan];
  return factTable([
    ['Operator', operator_name],
    ['Plan', sentenceCase(plan)],
    [
      'Reads',
      `${formatNumber(reads_per_day)} a day, ${formatNumber(reads_per_minute)} a minute${beta ? ', and beta features' : ''}`,
    ],
    ['Amount', usd(amount_cents)],
    paid_at === null ? ['Pay by', formatTime(expires_at)] : ['Paid', formatTime(paid_at)],
  ]);
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

function payForm({ amount_cents }: Checkout, test: boolean, action: string, csrf: Html): Html {
  return html`<form method="post" action="${action}">
      ${csrf}
      <button class="button" type="submit">Pay ${usd(amount_cents)}${test && ' in test mode'}</button>
    </form>
    <p class="soft">
      ${
        test
          ? 'No payment provider is set up here, so you need no card and no money moves. The larger quota applies as soon as you press the button;'
          : 'The next page is the payment provider’s own. The larger quota applies as soon as your payment is confirmed;'
      }
      it ends after a month unless you pay again.
    </p>`;
}

const RECEIPT = html`<p class="soft">This was a test: no card was needed and no money moved.</p>`;
