import { z } from 'zod';
import { localDate } from '../../../../bookings/booking-range.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
import { refuseContacts } from '../../../../core/text/contact/contact-data.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { line } from '../../../../core/text/text.ts';
import {
  endRule,
  endStandingRule,
  listRules,
  setRule,
  type VenueRule,
} from '../../../../venue/venue-rules.ts';
import { actionForm } from '../../form/action-form.ts';
import { choiceInput, hiddenInput, textInput } from '../../form/fields.ts';
import { conflict, defineAction, refuse, type ActionContext } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';

const PATH = '/venue/rules';
const DAYS_MAX = 366;

const day = z.literal('').or(z.iso.date('must be a date, such as 2026-12-24'));
const whole = (max: number, words: string) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || (/^\d{1,5}$/.test(text) && +text >= 1 && +text <= max), words);

const setDays = defineAction({
  name: 'set_venue_rule',
  path: PATH,
  who: venue,
  fields: {
    kind: choiceInput(
      [
        ['closed', 'We are closed'],
        ['full', 'We are full'],
      ],
      { label: 'What' },
    ),
    from: textInput(day, { label: 'From', type: 'date', required: true }),
    until: textInput(day, {
      label: 'Until and including',
      type: 'date',
      hint: 'Leave it empty for one day.',
    }),
  },
  button: 'Add these days',
  done: { set: 'Your rule is saved. Nobody asks you for a table on these days.' },
  async run(act, { kind, from, until }) {
    const today = todayOf(act);
    if (from === '' || from < today) refuse({ faults: { from: 'Give today or a later day.' } });
    const untilDate = until === '' ? from : until;
    const days = (Date.parse(untilDate) - Date.parse(from)) / 86_400_000;
    if (days < 0 || days > DAYS_MAX)
      refuse({ faults: { until: 'Give a day after the first one, within a year.' } });
    await setRule(act.db, act.now, today, { placeId: act.person.place.id, kind, fromDate: from, untilDate });
    act.audit(act.person.place.id, { rule: kind });
    return { done: 'set' };
  },
});

const endDays = defineAction({
  name: 'end_venue_rule',
  path: `${PATH}/end`,
  who: venue,
  fields: { rule: hiddenInput(z.string().regex(/^\d{1,18}$/)) },
  button: 'End it',
  done: { ended: 'The rule is ended.' },
  async run(act, { rule }) {
    if (!(await endRule(act.db, act.now, act.person.place.id, rule)))
      conflict('This rule has already ended.');
    act.audit(act.person.place.id);
    return { done: 'ended' };
  },
});

const setTables = defineAction({
  name: 'set_venue_rules',
  path: `${PATH}/tables`,
  who: venue,
  fields: {
    max_party: textInput(whole(30, 'must be a number from 1 to 30'), {
      label: 'Most guests at one table',
      inputmode: 'numeric',
    }),
    notice: textInput(whole(720, 'must be a number of hours, at most 720'), {
      label: 'How many hours before do you want to be asked, at the latest?',
      inputmode: 'numeric',
    }),
    last_seating: textInput(
      z.literal('').or(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, such as 21:00')),
      { label: 'Last seating', type: 'time' },
    ),
    max_stay: textInput(whole(1440, 'must be a number of minutes, at most 1440'), {
      label: 'How many minutes may guests stay?',
      hint: 'Guests are told. No request is refused for it.',
      inputmode: 'numeric',
    }),
    not_offered: textInput(line(0, 200), {
      label: 'What should nobody ask you for?',
      hint: 'Such as high chairs, or tables outside. Guests are told. No contact data.',
      maxlength: 200,
    }),
  },
  button: 'Save these rules',
  done: { saved: 'Your rules are saved.' },
  async run(act, values) {
    const { db, now, person } = act;
    const { max_party, notice, last_seating: atTime, max_stay, not_offered: words } = values;
    refuseContacts({ not_offered: words });
    const today = todayOf(act);
    const placeId = person.place.id;
    const rules: (false | (Partial<VenueRule> & Pick<VenueRule, 'kind'>))[] = [
      max_party !== '' && { kind: 'max_party', amount: Number(max_party) },
      notice !== '' && { kind: 'notice', amount: Number(notice) * 60 },
      atTime !== '' && { kind: 'last_seating', atTime },
      max_stay !== '' && { kind: 'max_stay', amount: Number(max_stay) },
      words !== '' && { kind: 'not_offered', words },
    ];
    for (const kind of STANDING) await endStandingRule(db, placeId, kind);
    for (const rule of rules) if (rule !== false) await setRule(db, now, today, { placeId, ...rule });
    act.audit(placeId);
    return { done: 'saved' };
  },
});

const STANDING = ['max_party', 'notice', 'last_seating', 'max_stay', 'not_offered'] as const;

function todayOf({ person: { destination }, now }: Pick<ActionContext<Venue>, 'person' | 'now'>): string {
  return localDate(destination.timezone, now);
}

/** Rules for table requests: days, and what applies on every day. */
export const venueRulesPage = definePage({
  path: PATH,
  who: venue,
  load: ({ deps: { pool }, person, now }) => listRules(pool, person.place.id, todayOf({ person, now })),
  view(req, rules, state) {
    const dated = rules.filter(({ fromDate }) => fromDate !== null);
    const standing = (kind: VenueRule['kind']) => rules.find((rule) => rule.kind === kind);
    const values = {
      max_party: String(standing('max_party')?.amount ?? ''),
      notice: String((standing('notice')?.amount ?? 0) / 60 || ''),
      last_seating: standing('last_seating')?.atTime ?? '',
      max_stay: String(standing('max_stay')?.amount ?? ''),
      not_offered: standing('not_offered')?.words ?? '',
    };
    const isDays = state.form?.has('from') === true;
    return {
      title: 'Your rules',
      lead: 'Requests that break a rule are refused before anybody asks you. A rule about days ends by itself.',
      body: html`<section class="flow" aria-labelledby="days">
          <h2 id="days">Closed days and full days</h2>
          ${
            dated.length === 0
              ? html`<p class="empty">
                  No days are set. Days that you add appear here until they have passed.
                </p>`
              : html`<ul class="columns">
                  ${dated.map((rule) => dayCard(req, rule))}
                </ul>`
          }
          ${actionForm(req, setDays, isDays ? state : {}, { className: 'flow' })}
        </section>
        <section class="flow" aria-labelledby="tables">
          <h2 id="tables">On every day</h2>
          ${actionForm(req, setTables, isDays ? {} : state, { values, className: 'flow' })}
        </section>
        <p><a href="/venue/tables">Back to your requests</a></p>`,
    };
  },
  actions: [setDays, endDays, setTables],
});

function dayCard(req: PageRequest<Venue>, { id, kind, fromDate, untilDate }: VenueRule): Html {
  const days = [fromDate, ...(untilDate === fromDate ? [] : [untilDate])].map((date) => dayWords(date ?? ''));
  return html`<li class="card flow">
    <h3>${kind === 'closed' ? 'Closed' : 'Full'}: ${days.join(' to ')}</h3>
    ${actionForm(req, endDays, {}, { values: { rule: id }, idPrefix: `rule-${id}` })}
  </li>`;
}
