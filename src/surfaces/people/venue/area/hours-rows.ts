import { html, type Html } from '../../../../core/text/html.ts';
import { readRanges } from '../../../../directory/hours/plain-hours.ts';
import type { StoredHours } from '../../../../directory/hours/stored-hours.ts';
import { structuredWeek } from '../../../../directory/hours/weekly-hours.ts';
import { valueButton } from '../../frame/components.ts';
import { DAY_NAMES } from '../../frame/wording.ts';
import type { PageState } from '../../person/page-request.ts';
import type { AreaLanguage } from '../language/area-language.ts';

/** Hours of the days as text: closed, 24h, or ranges such as 11:00-15:00, 18:00-22:00. */
type Week = Record<string, string>;

export const HOLIDAYS = 'holidays';

/** A row has fields for this many openings. */
const OPENINGS = ['', '2'] as const;

const STATES = ['open', 'closed', 'always'] as const;
const STATE_TEXT: Readonly<Record<(typeof STATES)[number], string>> = {
  open: '',
  closed: 'closed',
  always: '24h',
};

/** Text of a weekday for which nothing was chosen. */
const INCOMPLETE = '-';

/** A rule for public holidays at the end of a text, as the rows write it. */
const HOLIDAY_RULE = /;\s*PH\s+(off|closed|[\d:,-]+)$/i;

/** Words of rules that rows cannot show: other dates than public holidays, weeks, and the sun. */
const BEYOND_ROWS =
  /\b(?:PH|SH|easter|week|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun(?:rise|set)|dawn|dusk|\d{4})\b|"/i;

/** Returns stored hours as rows; undefined for hours that rows cannot show. */
export function storedRows(hours: StoredHours | null): Week | undefined {
  if (hours === null) return {};
  const text = hours.text ?? '';
  const rule = HOLIDAY_RULE.exec(text);
  const rest = rule === null ? text : text.slice(0, rule.index);
  const week = hours.compiled === null ? null : structuredWeek(hours.compiled);
  if (week === null || BEYOND_ROWS.test(rest)) return undefined;
  const days = DAY_NAMES.map(([name]) => [name, week[name]] as const);
  if (days.some(([, spans]) => spans.length > OPENINGS.length)) return undefined;
  const rows: Week = Object.fromEntries(
    days.map(([name, spans]) => [
      name,
      spans.length === 0 ? 'closed' : spans.map(([start, end]) => `${start}-${end}`).join(','),
    ]),
  );
  const holidays = rule?.[1]?.toLowerCase();
  const isShown = holidays === undefined || holidays.split(',').length <= OPENINGS.length;
  return isShown ? { ...rows, [HOLIDAYS]: holidays === 'off' ? 'closed' : (holidays ?? '') } : undefined;
}

/** Reads the rows of a form. A day without complete times keeps what was sent, which cannot be read as hours. */
export function readRows(form: URLSearchParams): Week {
  return Object.fromEntries(
    [...DAY_NAMES.map(([name]) => name), HOLIDAYS].map((day) => [day, readRow(form, day)]),
  );
}

function readRow(form: URLSearchParams, day: string): string {
  const state = form.get(day) ?? '';
  if (state === 'closed' || state === 'always') return STATE_TEXT[state];
  if (state !== 'open') return day === HOLIDAYS ? '' : INCOMPLETE;
  return OPENINGS.map(
    (nth) => [form.get(`${day}-from${nth}`) ?? '', form.get(`${day}-to${nth}`) ?? ''] as const,
  )
    .filter(([from, to], at) => at === 0 || from !== '' || to !== '')
    .map(([from, to]) => `${from}-${to}`)
    .join(',');
}

/** True for the text of a row whose times are incomplete. A day that keeps no hours of its own is empty. */
export function rowsFault(text: string | undefined): boolean {
  return text !== undefined && text !== '' && readRanges(text) === null;
}

const COPIED = ['', ...OPENINGS.flatMap((nth) => [`-from${nth}`, `-to${nth}`])];

/** Returns the form with Monday's hours on every weekday. */
export function mondayCopied(form: URLSearchParams): URLSearchParams {
  const copied = new URLSearchParams(form);
  for (const [day] of DAY_NAMES)
    for (const field of COPIED) copied.set(`${day}${field}`, form.get(`mon${field}`) ?? '');
  return copied;
}

/** Renders a row for each weekday and for public holidays. A closed day hides its times. */
export function dayRows(stored: Week, { form, faults = {} }: PageState, language: AreaLanguage): Html {
  const { area, locale } = language;
  const wasCopied = form?.get('do') === 'copy';
  const row = (day: string, label: string) =>
    dayRow(
      { day, label, fault: faults[day], hasFocus: wasCopied && day === 'tue' },
      form === undefined ? fieldsOf(day, stored[day]) : sentFields(day, form),
      language,
    );
  return html`<div class="week">
    ${DAY_NAMES.map(
      ([day], at) =>
        html`${row(day, dayName(locale, at))}
        ${at === 0 && html`<p>${valueButton('do', 'copy', area('hours.copy'), 'plain small')}</p>`}`,
    )}
    ${row(HOLIDAYS, area('hours.holidays'))}
  </div>`;
}

/** 5 January 1970 was a Monday. */
function dayName(locale: string, daysAfterMonday: number): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return format.format(new Date(Date.UTC(1970, 0, 5 + daysAfterMonday)));
}

/** Values of the fields of a row, by the end of their names. */
type RowFields = Readonly<Record<string, string>>;

function sentFields(day: string, form: URLSearchParams): RowFields {
  return Object.fromEntries(COPIED.map((field) => [field, form.get(`${day}${field}`) ?? '']));
}

function fieldsOf(day: string, text: string | undefined): RowFields {
  if (text === undefined || text === '') return { '': day === HOLIDAYS ? '' : 'open' };
  if (text === 'closed') return { '': 'closed' };
  if (/^00:00-(?:24:00|00:00)$/.test(text)) return { '': 'always' };
  const spans = text.split(',').map((span) => span.trim().split('-'));
  const times = OPENINGS.flatMap((nth, at) => {
    const [from = '', to = ''] = spans[at] ?? [];
    // A time of day in a form ends at 23:59.
    return [
      [`-from${nth}`, from],
      [`-to${nth}`, to === '24:00' ? '00:00' : to],
    ];
  });
  return { '': 'open', ...(Object.fromEntries(times) as RowFields) };
}

interface Row {
  day: string;
  label: string;
  fault: string | undefined;
  hasFocus: boolean;
}

function dayRow({ day, label, fault, hasFocus }: Row, fields: RowFields, { area }: AreaLanguage): Html {
  const choices = [
    ...(day === HOLIDAYS ? [['', area('hours.asUsual')] as const] : []),
    ...STATES.map((state) => [state, area(`hours.${state}`)] as const),
  ];
  const span = (nth: string) =>
    html`<span class="span"
      >${timeInput(day, `-from${nth}`, area('hours.from'))}
      ${timeInput(day, `-to${nth}`, area('hours.to'))}</span
    >`;
  const timeInput = (name: string, field: string, text: string) =>
    html`<label for="${name}${field}">${text}</label>
      <input id="${name}${field}" name="${name}${field}" type="time" value="${fields[field] ?? ''}" />`;
  const hasSecond = (fields['-from2'] ?? '') !== '' || (fields['-to2'] ?? '') !== '';
  return html`<fieldset class="day ${fault !== undefined && 'bad'}">
    <legend><label for="${day}">${label}</label></legend>
    ${fault !== undefined && html`<p class="fault" id="${day}-fault">${fault}</p>`}
    <select
      id="${day}"
      name="${day}"
      ${fault !== undefined && html` aria-invalid="true" aria-describedby="${day}-fault"`}
      ${hasFocus && html` autofocus`}
    >
      ${choices.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === fields[''] && html` selected`}>${text}</option>`,
      )}
    </select>
    <div class="times">
      ${span('')}
      <details ${hasSecond && html` open`}>
        <summary>${area('hours.more')}</summary>
        ${span('2')}
      </details>
    </div>
  </fieldset>`;
}
