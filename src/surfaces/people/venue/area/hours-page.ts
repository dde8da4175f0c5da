import { cutTyped } from '../../../../core/text/visible-text.ts';
import type { FastifyReply } from 'fastify';
import { html } from '../../../../core/text/html.ts';
import { readRanges } from '../../../../directory/hours/plain-hours.ts';
import { compileSubmittedHours } from '../../../../directory/hours/submitted-hours.ts';
import { structuredWeek } from '../../../../directory/hours/weekly-hours.ts';
import type { ListingParts } from '../../../../venue/edit-listing.ts';
import { textField } from '../../form/form-field.ts';
import { DAY_NAMES } from '../../frame/wording.ts';
import { refuse, type PrepareContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { sendPartPage, type PartPage } from './listing-part.ts';

const HOLIDAYS = ['holidays', 'Public holidays'] as const;
const TEXT_MAX = 100;

type Week = Record<string, string>;

/** Opening hours of the seven weekdays and of holidays, each as text. */
export const hoursPart: PartPage<'hours'> = { part: 'hours', page: sendHoursPage, read: readHours };

function sendHoursPage(
  request: PageRequest<Venue>,
  { form, faults = {}, notice }: PageState,
): Promise<FastifyReply> {
  const { destination } = request.person;
  const week = form === undefined ? storedWeek(request.person) : weekIn(form);
  return sendPartPage(request, {
    title: 'Hours',
    lead: `In the local time of ${destination.name} (${destination.timezone}).`,
    part: 'hours',
    notice,
    fields: html`<p class="hint">
        Write times such as 11:00-15:00, 18:00-22:00. Write closed, or leave a day empty, when you are closed,
        and 24h when you never close. A time after midnight belongs to the evening before: 18:00-02:00.
      </p>
      <div class="week">
        ${[...DAY_NAMES, HOLIDAYS].map(([name, label]) =>
          textField({
            name,
            label,
            value: week[name],
            fault: faults[name],
            maxlength: TEXT_MAX,
            ...hintFor(name),
          }),
        )}
      </div>`,
    save: 'Save hours',
    beside: html`<button class="button plain" type="submit" name="do" value="copy">
      Use Monday for every day
    </button>`,
  });
}

function hintFor(name: string): { hint?: string } {
  return name === 'holidays' ? { hint: 'Leave it empty when holidays are like any other day.' } : {};
}

/** Returns the submitted week, with Monday copied to every day if requested. */
function weekIn(form: URLSearchParams): Week {
  const week: Week = {};
  for (const [name] of [...DAY_NAMES, HOLIDAYS])
    week[name] = cutTyped((form.get(name) ?? '').trim(), TEXT_MAX);
  if (isCopy(form)) for (const [name] of DAY_NAMES) week[name] = week['mon'] ?? '';
  return week;
}

function isCopy(form: URLSearchParams): boolean {
  return form.get('do') === 'copy';
}

function readHours({ form, person, now }: PrepareContext<Venue>): ListingParts['hours'] | undefined {
  if (isCopy(form)) return undefined;
  const { place, destination } = person;
  const week = weekIn(form);
  const faults = faultsOf(week);
  if (Object.keys(faults).length > 0)
    refuse({ faults, notice: { kind: 'bad', text: 'Nothing was saved: some days could not be read.' } });
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
