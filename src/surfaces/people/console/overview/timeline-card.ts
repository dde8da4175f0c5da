import type { KnownChecks, TimelineCheck } from '../../../../bookings/upkeep/check-timelines.ts';
import { commandFor, type InstallationSettings } from '../../../../core/installation/installation.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { count } from '../../frame/wording.ts';
import { bookingLink } from '../bookings/booking-words.ts';
import { momentOf } from '../moment.ts';

/** Whether the timelines of bookings are as they were written, as far as anybody has looked. */
export function timelineCard({ last, underWay, soundAt }: KnownChecks, config: InstallationSettings): Html {
  const broken = [last, underWay].filter((check) => check !== undefined && check.broken > 0);
  return html`<section class="card flow" aria-labelledby="timelines">
    <h2 id="timelines">Timelines of bookings</h2>
    ${last === undefined ? never(config) : lastWords(last)}
    ${
      underWay !== undefined &&
      html`<p class="soft">
        A check is under way since ${momentOf(underWay.beganAt)}: ${count(underWay.bookings, 'booking')} so
        far, ${underWay.broken === 0 ? 'none broken' : `${underWay.broken} broken`}.
      </p>`
    }
    ${broken.map((check) => check !== undefined && faultList(check))}
    ${
      broken.length > 0 &&
      html`<p>
        ${soundAt === null ? 'No check has found everything sound.' : html`The last check that found everything sound ended on ${momentOf(soundAt)}.`}
        ${verifyCommand(config)} names all that are broken.
      </p>`
    }
  </section>`;
}

function never(config: InstallationSettings): Html {
  return html`<p>
    Never checked to the end. The service begins a check within an hour of its start and then every day;
    ${verifyCommand(config)} checks at once.
  </p>`;
}

function verifyCommand(config: InstallationSettings): Html {
  return html`<code>${commandFor(config, 'bookings verify').command}</code>`;
}

function lastWords({ bookings, entries, broken, beganAt, endedAt }: TimelineCheck): Html {
  const looked = html`${count(bookings, 'booking')} with ${count(entries, 'entry', 'entries')}, looked at from
  ${momentOf(beganAt)} to ${momentOf(endedAt ?? beganAt)}`;
  return broken === 0
    ? html`<p>All as they were written: ${looked}.</p>`
    : html`<p class="outcome bad" role="alert">
        ${count(broken, 'timeline is', 'timelines are')} broken: ${looked}.
      </p>`;
}

function faultList({ broken, faults }: TimelineCheck): Html {
  return html`<ul>
    ${faults.map(
      ({ booking_id, sequence, what }) =>
        html`<li>${bookingLink(booking_id)}, entry ${sequence}: ${what}</li>`,
    )}
    ${broken > faults.length && html`<li>and ${count(broken - faults.length, 'other')}</li>`}
  </ul>`;
}
