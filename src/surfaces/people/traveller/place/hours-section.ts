import { html, type Html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import {
  DAY_MINUTES,
  dateOfDay,
  weekdayOf,
  type CompiledHours,
} from '../../../../directory/hours/compile/compiled-hours.ts';
import { structuredWeek, type StructuredWeek } from '../../../../directory/hours/weekly-hours.ts';
import { localMinuteOf } from '../../../../directory/hours/zone-clock.ts';
import { hoursVerified } from '../../../../directory/hours/place-open.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { badge, userText } from '../../frame/components.ts';
import { titledSection } from '../../frame/sections.ts';
import { dateOf, zoneOffset } from '../local-clock.ts';
import { hoursWords } from './hours-words.ts';
import { DAY_NAMES } from '../../frame/wording.ts';

/** Provenance of opening hours, in words. */
export const HOURS_SOURCES: Readonly<Record<NonNullable<Place['hours']>['source'], string>> = {
  owner: 'stated by the venue',
  reviewer: 'checked by a person',
  venue_website: "read on the venue's website",
  map: 'from the map',
  agent: 'submitted by an agent and not checked yet',
};

/** Renders the week with today marked, its time zone and its provenance. */
export function hoursSection(place: Place, destination: Destination, now: Date): Html {
  const { hours } = place;
  return titledSection(
    'hours',
    'Hours',
    hours === null
      ? html`<p class="soft">We do not know the hours of this place. Ask before you go.</p>`
      : html`${hours.compiled !== null && timetable(hours.compiled, destination, now)}
          ${hours.text !== null && !isWholeWeek(hours.compiled) && html`<p class="soft">In words: ${userText(hoursWords(hours.text))}</p>`}
          <p class="soft">
            ${hoursVerified(place, now) ? 'Verified' : 'Not verified'}: ${HOURS_SOURCES[hours.source]},
            ${dateOf(hours.observed_at, destination.timezone)}.
          </p>`,
    'practical',
  );
}

/** True when the weekly table covers everything in the source text. */
function isWholeWeek(compiled: CompiledHours | null): boolean {
  if (compiled === null || compiled.exceptions !== undefined || compiled.seasons !== undefined) return false;
  return structuredWeek(compiled) !== null;
}

function timetable(compiled: CompiledHours, destination: Destination, now: Date): Html | false {
  const today = Math.floor(localMinuteOf(destination.timezone, now) / DAY_MINUTES);
  const week = weekInForce(compiled, dateOfDay(today));
  const exceptional = compiled.exceptions?.[dateOfDay(today)] !== undefined;
  if (week === null) return false;
  return html`<table class="hours">
      <caption class="unseen">
        Opening hours
      </caption>
      <tbody>
        ${DAY_NAMES.map(([key, name], day) => {
          const isToday = day === weekdayOf(today);
          return html`<tr ${isToday && html` class="today" aria-current="date"`}>
            <th scope="row">${name}${isToday && html` ${badge('sign', 'Today')}`}</th>
            <td class="number">${spans(week[key])}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${exceptional && html`<p><strong>Today is an exception</strong>: the line above says when it is open today.</p>`}
    ${
      (compiled.exceptions !== undefined || compiled.seasons !== undefined) &&
      html`<p class="soft">Holidays and seasons may differ from this week.</p>`
    }
    <p class="soft">
      Local time of ${destination.name}: ${destination.timezone} (${zoneOffset(now, destination.timezone)}).
    </p>`;
}

/** Returns the regular week, or that of the season in which the date falls. */
function weekInForce(compiled: CompiledHours, date: string): StructuredWeek | null {
  const season = compiled.seasons?.find(({ from, until }) => from <= date && date < until);
  return structuredWeek(season === undefined ? compiled : { ...compiled, week: season.week });
}

function spans(intervals: StructuredWeek['mon']): Html | string {
  if (intervals.length === 0) return 'Closed';
  return html`${intervals.map(
    ([start, end]) =>
      html`<span class="span"
        >${start === '00:00' && end === '24:00' ? 'All day' : `${start}–${end}`}</span
      > `,
  )}`;
}
