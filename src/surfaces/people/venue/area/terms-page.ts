import { z } from 'zod';
import {
  DRESS_CODES,
  readTerms,
  setVenueTerms,
  TABLE_TERMS,
  TERM_NAMES,
  type Money,
  type StatedTerms,
  type TermName,
  type TermValues,
} from '../../../../bookings/terms/table-terms.ts';
import { minorDigits, termSentences } from '../../../../bookings/terms/term-words.ts';
import { html } from '../../../../core/text/html.ts';
import { actionForm, type FormContent } from '../../form/action-form.ts';
import { choiceInput, selectInput, textInput, type FormFields } from '../../form/fields.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import { venue } from '../../person/people.ts';
import {
  areaLanguage,
  areaNotice,
  withFaults,
  type AreaLanguage,
  type AreaText,
} from '../language/area-language.ts';
import { currencyChoices } from './currency-choices.ts';
import { venueFrame } from './venue-menu.ts';

const PATH = '/venue/terms';
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const AMOUNT = /^(\d{1,7})(?:[.,](\d{1,3}))?$/;

const PER = ['person', 'table'] as const;

const setTerms = defineAction({
  name: 'set_table_terms',
  path: PATH,
  who: venue,
  fields: Object.fromEntries([
    ...TERM_NAMES.flatMap((name) => Object.entries(fieldsOf(name))),
    ['currency', selectInput(z.string().trim().toUpperCase(), { label: 'Currency', choices: [] })],
  ]) as Readonly<Record<string, ReturnType<typeof textInput<z.ZodString>>>>,
  async run(act, values) {
    const placeId = act.person.place.id;
    await setVenueTerms(act.db, act.now, placeId, readForm(values, areaLanguage(act).area));
    act.audit(placeId);
    return { done: 'saved' };
  },
});

/** The form fields of a term. An empty field means that the venue states nothing. */
function fieldsOf(name: TermName): FormFields {
  const label = name;
  if (name === 'dress_code')
    return {
      [name]: choiceInput(
        ['', ...DRESS_CODES].map((code) => [code, code] as const),
        { label },
      ),
    };
  if (!isMoney(name)) return { [name]: textInput(z.string().trim(), { label, inputmode: 'numeric' }) };
  return {
    [name]: textInput(z.string().trim(), { label, inputmode: 'decimal' }),
    [`${name}_per`]: choiceInput(
      PER.map((per) => [per, per] as const),
      { label },
    ),
  };
}

/** The texts of these fields in the page's language. */
function fieldTexts(
  country: string,
  stored: string | undefined,
  language: AreaLanguage,
): NonNullable<FormContent<FormFields>['fields']> {
  const { area } = language;
  const terms = TERM_NAMES.flatMap((name): [string, object][] => {
    const hint = isZeroable(name)
      ? area('term.zero')
      : name === 'children_from_age'
        ? area('term.ages')
        : undefined;
    const label = area(`term.${name}`);
    const own = { label, ...(hint !== undefined && { hint }) };
    if (name === 'dress_code') {
      const codes = DRESS_CODES.map((code) => [code, area(`dress.${code}`)] as const);
      return [[name, { ...own, choices: [['', area('terms.notStated')], ...codes] }]];
    }
    if (!isMoney(name)) return [[name, own]];
    const choices = PER.map((per) => [per, area(`terms.${per}`)] as const);
    return [
      [name, own],
      [`${name}_per`, { label: area('terms.perOf', { term: label }), choices }],
    ];
  });
  return {
    ...Object.fromEntries(terms),
    currency: {
      label: area('terms.currency'),
      hint: area('terms.currencyHint'),
      choices: currencyChoices(country, stored, language),
    },
  };
}

/** True for a term of which 0 says that the venue has none. */
function isZeroable(name: TermName): boolean {
  return isMoney(name) || name === 'service_charge_pct';
}

function isMoney(name: TermName): name is 'deposit' | 'minimum_spend' {
  return name === 'deposit' || name === 'minimum_spend';
}

/** The terms that the form states; refuses values that are none. */
function readForm(values: Readonly<Record<string, string>>, area: AreaText): TermValues {
  const faults: Record<string, string> = {};
  const terms: Partial<Record<TermName, unknown>> = {};
  for (const name of TERM_NAMES) {
    const text = values[name] ?? '';
    if (text === '') continue;
    const value = isMoney(name)
      ? moneyOf(
          text,
          { currency: values['currency'] ?? '', per: values[`${name}_per`] ?? '' },
          faults,
          name,
          area,
        )
      : name === 'dress_code'
        ? text
        : /^\d{1,3}$/.test(text) && Number(text);
    if (faults[name] !== undefined || faults['currency'] !== undefined) continue;
    const parsed = TABLE_TERMS[name].value.safeParse(value);
    if (parsed.success) terms[name] = parsed.data;
    else faults[name] = rangeFault(name, area);
  }
  if (Object.keys(faults).length > 0) refuse({ faults });
  return terms as TermValues;
}

function moneyOf(
  text: string,
  { currency, per }: { currency: string; per: string },
  faults: Record<string, string>,
  name: TermName,
  area: AreaText,
): Omit<Money, 'per'> & { per: string } {
  if (!CURRENCIES.has(currency)) faults['currency'] = area('fault.choice');
  const [, whole = '', part = ''] = AMOUNT.exec(text) ?? [];
  const digits = CURRENCIES.has(currency) ? minorDigits(currency) : 2;
  if (whole === '' || part.length > digits) faults[name] = area('fault.sum');
  return { amount_minor: Number(whole + part.padEnd(digits, '0')), currency, per };
}

function rangeFault(name: TermName, area: AreaText): string {
  const { value } = TABLE_TERMS[name];
  return value instanceof z.ZodNumber
    ? area('fault.range', { min: value.minValue ?? 0, max: value.maxValue ?? 0 })
    : area('fault.choice');
}

/** Values of the form: only those that the venue itself stated. */
function valuesOf(terms: StatedTerms): Record<string, string> {
  const own = Object.entries(terms).filter(([, { source }]) => source === 'venue');
  return Object.fromEntries(
    own.flatMap(([name, { value }]): [string, string][] => {
      if (typeof value !== 'object') return [[name, String(value)]];
      const digits = minorDigits(value.currency);
      return [
        [name, (value.amount_minor / 10 ** digits).toFixed(digits)],
        [`${name}_per`, value.per],
        ['currency', value.currency],
      ];
    }),
  );
}

/** Terms of a venue for a table. */
export const venueTermsPage = definePage({
  path: PATH,
  who: venue,
  load: ({ deps: { pool }, person }) => readTerms(pool, person.place.id),
  view(req, terms, state) {
    const language = areaLanguage(req);
    const { area } = language;
    const sentences = termSentences(terms, language);
    const values = valuesOf(terms);
    return {
      language: venueFrame(req, PATH),
      title: area('part.terms'),
      lead: area('terms.lead'),
      notice: areaNotice(req, state, { saved: area('done.terms') }),
      body: html`<div class="columns">
        <section class="card flow" aria-labelledby="shown">
          <h2 id="shown">${area('terms.now')}</h2>
          ${
            sentences.length === 0
              ? html`<p class="soft">${area('terms.none')}</p>`
              : html`<ul class="points">
                  ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
                </ul>`
          }
        </section>
        ${actionForm(req, setTerms, withFaults(state, choiceFaults(area)), {
          values,
          fields: fieldTexts(req.person.place.country, values['currency'], language),
          button: area('terms.save'),
          plain: false,
          className: 'card flow',
        })}
      </div>`,
    };
  },
  actions: [setTerms],
});

function choiceFaults(area: AreaText): Readonly<Record<string, string>> {
  const names = ['dress_code', 'deposit_per', 'minimum_spend_per'];
  return Object.fromEntries(names.map((name) => [name, area('fault.choice')]));
}
