import { z } from 'zod';
import { html } from '../../../../core/text/html.ts';
import { cutTyped } from '../../../../core/text/visible-text.ts';
import { readRanges } from '../../../../directory/hours/plain-hours.ts';
import { compileSubmittedHours } from '../../../../directory/hours/submitted-hours.ts';
import { structuredWeek } from '../../../../directory/hours/weekly-hours.ts';
import { textInput } from '../../form/fields.ts';
import { valueButton } from '../../frame/components.ts';
import { DAY_NAMES } from '../../frame/wording.ts';
import { refuse } from '../../person/action.ts';
import type { Venue } from '../../person/people.ts';
import { areaLanguage, type AreaText } from '../language/area-language.ts';
import { partPage } from './listing-part.ts';

const TEXT_MAX = 100;

type Week = Record<string, string>;

function dayInput(label: string) {
  const schema = z.string().overwrite((text) => cutTyped(text.trim(), TEXT_MAX));
  return textInput(schema, { label, maxlength: TEXT_MAX });
}

/** Opening hours of the seven weekdays and of holidays, each as text. */
export const venueHoursPage = partPage({
  part: 'hours',
  lead: ({ destination: { name, timezone } }) => ({ town: name, zone: timezone }),
  fields: {
    ...Object.fromEntries(DAY_NAMES.map(([name, label]) => [name, dayInput(label)])),
    holidays: dayInput('Public holidays'),
  },
  content(req, { area, locale }) {
    const days = Object.fromEntries(DAY_NAMES.map(([name], at) => [name, { label: dayName(locale, at) }]));
    const holidays = { label: area('hours.holidays'), hint: area('hours.holidaysHint') };
    return { values: storedWeek(req.person), fields: { ...days, holidays } };
  },
  draw: (_req, fields, _state, { area }) =>
    html`<p class="hint">${area('hours.format')}</p>
      <div class="week">${fields}</div>`,
  beside: (_req, { area }) => valueButton('do', 'copy', area('hours.copy'), 'plain'),
  read(act, week: Week) {
    const { form, person, now } = act;
    const { area } = areaLanguage(act);
    if (form.get('do') === 'copy') refuse({ status: 200, form: withMondayCopied(form) });
    const faults = faultsOf(week, area);
    if (Object.keys(faults).length > 0) refuse({ faults, notice: { kind: 'bad', text: area('fault.days') } });
    const { place, destination } = person;
    const days = DAY_NAMES.map(([name]) => [name, week[name] === '' ? 'closed' : week[name]]);
    const holidays = week['holidays'] === '' ? [] : [['holidays', week['holidays']]];
    const { text, compiled } = compileSubmittedHours(Object.fromEntries([...days, ...holidays]) as Week, {
      // Without a position, holidays and sunset times of the destination are close enough.
      lat: place.lat ?? destination.lat,
      lng: place.lng ?? destination.lng,
      country: place.country,
      timezone: destination.timezone,
      now,
    });
    return { text, source: 'owner', observed_at: now.toISOString(), compiled };
  },
});

/** 5 January 1970 was a Monday. */
function dayName(locale: string, daysAfterMonday: number): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return format.format(new Date(Date.UTC(1970, 0, 5 + daysAfterMonday)));
}

function withMondayCopied(form: URLSearchParams): URLSearchParams {
  const copied = new URLSearchParams(form);
  for (const [name] of DAY_NAMES) copied.set(name, form.get('mon') ?? '');
  return copied;
}

function faultsOf(week: Week, area: AreaText): Week {
  const invalid = Object.entries(week).filter(([, text]) => text !== '' && readRanges(text) === null);
  const faults = Object.fromEntries(invalid.map(([name]) => [name, area('fault.ranges')]));
  if (invalid.length === 0 && DAY_NAMES.every(([name]) => week[name] === ''))
    return { mon: area('fault.oneDay') };
  return faults;
}

/** Returns the stored week in the format of the form. */
function storedWeek({ place }: Venue): Week {
  const compiled = place.hours?.compiled ?? null;
  const week = compiled === null ? null : structuredWeek(compiled);
  if (week === null) return {};
  return Object.fromEntries(
    DAY_NAMES.map(([name]) => {
      const spans = week[name].map(([start, end]) =>
        start === '00:00' && end === '24:00' ? '24h' : `${start}-${end}`,
      );
      return [name, spans.length === 0 ? 'closed' : spans.join(', ')];
    }),
  );
}
