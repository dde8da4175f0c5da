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
import { partPage } from './listing-part.ts';

const TEXT_MAX = 100;

type Week = Record<string, string>;

function dayInput(label: string, hint?: string) {
  const schema = z.string().overwrite((text) => cutTyped(text.trim(), TEXT_MAX));
  return textInput(schema, { label, hint, maxlength: TEXT_MAX });
}

/** Opening hours of the seven weekdays and of holidays, each as text. */
export const venueHoursPage = partPage({
  part: 'hours',
  title: 'Hours',
  lead: ({ destination }) => `In the local time of ${destination.name} (${destination.timezone}).`,
  fields: {
    ...Object.fromEntries(DAY_NAMES.map(([name, label]) => [name, dayInput(label)])),
    holidays: dayInput('Public holidays', 'Leave it empty when holidays are like any other day.'),
  },
  button: 'Save hours',
  content: ({ person }) => ({ values: storedWeek(person) }),
  draw: (_req, fields) =>
    html`<p class="hint">
        Write times such as 11:00-15:00, 18:00-22:00. Write closed, or leave a day empty, when you are closed,
        and 24h when you never close. A time after midnight belongs to the evening before: 18:00-02:00.
      </p>
      <div class="week">${fields}</div>`,
  beside: () => valueButton('do', 'copy', 'Use Monday for every day', 'plain'),
  read({ form, person, now }, week: Week) {
    if (form.get('do') === 'copy') refuse({ status: 200, form: withMondayCopied(form) });
    const faults = faultsOf(week);
    if (Object.keys(faults).length > 0)
      refuse({ faults, notice: { kind: 'bad', text: 'Nothing was saved: some days could not be read.' } });
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

function withMondayCopied(form: URLSearchParams): URLSearchParams {
  const copied = new URLSearchParams(form);
  for (const [name] of DAY_NAMES) copied.set(name, form.get('mon') ?? '');
  return copied;
}

function faultsOf(week: Week): Week {
  const invalid = Object.entries(week).filter(([, text]) => text !== '' && readRanges(text) === null);
  const faults = Object.fromEntries(
    invalid.map(([name]) => [name, 'Write closed, 24h, or times such as 11:00-22:00.']),
  );
  if (invalid.length === 0 && DAY_NAMES.every(([name]) => week[name] === ''))
    return { mon: 'Say when you are open on at least one day, or write closed.' };
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
