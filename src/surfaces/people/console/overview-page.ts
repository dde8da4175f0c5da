import { countRecoveryCodes } from '../../../accounts/staff/second-factor.ts';
import {
  readTimelineChecks,
  type KnownChecks,
  type TimelineCheck,
} from '../../../bookings/maintenance/check-timelines.ts';
import { commandFor, type InstallationSettings } from '../../../core/installation.ts';
import { formatCount, formatNumber } from '../../../core/text/format-count.ts';
import { MINUTE_MS } from '../../../core/time.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { listWatchStops, type WatchStop } from '../../../import/changes/watch-stop.ts';
import { readStalledRunners, type StalledRunner } from '../../../jobs/dead-runners.ts';
import type { Kind } from '../../../jobs/kinds.ts';
import { expectedBy } from '../../../submissions/expected-by.ts';
import { readReviewMetrics, type ReviewMetrics } from '../../../submissions/review/review-figures.ts';
import { card, link, userText } from '../frame/components.ts';
import { definitionList } from '../frame/definition-list.ts';
import { definePage } from '../person/page.ts';
import { ALL_ROLES, staff } from '../person/people.ts';
import { nameFirstItems, readBacklogs, type Backlog, type BacklogItem, type QueueName } from './backlog.ts';
import { linkToBooking } from './bookings/booking-words.ts';
import { barChart } from '../frame/bar-chart.ts';
import { formatDuration, formatTime } from './moment.ts';
import { SET_UP_PATH, unfinishedItems, type SetUpItem } from './set-up/set-up.ts';

const DAYS = 14;
const FEW_CODES = 3;

export const overviewPage = definePage({
  path: '/console',
  who: staff(ALL_ROLES),
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
    const [figures, codes, checks, stalled, stops, backlogs] = await Promise.all([
      readReviewMetrics(pool, now, DAYS, (submittedAt) => expectedBy(submittedAt) < now),
      countRecoveryCodes(pool, person.id),
      readTimelineChecks(pool),
      readStalledRunners(pool),
      listWatchStops(pool),
      readBacklogs(deps),
    ]);
    return { figures, codes, checks, stalled, stops, backlogs, items: await nameFirstItems(deps, backlogs) };
  },
  view: ({ deps, now }, { figures, codes, checks, stalled, stops, backlogs, items }) => ({
    title: 'Overview',
    notice:
      codes < FEW_CODES
        ? {
            kind: 'bad',
            text: html`You have ${formatCount(codes, 'recovery code')} left.
              <a href="/console/account">Make new ones</a> before you need them.`,
          }
        : undefined,
    body: html`${stalledJobsCard(stalled)} ${mapWatchCard(stops)}
      <div class="board">
        ${BOARD.map((queue) => queueCard(queue, backlogs[queue.name], items[queue.name], now))}
        ${healthCard([...stalled.map(({ kind }) => WAITING[kind]), ...stops.map(({ source }) => html`Updates of the map <bdi>${source}</bdi> have stopped.`), ...brokenChecks(checks)])}
        ${setUpCard(unfinishedItems(deps))}
      </div>
      ${tiles(figures)}
      <div class="columns">
        <section class="card">${ageChart(figures)}</section>
        <section class="card">${decisionChart(figures)}</section>
      </div>
      ${timelineCard(checks, deps.config)}`,
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

function healthCard(problems: readonly (string | Html)[]): Html {
  return boardCard(
    'Health',
    '#timelines',
    problems.length,
    problems.length === 0
      ? html`<p class="soft">All background work runs.</p>`
      : html`<ul>
          ${problems.map((problem) => html`<li>${problem}</li>`)}
        </ul>`,
  );
}

function brokenChecks({ last, underWay }: KnownChecks): string[] {
  const broken = Math.max(last?.broken ?? 0, underWay?.broken ?? 0);
  return broken === 0 ? [] : [`${formatCount(broken, 'timeline is', 'timelines are')} broken.`];
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

/** Consequence of a stalled job kind. */
const WAITING: Record<Kind, string> = {
  asking: 'Table requests are not processed.',
  asking_by_system: 'Requests to booking systems of venues are not sent.',
  asking_by_mail: 'Venues are not asked by mail.',
  asking_by_text: 'Venues are not asked by text message.',
  telling: 'Webhooks to partners and callbacks to agents are not sent.',
  mail: 'Sign-in links, codes and notices are not mailed.',
  photos: 'Uploaded photos are not processed.',
  upkeep: 'Housekeeping is not done.',
};

/** Lists the job kinds that have stalled on some node. Empty while all of them run. */
function stalledJobsCard(stalled: readonly StalledRunner[]): Html {
  if (stalled.length === 0) return html``;
  return card(
    'Some background work is stalled',
    html`<ul>
        ${stalled.map(
          ({ node, kind, stalled_since }) =>
            html`<li>
              ${WAITING[kind]} <span class="soft">Since ${formatTime(stalled_since)} on ${node}.</span>
            </li>`,
        )}
      </ul>
      <p>
        The service tries to restart it every 15 seconds. If this message stays for more than a minute,
        restart that node; no waiting work is lost.
      </p>`,
    'stalled-jobs',
  );
}

/** Lists the maps whose updates have stopped; false while all are followed. */
function mapWatchCard(stops: readonly (WatchStop & { stopped_at: Date })[]): Html | false {
  if (stops.length === 0) return false;
  return card(
    html`Map updates have stopped <span class="badge bad">Needs you</span>`,
    html`${stops.map(
        ({ source, reason, stopped_at }) =>
          html`<p>
            Since ${formatTime(stopped_at)} changes of <bdi>${source}</bdi> are no longer imported:
            <bdi>${reason}</bdi>
          </p>`,
      )}
      <p>
        Replace or remove the change file, then start <code>waypost import osm … --watch</code> again. This
        notice disappears when the map is watched again.
      </p>`,
    'map-watch',
  );
}

/** Shows whether booking timelines are unaltered, according to the integrity checks so far. */
function timelineCard({ last, underWay, soundAt }: KnownChecks, config: InstallationSettings): Html {
  const broken = [last, underWay].filter((check) => check !== undefined && check.broken > 0);
  return card(
    'Timelines of bookings',
    html`${last === undefined ? neverChecked(config) : lastCheckText(last)}
    ${
      underWay !== undefined &&
      html`<p class="soft">
        A check has been running since ${formatTime(underWay.beganAt)}:
        ${formatCount(underWay.bookings, 'booking')} so far,
        ${underWay.broken === 0 ? 'none broken' : `${underWay.broken} broken`}.
      </p>`
    }
    ${broken.map((check) => check !== undefined && faultList(check))}
    ${
      broken.length > 0 &&
      html`<p>
        ${soundAt === null ? 'No check has found all timelines intact.' : html`The last check that found all timelines intact ended on ${formatTime(soundAt)}.`}
        ${verifyCommand(config)} lists all broken timelines.
      </p>`
    }`,
    'timelines',
  );
}

function neverChecked(config: InstallationSettings): Html {
  return html`<p>
    No check has finished yet. The service starts a check within an hour of its start and then every day;
    ${verifyCommand(config)} checks at once.
  </p>`;
}

function verifyCommand(config: InstallationSettings): Html {
  return html`<code>${commandFor(config, 'bookings verify').command}</code>`;
}

function lastCheckText({ bookings, entries, broken, beganAt, endedAt }: TimelineCheck): Html {
  const result = html`${formatCount(bookings, 'booking')} with ${formatCount(entries, 'entry', 'entries')},
  checked from ${formatTime(beganAt)} to ${formatTime(endedAt ?? beganAt)}`;
  return broken === 0
    ? html`<p>All timelines are intact: ${result}.</p>`
    : html`<p class="outcome bad" role="alert">
        ${formatCount(broken, 'timeline is', 'timelines are')} broken: ${result}.
      </p>`;
}

function faultList({ broken, faults }: TimelineCheck): Html {
  return html`<ul>
    ${faults.map(
      ({ booking_id, sequence, what }) =>
        html`<li>${linkToBooking(booking_id)}, entry ${sequence}: ${what}</li>`,
    )}
    ${broken > faults.length && html`<li>and ${formatCount(broken - faults.length, 'other')}</li>`}
  </ul>`;
}
