import {
  readTimelineChecks,
  type KnownChecks,
  type TimelineCheck,
} from '../../../bookings/maintenance/check-timelines.ts';
import { commandFor, type InstallationSettings } from '../../../core/installation.ts';
import type { Pool } from '../../../core/postgres/db.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { listWatchStops, type WatchStop } from '../../../import/changes/watch-stop.ts';
import { countNodes, readStalledRunners, type StalledRunner } from '../../../jobs/dead-runners.ts';
import { KINDS, type Kind } from '../../../jobs/kinds.ts';
import { badge, card } from '../frame/components.ts';
import { recordTable } from '../frame/table.ts';
import { definePage } from '../person/page.ts';
import type { Notice } from '../person/page-request.ts';
import { allStaff } from '../person/people.ts';
import { linkToBooking } from './bookings/booking-words.ts';
import { KEPT_DATA_PATH } from './kept-data-page.ts';
import { formatTime } from './moment.ts';

export const HEALTH_PATH = '/console/health';

interface Health {
  checks: KnownChecks;
  stalled: readonly StalledRunner[];
  stops: readonly (WatchStop & { stopped_at: Date })[];
  nodes: number;
}

export async function readHealth(pool: Pool): Promise<Health> {
  const [checks, stalled, stops, nodes] = await Promise.all([
    readTimelineChecks(pool),
    readStalledRunners(pool),
    listWatchStops(pool),
    countNodes(pool),
  ]);
  return { checks, stalled, stops, nodes };
}

/** A part of the service that works or does not. */
export interface HealthPart {
  name: string;
  /** Work of the part, in words. */
  does: string;
  problem: string | Html | null;
}

/** Names each kind of background work, its purpose, and the consequence while it is stalled. */
const WORK: Record<Kind, readonly [name: string, does: string, stalled: string]> = {
  asking: ['Table requests', 'Decides what happens next to a request.', 'Table requests are not processed.'],
  asking_by_system: [
    'Booking systems of venues',
    'Asks the systems of venues for tables.',
    'Requests to booking systems of venues are not sent.',
  ],
  asking_by_mail: ['Mail to venues', 'Asks venues for tables by mail.', 'Venues are not asked by mail.'],
  asking_by_text: [
    'Texts to venues',
    'Asks venues for tables by text message.',
    'Venues are not asked by text message.',
  ],
  telling: [
    'Webhooks and callbacks',
    'Informs the programs of partners and agents.',
    'Webhooks to partners and callbacks to agents are not sent.',
  ],
  mail: [
    'Mail',
    'Sends sign-in links, codes and notices.',
    'Sign-in links, codes and notices are not mailed.',
  ],
  photos: ['Photos', 'Prepares uploaded photos.', 'Uploaded photos are not processed.'],
  upkeep: ['Housekeeping', 'Deletes what has expired, and sums up.', 'Housekeeping is not done.'],
};

/** Lists all parts with their problems. */
export function healthParts({ checks, stalled, stops }: Health): HealthPart[] {
  const kinds = Object.keys(KINDS) as Kind[];
  return [
    ...kinds.map((kind): HealthPart => {
      const [name, does, words] = WORK[kind];
      const isStalled = stalled.some((runner) => runner.kind === kind);
      return { name, does, problem: isStalled ? words : null };
    }),
    {
      name: 'Map updates',
      does: 'Imports changes of the maps that are watched.',
      problem:
        stops.length === 0
          ? null
          : html`${stops.map(({ source }) => html`Updates of the map <bdi>${source}</bdi> have stopped. `)}`,
    },
    {
      name: 'Timelines of bookings',
      does: 'Checks that nobody has changed the history of a booking.',
      problem: brokenTimelines(checks),
    },
  ];
}

function brokenTimelines({ last, underWay }: KnownChecks): string | null {
  const broken = Math.max(last?.broken ?? 0, underWay?.broken ?? 0);
  return broken === 0 ? null : `${formatCount(broken, 'timeline is', 'timelines are')} broken.`;
}

/** Says first whether all is well, then which part is not, and what to do. */
export const healthPage = definePage({
  path: HEALTH_PATH,
  who: allStaff,
  nav: { label: 'Health', key: 'k' },
  load: ({ deps }) => readHealth(deps.pool),
  view({ deps, now }, health) {
    const parts = healthParts(health);
    return {
      title: 'Health',
      lead: html`As of
      ${formatTime(now)}${health.nodes > 0 && `, with ${formatCount(health.nodes, 'node')} at work`}.`,
      notice: summary(parts),
      body: html`${problemCards(health)}
        ${recordTable('dense stack rows', parts, [
          ['Part', ({ name }) => name],
          [
            'State',
            ({ problem }) => (problem === null ? badge('good', 'Works') : badge('bad', 'Does not work')),
          ],
          ['Work', ({ does, problem }) => problem ?? does],
        ])}
        ${timelineCard(health.checks, deps.config)}
        <p><a href="${KEPT_DATA_PATH}">What the database keeps, how long, and why</a></p>`,
    };
  },
});

function summary(parts: readonly HealthPart[]): Notice {
  const broken = parts.filter(({ problem }) => problem !== null).map(({ name }) => name);
  if (broken.length === 0) return { kind: 'good', text: `All is well: all ${parts.length} parts work.` };
  const verb = broken.length === 1 ? 'does' : 'do';
  return {
    kind: 'bad',
    text: `${broken.length} of ${parts.length} parts ${verb} not work: ${NAMES.format(broken)}.`,
  };
}

const NAMES = new Intl.ListFormat('en-GB');

/** Explains the problems that staff can mend. */
export function problemCards({ stalled, stops }: Health): Html {
  return html`${stalledJobsCard(stalled)} ${mapWatchCard(stops)}`;
}

/** Lists the job kinds that have stalled on some node. Empty while all of them run. */
function stalledJobsCard(stalled: readonly StalledRunner[]): Html {
  if (stalled.length === 0) return html``;
  return card(
    'Some background work is stalled',
    html`<ul>
        ${stalled.map(
          ({ node, kind, stalled_since }) =>
            html`<li>
              ${WORK[kind][2]} <span class="soft">Since ${formatTime(stalled_since)} on ${node}.</span>
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
