import { html, type Html } from '../../../core/text/html.ts';
import { amountOf } from '../../../core/text/money.ts';
import { sentenceCase } from '../frame/wording.ts';

interface Field {
  name: string;
  /** Set where two forms on one page have a field of the same name; defaults to the name. */
  id?: string | undefined;
  label: string;
  hint?: string | undefined;
  /** Validation error, shown at the field. */
  fault?: string | undefined;
  value?: string | undefined;
}

interface TextField extends Field {
  type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'date' | 'time' | 'tel' | 'number';
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'text' | 'url' | 'email';
  maxlength?: number;
  required?: boolean;
  autofocus?: boolean;
}

/** Renders a labelled input, with its hint and error linked for screen readers. */
export function textField(field: TextField): Html {
  return labelled(field, inputOf(field));
}

function inputOf(field: TextField): Html {
  return html`<input
    id="${idOf(field)}"
    name="${field.name}"
    type="${field.type ?? 'text'}"
    value="${field.value ?? ''}"
    ${field.autocomplete !== undefined && html` autocomplete="${field.autocomplete}"`}
    ${field.inputmode !== undefined && html` inputmode="${field.inputmode}"`}
    ${field.maxlength !== undefined && html` maxlength="${field.maxlength}"`}
    ${field.required === true && html` required`}
    ${field.autofocus === true && html` autofocus`}
    ${descriptionAttributes(field)}
  />`;
}

interface AreaField extends Field {
  rows?: number;
  maxlength?: number;
  required?: boolean;
}

export function areaField(field: AreaField): Html {
  return labelled(
    field,
    html`<textarea
      id="${idOf(field)}"
      name="${field.name}"
      rows="${field.rows ?? 3}"
      ${field.maxlength !== undefined && html` maxlength="${field.maxlength}"`}
      ${field.required === true && html` required`}
      ${descriptionAttributes(field)}
    >
${field.value ?? ''}</textarea>`,
  );
}

/** Field for the person's own email address. */
export function emailField(field: Pick<TextField, 'hint' | 'value' | 'fault'>): Html {
  const type = { type: 'email', autocomplete: 'email', inputmode: 'email' } as const;
  return textField({ name: 'email', label: 'Email', ...type, maxlength: 254, required: true, ...field });
}

/** Field for a one-time code that was sent or shown. */
export function codeField(field: Partial<TextField>): Html {
  const type = { autocomplete: 'one-time-code', inputmode: 'numeric' } as const;
  return textField({ name: 'code', label: 'Code', ...type, maxlength: 20, required: true, ...field });
}

/** Field for an amount in USD. Shows the submitted text, or else the stored cents. */
export function moneyField({ cents, ...field }: Omit<TextField, 'type'> & { cents: number | null }): Html {
  const value = field.value ?? (cents === null ? '' : amountOf(cents));
  const input = inputOf({ maxlength: 10, ...field, value, inputmode: 'decimal' });
  return labelled(field, html`<span class="money">${input} <span aria-hidden="true">USD</span></span>`);
}

/** Field in which staff give the reason for an action. */
export function reasonField(field: Partial<AreaField>): Html {
  return areaField({ name: 'reason', label: 'Reason', rows: 2, maxlength: 1000, required: true, ...field });
}

export function choiceField(
  field: Field & { choices: readonly (readonly [value: string, label: string])[] },
): Html {
  return labelled(
    field,
    html`<select id="${idOf(field)}" name="${field.name}" ${descriptionAttributes(field)}>
      ${field.choices.map(
        ([value, label]) =>
          html`<option value="${value}" ${value === field.value && html` selected`}>${label}</option>`,
      )}
    </select>`,
  );
}

/** Select that filters a list: all, or one of the values. */
export function filterField(field: Field, among: readonly string[], all = 'All'): Html {
  const choices = [['', all] as const, ...among.map((one) => [one, sentenceCase(one)] as const)];
  return choiceField({ ...field, choices });
}

function labelled(field: Field, control: Html): Html {
  const { label, hint, fault } = field;
  const id = idOf(field);
  return html`<div class="field${fault !== undefined && ' bad'}">
    <label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`} ${control}
  </div>`;
}

function descriptionAttributes(field: Field): Html {
  const { hint, fault } = field;
  const id = idOf(field);
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(
    (one) => one !== false,
  );
  return html`${fault !== undefined && html` aria-invalid="true"`}
  ${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}`;
}

function idOf({ id, name }: Field): string {
  return id ?? name;
}
