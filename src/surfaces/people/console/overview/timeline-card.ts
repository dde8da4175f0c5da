import type { KnownChecks, TimelineCheck } from '../../../../bookings/maintenance/check-timelines.ts';
import { commandFor, type InstallationSettings } from '../../../../core/installation.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { linkToBooking } from '../bookings/booking-words.ts';
import { formatTime } from '../moment.ts';

/** Shows whether booking timelines are unaltered, according to the integrity checks so far. */
export function timelineCard({ last, underWay, soundAt }: KnownChecks, config: InstallationSettings): Html {
  const broken = [last, underWay].filter((check) => check !== undefined && check.broken > 0);
  return html`<section class="card flow" aria-labelledby="timelines">
    <h2 id="timelines">Timelines of bookings</h2>
    ${last === undefined ? neverChecked(config) : lastCheckText(last)}
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
    }
  </section>`;
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
