import { z } from 'zod';
import { CLOCK_TIME } from '../../../../core/time.ts';
import { localDate } from '../../../../bookings/booking-range.ts';
import { dayWords } from '../../../../bookings/table-words.ts';
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
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import {
  areaLanguage,
  areaNotice,
  refuseContactsIn,
  withFaults,
  type AreaLanguage,
} from '../language/area-language.ts';
import { venueFrame } from './venue-menu.ts';

const PATH = '/venue/rules';
const DAYS_MAX = 366;

const PARTY_MAX = 30;
const NOTICE_HOURS_MAX = 720;
const STAY_MINUTES_MAX = 1440;
const WORDS_MAX = 200;

const day = z.literal('').or(z.iso.date());
const time = z.literal('').or(z.string().regex(CLOCK_TIME));
const whole = (max: number) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || (/^\d{1,5}$/.test(text) && +text >= 1 && +text <= max));

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
    until: textInput(day, { label: 'Until and including', type: 'date' }),
  },
  async run(act, { kind, from, until }) {
    const { area } = areaLanguage(act);
    const today = todayOf(act);
    if (from === '' || from < today) refuse({ faults: { from: area('fault.fromToday') } });
    const untilDate = until === '' ? from : until;
    const days = (Date.parse(untilDate) - Date.parse(from)) / 86_400_000;
    if (days < 0 || days > DAYS_MAX) refuse({ faults: { until: area('fault.untilAfter') } });
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
  async run(act, { rule }) {
    if (!(await endRule(act.db, act.now, act.person.place.id, rule)))
      conflict(areaLanguage(act).area('fault.ruleEnded'));
    act.audit(act.person.place.id);
    return { done: 'ended' };
  },
});

const setTables = defineAction({
  name: 'set_venue_rules',
  path: `${PATH}/tables`,
  who: venue,
  fields: {
    max_party: textInput(whole(PARTY_MAX), { label: 'Most guests at one table', inputmode: 'numeric' }),
    notice: textInput(whole(NOTICE_HOURS_MAX), { label: 'Hours before', inputmode: 'numeric' }),
    last_seating: textInput(time, { label: 'Last seating', type: 'time' }),
    max_stay: textInput(whole(STAY_MINUTES_MAX), { label: 'Minutes to stay', inputmode: 'numeric' }),
    not_offered: textInput(line(0, WORDS_MAX), { label: 'Not offered', maxlength: WORDS_MAX }),
  },
  async run(act, values) {
    const { db, now, person } = act;
    const { max_party, notice, last_seating: atTime, max_stay, not_offered: words } = values;
    refuseContactsIn('not_offered', words, WORDS_MAX, areaLanguage(act));
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
    const language = areaLanguage(req);
    const { area } = language;
    const dated = rules.filter(({ fromDate }) => fromDate !== null);
    const days = html`<ul class="edits">
      ${dated.map((rule) => dayEntry(req, rule, language))}
    </ul>`;
    const isDays = state.form?.has('from') === true;
    const shown = withFaults(state, faultTexts(language));
    return {
      language: venueFrame(req, PATH),
      title: area('part.rules'),
      lead: area('rules.lead'),
      notice: areaNotice(req, state, {
        set: area('done.rule'),
        ended: area('done.ruleEnded'),
        saved: area('done.rules'),
      }),
      body: html`<div class="columns">
        <section class="card flow" aria-labelledby="days">
          <h2 id="days">${area('rules.days')}</h2>
          ${dated.length === 0 ? html`<p class="soft">${area('rules.noDays')}</p>` : days}
          ${daysForm(req, isDays ? shown : {}, language)}
        </section>
        <section class="card flow" aria-labelledby="tables">
          <h2 id="tables">${area('rules.everyDay')}</h2>
          ${tablesForm(req, rules, isDays ? {} : shown, language)}
        </section>
      </div>`,
    };
  },
  actions: [setDays, endDays, setTables],
});

function faultTexts({ text, area }: AreaLanguage): Readonly<Record<string, string>> {
  return {
    from: text('fault.day'),
    until: text('fault.day'),
    max_party: area('fault.whole', { max: PARTY_MAX }),
    notice: area('fault.whole', { max: NOTICE_HOURS_MAX }),
    last_seating: text('fault.time'),
    max_stay: area('fault.whole', { max: STAY_MINUTES_MAX }),
    not_offered: area('fault.contact', { max: WORDS_MAX }),
  };
}

function daysForm(req: PageRequest<Venue>, state: PageState, { area }: AreaLanguage): Html | false {
  const choices = [
    ['closed', area('rules.closed')],
    ['full', area('rules.full')],
  ] as const;
  return actionForm(req, setDays, state, {
    fields: {
      kind: { label: area('rules.what'), choices },
      from: { label: area('rules.from') },
      until: { label: area('rules.until'), hint: area('rules.untilHint') },
    },
    button: area('rules.add'),
    plain: false,
    className: 'flow',
  });
}

function tablesForm(
  req: PageRequest<Venue>,
  rules: readonly VenueRule[],
  state: PageState,
  { area }: AreaLanguage,
): Html | false {
  const standing = (kind: VenueRule['kind']) => rules.find((rule) => rule.kind === kind);
  return actionForm(req, setTables, state, {
    values: {
      max_party: String(standing('max_party')?.amount ?? ''),
      notice: String((standing('notice')?.amount ?? 0) / 60 || ''),
      last_seating: standing('last_seating')?.atTime ?? '',
      max_stay: String(standing('max_stay')?.amount ?? ''),
      not_offered: standing('not_offered')?.words ?? '',
    },
    fields: {
      max_party: { label: area('rules.maxParty') },
      notice: { label: area('rules.notice') },
      last_seating: { label: area('rules.lastSeating') },
      max_stay: { label: area('rules.maxStay'), hint: area('rules.maxStayHint') },
      not_offered: { label: area('rules.notOffered'), hint: area('rules.notOfferedHint') },
    },
    button: area('rules.save'),
    plain: false,
    className: 'flow',
  });
}

function dayEntry(
  req: PageRequest<Venue>,
  { id, kind, fromDate, untilDate }: VenueRule,
  language: AreaLanguage,
): Html {
  const { area } = language;
  const [from, until] = [fromDate, untilDate].map((date) => dayWords(date ?? '', language));
  const days =
    fromDate === untilDate ? (from ?? '') : area('rules.range', { from: from ?? '', until: until ?? '' });
  return html`<li>
    <span>${area(kind === 'closed' ? 'rules.dayClosed' : 'rules.dayFull', { days })}</span>
    ${actionForm(req, endDays, {}, { values: { rule: id }, button: area('rules.end'), idPrefix: `rule-${id}` })}
  </li>`;
}
