import { html, type Html } from '../../core/text/html.ts';
import { dollarsOf, usdOfMillicents } from '../../metering/plan-table.ts';
import { sumUsage, type MonthTotal, type ToolUsage } from '../../metering/partner-usage.ts';
import { PARTNER_PLANS } from '../../metering/plans.ts';
import type { ListedPartner } from '../../accounts/partners/partner-roster.ts';
import { barChart } from './frame/bar-chart.ts';
import { definitionList } from './frame/definition-list.ts';
import { usd } from '../../core/text/money.ts';
import { formatNumber } from '../../core/text/format-count.ts';
import { recordTable, type RecordColumn } from './frame/table.ts';

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });

/** Shows a partner's usage: this month in figures and by tool, earlier months as bars; side by side where it fits. */
export function usageSection(
  partner: Pick<ListedPartner, 'plan' | 'pay_per_call' | 'spend_limit_cents'>,
  tools: readonly ToolUsage[],
  months: readonly MonthTotal[],
  sideBySide = false,
): Html {
  const { included, per_minute } = PARTNER_PLANS[partner.plan];
  const { calls, costMillicents } = sumUsage(tools);
  const pays = partner.pay_per_call || PARTNER_PLANS[partner.plan].pay_per_call;
  return html`${definitionList('tiles', [
      ['Calls this month (UTC)', formatNumber(calls)],
      ['Included, left', formatNumber(Math.max(0, included - calls))],
      ['Calls a minute', formatNumber(per_minute)],
      ['Beyond the allowance', usdOfMillicents(costMillicents)],
    ])}
    <p class="soft">
      ${
        pays
          ? `Calls beyond ${formatNumber(included)} are charged at their price, up to ${usd(partner.spend_limit_cents)} a month.`
          : `Calls beyond ${formatNumber(included)} a month are refused, because pay-per-call is off.`
      }
    </p>
    <div class="${sideBySide ? 'columns' : 'flow'}">
      <section class="card">
        ${barChart({
          title: 'Calls a month.',
          caption: 'Included calls below, calls beyond the allowance above; months in UTC.',
          empty: `None in the last ${months.length} months.`,
          bars: months.map(({ month, calls: all, overage_calls: past }) => ({
            label: MONTH.format(new Date(month)),
            parts: [
              { kind: '', value: all - past },
              { kind: 'past', value: past },
            ],
          })),
        })}
      </section>
      <section class="card flow">
        <h2>By tool, this month</h2>
        ${
          tools.length === 0
            ? html`<p class="soft">No calls yet. The first one appears here.</p>`
            : toolTable(tools, [
                [{ number: 'Calls' }, ({ calls: made }) => formatNumber(made)],
                [{ number: 'Paid' }, ({ overage_calls }) => formatNumber(overage_calls)],
                [{ number: 'Cost, USD' }, ({ cost_millicents }) => dollarsOf(cost_millicents)],
              ])
        }
      </section>
    </div>`;
}

/** Lists tools with some figures. */
export function toolTable<Row extends { tool: string }>(
  tools: readonly Row[],
  figures: readonly RecordColumn<Row>[],
): Html {
  return recordTable('dense', tools, [
    ['Tool', ({ tool }) => html`<code>${brokenAtUnderscores(tool)}</code>`],
    ...figures,
  ]);
}

/** Allows line breaks after underscores, so that long tool names wrap on a phone. */
function brokenAtUnderscores(name: string): Html[] {
  return name.split(/(?<=_)/).map((word) => html`${word}<wbr />`);
}
