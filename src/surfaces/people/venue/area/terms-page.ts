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
import { actionForm } from '../../form/action-form.ts';
import { choiceInput, textInput, type FormFields } from '../../form/fields.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import { venue } from '../../person/people.ts';

const PATH = '/venue/terms';
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const AMOUNT = /^(\d{1,7})(?:[.,](\d{1,3}))?$/;

const DRESS_LABELS: Readonly<Record<(typeof DRESS_CODES)[number], string>> = {
  none: 'Guests come as they like',
  smart_casual: 'Smart casual',
  formal: 'Formal',
};

const setTerms = defineAction({
  name: 'set_table_terms',
  path: PATH,
  who: venue,
  fields: Object.fromEntries([
    ...TERM_NAMES.flatMap((name) => Object.entries(fieldsOf(name))),
    [
      'currency',
      textInput(z.string().trim().toUpperCase(), {
        label: 'Currency of these sums',
        hint: 'Its three letters, such as EUR. Needed only with a sum.',
        maxlength: 3,
      }),
    ],
  ]) as Readonly<Record<string, ReturnType<typeof textInput<z.ZodString>>>>,
  button: 'Save these terms',
  done: { saved: 'Your terms are saved. Partners and guests see them before they ask you.' },
  async run(act, values) {
    const placeId = act.person.place.id;
    await setVenueTerms(act.db, act.now, placeId, readForm(values));
    act.audit(placeId);
    return { done: 'saved' };
  },
});

/** The form fields of a term. An empty field means that the venue states nothing. */
function fieldsOf(name: TermName): FormFields {
  const term = TABLE_TERMS[name];
  const look = { label: term.label, ...('hint' in term && { hint: term.hint }) };
  if (name === 'dress_code')
    return {
      [name]: choiceInput(
        [['', 'Not stated'], ...DRESS_CODES.map((code) => [code, DRESS_LABELS[code]] as const)],
        look,
      ),
    };
  if (!isMoney(name)) return { [name]: textInput(z.string().trim(), { ...look, inputmode: 'numeric' }) };
  return {
    [name]: textInput(z.string().trim(), { ...look, inputmode: 'decimal' }),
    [`${name}_per`]: choiceInput(
      [
        ['person', 'For each guest'],
        ['table', 'For the whole table'],
      ],
      { label: `${term.label}: for each guest or for the table?` },
    ),
  };
}

function isMoney(name: TermName): name is 'deposit' | 'minimum_spend' {
  return name === 'deposit' || name === 'minimum_spend';
}

/** The terms that the form states; refuses values that are none. */
function readForm(values: Readonly<Record<string, string>>): TermValues {
  const faults: Record<string, string> = {};
  const terms: Partial<Record<TermName, unknown>> = {};
  for (const name of TERM_NAMES) {
    const text = values[name] ?? '';
    if (text === '') continue;
    const value = isMoney(name)
      ? moneyOf(text, { currency: values['currency'] ?? '', per: values[`${name}_per`] ?? '' }, faults, name)
      : name === 'dress_code'
        ? text
        : /^\d{1,3}$/.test(text) && Number(text);
    if (faults[name] !== undefined || faults['currency'] !== undefined) continue;
    const parsed = TABLE_TERMS[name].value.safeParse(value);
    if (parsed.success) terms[name] = parsed.data;
    else faults[name] = rangeFault(name);
  }
  if (Object.keys(faults).length > 0) refuse({ faults });
  return terms as TermValues;
}

function moneyOf(
  text: string,
  { currency, per }: { currency: string; per: string },
  faults: Record<string, string>,
  name: TermName,
): Omit<Money, 'per'> & { per: string } {
  if (!CURRENCIES.has(currency)) faults['currency'] = 'Give the three letters of your currency, such as EUR.';
  const [, whole = '', part = ''] = AMOUNT.exec(text) ?? [];
  const digits = CURRENCIES.has(currency) ? minorDigits(currency) : 2;
  if (whole === '' || part.length > digits)
    faults[name] = 'This must be a sum without its currency, such as 20 or 20.50.';
  return { amount_minor: Number(whole + part.padEnd(digits, '0')), currency, per };
}

function rangeFault(name: TermName): string {
  const { value } = TABLE_TERMS[name];
  return value instanceof z.ZodNumber
    ? `This must be a whole number from ${value.minValue} to ${value.maxValue}.`
    : 'This must be one of the choices.';
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
    const sentences = termSentences(terms);
    return {
      title: 'Your terms',
      lead: 'Guests and partners read them before they ask you for a table. Leave a field empty if you state nothing: it is never guessed.',
      body: html`<section class="flow" aria-labelledby="shown">
          <h2 id="shown">What guests read now</h2>
          ${
            sentences.length === 0
              ? html`<p class="empty">No terms are known. Terms that you save below appear here.</p>`
              : html`<ul>
                  ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
                </ul>`
          }
        </section>
        ${actionForm(req, setTerms, state, { values: valuesOf(terms), className: 'flow' })}
        <p><a href="/venue/tables">Back to your requests</a></p>`,
    };
  },
  actions: [setTerms],
});
