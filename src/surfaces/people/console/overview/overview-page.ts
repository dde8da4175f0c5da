import { countRecoveryCodes } from '../../../../accounts/staff/second-factor.ts';
import { readTimelineChecks } from '../../../../bookings/maintenance/check-timelines.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { listWatchStops } from '../../../../import/changes/watch-stop.ts';
import { readStalledRunners } from '../../../../jobs/dead-runners.ts';
import { expectedBy } from '../../../../submissions/expected-by.ts';
import { readReviewMetrics, type ReviewMetrics } from '../../../../submissions/review/review-figures.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { formatCount, formatNumber } from '../../../../core/text/format-count.ts';
import { definePage } from '../../person/page.ts';
import { ALL_ROLES, staff } from '../../person/people.ts';
import { barChart } from '../chart.ts';
import { formatDuration } from '../moment.ts';
import { mapWatchCard } from '../set-up/map-watch-card.ts';
import { stalledJobsCard } from './stalled-jobs-card.ts';
import { setUpCard } from '../set-up/set-up-page.ts';
import { timelineCard } from './timeline-card.ts';

const DAYS = 14;
const FEW_CODES = 3;

export const overviewPage = definePage({
  path: '/console',
  who: staff(ALL_ROLES),
  nav: { label: 'Overview', key: 'o' },
  async load({ deps: { pool }, person, now }) {
    const [figures, codes, checks, stalled, stops] = await Promise.all([
      readReviewMetrics(pool, now, DAYS, (submittedAt) => expectedBy(submittedAt) < now),
      countRecoveryCodes(pool, person.id),
      readTimelineChecks(pool),
      readStalledRunners(pool),
      listWatchStops(pool),
    ]);
    return { figures, codes, checks, stalled, stops };
  },
  view: ({ deps, now }, { figures, codes, checks, stalled, stops }) => ({
    title: 'Overview',
    notice:
      codes < FEW_CODES
        ? {
            kind: 'bad',
            text: html`You have ${formatCount(codes, 'recovery code')} left.
              <a href="/console/account">Make new ones</a> before you need them.`,
          }
        : undefined,
    body: html`${stalledJobsCard(stalled)} ${mapWatchCard(stops)} ${setUpCard(deps)} ${tiles(figures, now)}
      <div class="columns">
        <section class="card">${ageChart(figures)}</section>
        <section class="card">${decisionChart(figures)}</section>
      </div>
      <p><a class="button" href="/console/review">Open the review queue</a></p>
      ${timelineCard(checks, deps.config)}`,
  }),
});

function tiles({ pending, overdue, oldest_at, days }: ReviewMetrics, now: Date): Html {
  const today = days.at(-1);
  return definitionList('tiles', [
    ['Waiting', formatNumber(pending)],
    ['Past the expected time', formatNumber(overdue), overdue > 0 && 'bad'],
    ['Oldest', oldest_at === null ? '–' : formatDuration(now.getTime() - oldest_at.getTime())],
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
