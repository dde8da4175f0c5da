import { html, type Html } from '../../../../core/text/html.ts';
import { cutTyped } from '../../../../core/text/visible-text.ts';
import { HOURS_TEXT_MAX } from '../../../../directory/hours/hours-text.ts';
import { compileSubmittedHours, type SubmittedHours } from '../../../../directory/hours/submitted-hours.ts';
import type { StoredHours } from '../../../../directory/hours/stored-hours.ts';
import { areaField } from '../../form/form-field.ts';
import { DAY_NAMES } from '../../frame/wording.ts';
import { refuse, type ActionContext } from '../../person/action.ts';
import type { PageState } from '../../person/page-request.ts';
import type { Venue } from '../../person/people.ts';
import { areaLanguage, type AreaLanguage } from '../language/area-language.ts';
import { dayRows, HOLIDAYS, mondayCopied, readRows, rowsFault, storedRows } from './hours-rows.ts';
import { partPage } from './listing-part.ts';

const EXAMPLE = 'Mo-Fr 11:00-15:00,18:00-22:00; Sa 11:00-24:00; Dec 25 off; PH off';

/** Opening hours: a row for each weekday and for public holidays, or a text where rows do not suffice. */
export const venueHoursPage = partPage({
  part: 'hours',
  lead: ({ destination: { name, timezone } }) => ({ town: name, zone: timezone }),
  fields: {},
  redraw: true,
  draw(req, _fields, state, language) {
    const { area } = language;
    const { hours } = req.person.place;
    const stored = storedRows(hours);
    const asText = state.form?.get('as') ?? req.query.get('as');
    if (asText === 'text' || (asText === null && stored === undefined))
      return textForm(hours, state, language);
    return html`<button class="unseen" type="submit" tabindex="-1" aria-hidden="true">
        ${area('hours.save')}
      </button>
      ${dayRows(stored ?? {}, state, language)}
      <p class="hint">${area('hours.format')}</p>
      <p><a href="/venue/hours?as=text">${area('hours.asText')}</a></p>`;
  },
  read(act) {
    const language = areaLanguage(act);
    const { area } = language;
    const { form, now } = act;
    if (form.get('do') === 'copy') refuse({ status: 200, form: mondayCopied(form) });
    const { text, compiled } = form.get('as') === 'text' ? readText(act) : compileRows(act, language);
    if (compiled === null) refuse({ faults: { text: area('fault.hoursText') } });
    return { text, source: 'owner', observed_at: now.toISOString(), compiled };
  },
});

/** Field for the whole week in the notation of the map, which also knows seasons, dates and further times. */
function textForm(hours: StoredHours | null, { form, faults = {} }: PageState, { area }: AreaLanguage): Html {
  return html`<input type="hidden" name="as" value="text" />
    ${areaField({
      name: 'text',
      label: area('hours.text'),
      hint: area('hours.textHint', { example: EXAMPLE }),
      value: form?.get('text') ?? hours?.text ?? '',
      fault: faults['text'],
      rows: 4,
      maxlength: HOURS_TEXT_MAX,
    })}
    <p><a href="/venue/hours?as=rows">${area('hours.asRows')}</a></p>`;
}

function readText(act: ActionContext<Venue>): SubmittedHours {
  const text = cutTyped((act.form.get('text') ?? '').replaceAll(/\s+/g, ' ').trim(), HOURS_TEXT_MAX);
  return compileSubmittedHours(text, placeContext(act));
}

function compileRows(act: ActionContext<Venue>, { area }: AreaLanguage): SubmittedHours {
  const week = readRows(act.form);
  const closed = area('hours.closed');
  const faults = Object.fromEntries(
    [...DAY_NAMES.map(([name]) => name), HOLIDAYS]
      .filter((name) => rowsFault(week[name]))
      .map((name) => [name, area('fault.times', { closed })]),
  );
  if (Object.keys(faults).length > 0) refuse({ faults, notice: { kind: 'bad', text: area('fault.days') } });
  const stated = Object.entries(week).filter(([, text]) => text !== '');
  return compileSubmittedHours(Object.fromEntries(stated), placeContext(act));
}

/** Without a position, holidays and sunset times of the destination are close enough. */
function placeContext({ person: { place, destination }, now }: ActionContext<Venue>) {
  return {
    lat: place.lat ?? destination.lat,
    lng: place.lng ?? destination.lng,
    country: place.country,
    timezone: destination.timezone,
    now,
  };
}
