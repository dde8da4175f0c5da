import type { ListedPartner } from '../../../accounts/partners/partner-roster.ts';
import type { BookingStatus } from '../../../bookings/booking.ts';
import { countPartnerBookings } from '../../../bookings/request/list-bookings.ts';
import { formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { DAY_MS } from '../../../core/time.ts';
import {
  listPartnerCalls,
  usageByDay,
  usageByTool,
  type DayTotal,
  type LoggedCall,
  type ToolTotal,
} from '../../../metering/partner-calls.ts';
import { monthUsage, sumUsage } from '../../../metering/partner-usage.ts';
import { PARTNER_PLANS } from '../../../metering/plans.ts';
import { CONNECTIONS_PATH } from '../../../oauth/paths.ts';
import { readDeliveryHealth, type DeliveryHealth } from '../../../webhooks/delivery-state.ts';
import { findEndpoint, type WebhookEndpoint } from '../../../webhooks/endpoint.ts';
import { isPoor, readPartnerRecord, type PartnerRecord } from '../../../bookings/outcomes/partner-record.ts';
import { statusBadges } from '../console/bookings/booking-words.ts';
import { barChart } from '../frame/bar-chart.ts';
import { formatTime } from '../console/moment.ts';
import { keyFacts } from '../console/record-parts.ts';
import { actionForm } from '../form/action-form.ts';
import { badge, card } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { sentenceCase } from '../frame/wording.ts';
import type { Action } from '../person/action.ts';
import { anybody } from '../person/audience.ts';
import { definePage, ofAccount } from '../person/page.ts';
import { partner } from '../person/people.ts';
import { signOutAction } from '../person/sign-out.ts';
import { toolTable } from '../usage-section.ts';
import { callTable } from './requests-page.ts';

const DAYS = 30;
const ERRORS_SHOWN = 5;
const HEALTH_DAYS = 7;

export const partnerSignOut: Action<unknown> = signOutAction({
  session: 'partner',
  path: '/partner/sign-out',
  who: anybody,
  to: '/partner/sign-in',
});

/** A partner's account at a glance: quota, calls by day, last errors, webhook and bookings. */
export const partnerOverviewPage = definePage({
  path: '/partner',
  ...ofAccount(partner),
  async load({ deps, person, now }) {
    const { pool } = deps;
    const { id, bookings_from: createdFrom } = person;
    await Promise.all([deps.meter.settle(id), deps.partnerCalls.flush()]);
    const [month, days, tools, errors, endpoint, health, bookings, record] = await Promise.all([
      monthUsage(pool, id, now),
      usageByDay(pool, id, now, DAYS),
      usageByTool(pool, id, now, DAYS),
      listPartnerCalls(pool, { partnerId: id, onlyFailed: true, limit: ERRORS_SHOWN }),
      findEndpoint(pool, id),
      readDeliveryHealth(pool, id, new Date(now.getTime() - HEALTH_DAYS * DAY_MS)),
      countPartnerBookings(pool, { partnerId: id, createdFrom }),
      readPartnerRecord({ db: pool, now }, id),
    ]);
    return { calls: sumUsage(month).calls, days, tools, errors, endpoint, health, bookings, record };
  },
  view: (req, { calls, days, tools, errors, endpoint, health, bookings, record }, state) => ({
    title: req.person.name,
    lead: html`Your partner account, <code>${req.person.id}</code>. Days and months are those of UTC.`,
    body: html`${quotaCard(req.person, calls)}
      <div class="columns">
        <section class="card">${dayChart(days)}</section>
        ${toolCard(tools)}
      </div>
      <div class="columns">
        ${webhookCard(endpoint, health)} ${bookingCard(req.person, bookings, recordList(record, req.deps))}
      </div>
      ${errorCard(errors)} ${accountCard(req.person)}
      ${actionForm(req, partnerSignOut, state, {
        more: html`<p class="soft">Signed in as <bdi>${req.person.email}</bdi>.</p>`,
      })}`,
  }),
});

function quotaCard({ plan, pay_per_call }: ListedPartner, calls: number): Html {
  const { included, per_minute, pay_per_call: paysAnyway } = PARTNER_PLANS[plan];
  const share = Math.min(100, (100 * calls) / included);
  const beyond =
    pay_per_call || paysAnyway ? 'Calls beyond that are charged.' : 'Calls beyond that are refused.';
  return card(
    html`${sentenceCase(plan)} plan`,
    html`<p>
        <strong>${formatNumber(calls)}</strong> of ${formatNumber(included)} calls used this month,
        ${formatNumber(per_minute)} a minute at most. ${beyond} <a href="/partner/plan">Plan and costs</a>
      </p>
      <svg
        class="quota"
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        role="img"
        aria-label="${`${Math.floor(share)} % of the calls of this month are used`}"
      >
        <rect width="100" height="1" />
        <rect class="used" width="${share.toFixed(2)}" height="1" />
      </svg>`,
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function dayChart(days: readonly DayTotal[]): Html {
  return barChart({
    title: 'Calls a day.',
    caption: `Directory calls below, concierge calls above; the last ${DAYS} days.`,
    empty: `None in the last ${DAYS} days.`,
    every: 6,
    bars: days.map(({ day, directory, concierge }) => ({
      label: DAY.format(new Date(`${day}T00:00:00Z`)),
      parts: [
        { kind: '', value: directory },
        { kind: 'past', value: concierge },
      ],
    })),
  });
}

function toolCard(tools: readonly ToolTotal[]): Html {
  return card(
    `By tool, ${DAYS} days`,
    tools.length === 0
      ? html`<p class="soft">
          No calls yet. <a href="/partner/keys">Create a key</a> and run a command of the quick start.
        </p>`
      : toolTable(tools, [
          [{ number: 'Calls' }, ({ calls }) => formatNumber(calls)],
          [{ number: 'Errors' }, ({ failed }) => formatNumber(failed)],
        ]),
  );
}

function webhookCard(endpoint: WebhookEndpoint | undefined, health: DeliveryHealth): Html {
  const { delivered, failing, given_up: givenUp, next_attempt_at: next } = health;
  if (endpoint === undefined)
    return card(
      'Webhook',
      html`<p class="soft">
        Your program is not notified of moves. <a href="/partner/webhook">Set an address</a> and send a test
        event.
      </p>`,
    );
  const state =
    endpoint.disabled_reason !== null
      ? badge('bad', 'Off')
      : failing > 0
        ? badge('warn', 'Failing')
        : badge('good', 'On');
  return card(
    html`Webhook ${state}`,
    html`${definitionList('record', [
        [`Delivered in ${HEALTH_DAYS} days`, formatNumber(delivered)],
        ['Repeated now', formatNumber(failing)],
        ['Next try', next !== null && formatTime(next)],
        [`Given up in ${HEALTH_DAYS} days`, formatNumber(givenUp)],
      ])}
      <p><a href="/partner/webhook">Deliveries and test event</a></p>`,
  );
}

function bookingCard(
  { bookings_enabled: isOn }: ListedPartner,
  counts: readonly { status: BookingStatus; bookings: number }[],
  record: Html | false,
): Html {
  return card(
    html`Bookings ${isOn ? badge('good', 'On') : badge('', 'Off')}`,
    html`${
        counts.length === 0
          ? html`<p class="soft">No table was requested yet.</p>`
          : definitionList(
              'record',
              counts.map(
                ({ status, bookings }) =>
                  [statusBadges({ status, frozenAt: null }), formatNumber(bookings)] as const,
              ),
            )
      }
      ${record}
      <p>
        <a href="/partner/bookings">${isOn ? 'All bookings' : 'Apply for table requests'}</a>
      </p>`,
  );
}

/** Outcomes of the tables of a year, as venues see them when they are asked. */
function recordList(record: PartnerRecord, deps: Parameters<typeof isPoor>[1]): Html | false {
  const { came, absent, late } = record;
  if (came + absent + late === 0) return false;
  return html`<p class="soft">
      What became of your tables in the last year. Venues see it when they are asked.
    </p>
    ${definitionList('record', [
      ['The guests came', formatNumber(came)],
      ['Nobody came', formatNumber(absent)],
      ['Cancelled late', formatNumber(late)],
    ])}
    ${isPoor(record, deps) && html`<p>${badge('warn', 'Limits lowered')} Too many tables were lost.</p>`}`;
}

function errorCard(errors: readonly LoggedCall[]): Html {
  return card(
    'Last errors',
    errors.length === 0
      ? html`<p class="soft">No call failed in the last days.</p>`
      : html`${callTable(errors)}
          <p><a href="/partner/requests?result=error">All errors</a></p>`,
  );
}

function accountCard(person: ListedPartner): Html {
  return card(
    'Key and account',
    html`${definitionList('record', [...keyFacts(person), ['Status', sentenceCase(person.status)]])}
      <p class="soft">
        Create, replace and revoke your key under <a href="/partner/keys">Keys</a>. Programs that you allowed
        by signing in, without a key, are listed under <a href="${CONNECTIONS_PATH}">connected clients</a>.
      </p>`,
  );
}
