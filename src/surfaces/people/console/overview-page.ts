import { countRecoveryCodes } from '../../../accounts/staff/second-factor.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { expectedBy } from '../../../submissions/expected-by.ts';
import { readReviewMetrics, type ReviewMetrics } from '../../../submissions/review/review-figures.ts';
import { link, userText } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { definePage } from '../person/page.ts';
import { allStaff } from '../person/people.ts';
import { nameFirstItems, readBacklogs, type Backlog, type BacklogItem, type QueueName } from './backlog.ts';
import { barChart } from '../frame/bar-chart.ts';
import { HEALTH_PATH, healthParts, problemCards, readHealth, type HealthPart } from './health-page.ts';
import { formatDuration } from './moment.ts';
import { SET_UP_PATH, unfinishedItems, type SetUpItem } from './set-up/set-up.ts';

const DAYS = 14;
const FEW_CODES = 3;

export const overviewPage = definePage({
  path: '/console',
  who: allStaff,
  nav: { label: 'Overview', key: 'o' },
  follows: () => [
    'submissions',
    'desk',
    'bookings',
    'photos',
    'positions',
    'deliveries',
    'outbox',
    'partners',
  ],
  async load({ deps, person, now }) {
    const { pool } = deps;
    const [figures, codes, health, backlogs] = await Promise.all([
      readReviewMetrics(pool, now, DAYS, (submittedAt) => expectedBy(submittedAt) < now),
      countRecoveryCodes(pool, person.id),
      readHealth(pool),
      readBacklogs(deps),
    ]);
    return { figures, codes, health, backlogs, items: await nameFirstItems(deps, backlogs) };
  },
  view: ({ deps, now }, { figures, codes, health, backlogs, items }) => ({
    title: 'Overview',
    notice:
      codes < FEW_CODES
        ? {
            kind: 'bad',
            text: html`You have ${formatCount(codes, 'recovery code')} left.
              <a href="/console/account">Make new ones</a> before you need them.`,
          }
        : undefined,
    body: html`${problemCards(health)}
      <div class="board">
        ${BOARD.map((queue) => queueCard(queue, backlogs[queue.name], items[queue.name], now))}
        ${healthCard(healthParts(health))} ${setUpCard(unfinishedItems(deps))}
      </div>
      ${tiles(figures)}
      <div class="columns">
        <section class="card">${ageChart(figures)}</section>
        <section class="card">${decisionChart(figures)}</section>
      </div>`,
  }),
});

interface BoardQueue {
  name: QueueName;
  title: string;
  /** Text of the card while nothing waits. */
  none: string;
}

const BOARD: readonly BoardQueue[] = [
  { name: 'review', title: 'Review', none: 'No submission is waiting.' },
  { name: 'desk', title: 'Desk', none: 'No venue has to be called.' },
  { name: 'photos', title: 'Photos', none: 'No photo has to be checked.' },
  { name: 'positions', title: 'Positions', none: 'No venue has moved its pin far.' },
  { name: 'bookings', title: 'Bookings', none: 'Every table request has its answer.' },
  { name: 'deliveries', title: 'Deliveries', none: 'Partners have accepted every webhook.' },
  { name: 'outbox', title: 'Outbox', none: 'No message has to be passed on.' },
  { name: 'partners', title: 'Applications of partners', none: 'No partner waits for a decision.' },
];

function queueCard(
  { name, title, none }: BoardQueue,
  { count, oldest }: Backlog,
  items: readonly BacklogItem[],
  now: Date,
): Html {
  // Deliveries that arrived are listed too: the link shows those that the count is about.
  const href = `/console/${name}${name === 'deliveries' && count > 0 ? '?state=failing' : ''}`;
  return boardCard(
    title,
    href,
    count,
    oldest === null
      ? html`<p class="soft">${none}</p>`
      : html`<p class="soft">${waiting(now.getTime() - oldest.getTime())}</p>
          <ul>
            ${items.map((item) => html`<li>${link(item.href, userText(item.name))}</li>`)}
          </ul>`,
  );
}

function waiting(ms: number): string {
  return ms < MINUTE_MS ? 'The oldest came just now' : `The oldest for ${formatDuration(ms)}`;
}

function boardCard(title: string, href: string, count: number, body: Html): Html {
  const id = title.toLowerCase().replaceAll(' ', '-');
  return html`<section class="card" aria-labelledby="board-${id}">
    <h2 id="board-${id}">
      <a href="${safeHref(href)}">${title}</a> <span class="count">${formatNumber(count)}</span>
    </h2>
    ${body}
  </section>`;
}

function healthCard(parts: readonly HealthPart[]): Html {
  const broken = parts.filter(({ problem }) => problem !== null);
  return boardCard(
    'Health',
    HEALTH_PATH,
    broken.length,
    broken.length === 0
      ? html`<p class="soft">All is well.</p>`
      : html`<ul>
          ${broken.map(({ problem }) => html`<li>${problem}</li>`)}
        </ul>`,
  );
}

function setUpCard(unfinished: readonly SetUpItem[]): Html {
  return boardCard(
    'Set-up',
    SET_UP_PATH,
    unfinished.length,
    unfinished.length === 0
      ? html`<p class="soft">Everything is set up.</p>`
      : html`<ul>
          ${unfinished.map(({ name, state }) => html`<li>${name}: ${state === 'test' ? 'for trying out' : 'not set up'}</li>`)}
        </ul>`,
  );
}

function tiles({ overdue, days }: ReviewMetrics): Html {
  const today = days.at(-1);
  return definitionList('tiles', [
    ['Past the expected time', formatNumber(overdue), overdue > 0 && 'bad'],
    ['Decided today (UTC)', formatNumber((today?.approved ?? 0) + (today?.rejected ?? 0))],
  ]);
}

function ageChart({ ages }: ReviewMetrics): Html {
  return barChart({
    title: 'Age of waiting submissions.',
    caption: 'Most should be reviewed within one working day.',
    empty: 'Nothing is waiting.',
    bars: ages.map(({ label, count: waiting }) => ({ label, parts: [{ kind: '', value: waiting }] })),
  });
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function decisionChart({ days }: ReviewMetrics): Html {
  return barChart({
    title: 'Decisions a day.',
    caption: 'Approved below, rejected above; the last 14 days in UTC.',
    every: 3,
    empty: 'There were no decisions in this period.',
    bars: days.map(({ day, approved, rejected }) => ({
      label: DAY.format(new Date(`${day}T00:00:00Z`)),
      parts: [
        { kind: 'approved', value: approved },
        { kind: 'rejected', value: rejected },
      ],
    })),
  });
}
