import { html, type Html } from '../../../core/text/html.ts';
import { DAILY_CAP_CENTS } from '../../../licensing/daily-cap.ts';
import type { TopUp } from '../../../wallet/top-up.ts';
import type { Site } from '../frame/layout.ts';
import { accountPage } from './account-page.ts';
import { usd } from '../../../core/text/money.ts';
import { formatTime } from '../console/moment.ts';
import { factTable } from './pay-page.ts';

/**
 * Page on which a person pays into an agent's wallet. Without a payment provider it grants test credit only, and the
 * page states so.
 */
export function topUpPage(model: {
  site: Site;
  topUp: TopUp;
  test: boolean;
  action: string;
  csrf: Html;
}): string {
  const { site, topUp, test, action, csrf } = model;
  const paid = topUp.paid_at !== null;
  return accountPage({
    site,
    title: paid ? 'Paid' : 'Top up a wallet',
    heading: paid ? 'The wallet is topped up' : 'Top up a wallet',
    description: 'The wallet of an agent, filled by a person.',
    test,
    body: html`<p>
        ${
          paid
            ? html`<strong>${topUp.agent_name}</strong> can now license photos with it. You need not do
                anything else.`
            : html`The agent <strong>${topUp.agent_name}</strong> asks you to pay into its wallet. It uses the
                wallet only to license photos of places.`
        }
      </p>
      ${factTable([
        ['Agent', topUp.agent_name],
        ['Operator', topUp.operator_name],
        ['Amount', test ? `${usd(topUp.amount_cents)} of test credit` : usd(topUp.amount_cents)],
        ['It can spend', `at most ${usd(DAILY_CAP_CENTS)} in a UTC day`],
        topUp.paid_at === null
          ? ['Pay by', formatTime(topUp.expires_at)]
          : ['Paid', formatTime(topUp.paid_at)],
      ])}
      ${paid ? test && RECEIPT : payForm(topUp, test, action, csrf)}`,
  });
}

function payForm({ amount_cents }: TopUp, test: boolean, action: string, csrf: Html): Html {
  return html`<form method="post" action="${action}">
      ${csrf}
      <button class="button" type="submit">
        ${test ? `Add ${usd(amount_cents)} of test credit` : `Pay ${usd(amount_cents)}`}
      </button>
    </form>
    <p class="soft">
      ${
        test
          ? 'No payment provider is set up here, so you need no card and no money moves. Test credit buys licences that are marked as tests.'
          : 'The next page is the payment provider’s own. The wallet is filled as soon as your payment is confirmed. Only a person can pay; the agent cannot.'
      }
    </p>`;
}

const RECEIPT = html`<p class="soft">
  This was a test: no card was needed and no money moved. Licences bought with it are marked as tests.
</p>`;
