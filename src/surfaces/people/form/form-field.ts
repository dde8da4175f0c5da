import { html, type Html } from '../../../core/text/html.ts';
import { sentenceCase } from '../frame/wording.ts';

interface Field {
  name: string;
  /** Set where two forms on one page have a field of the same name; defaults to the name. */
  id?: string | undefined;
  label: string | Html;
  hint?: string | undefined;
  /** Validation error, shown at the field. */
  fault?: string | undefined;
  value?: string | undefined;
}

export interface TextField extends Field {
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

export interface AreaField extends Field {
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

/** Field for a one-time code that was sent or shown. */
export function codeField(field: Partial<TextField>): Html {
  const type = { autocomplete: 'one-time-code', inputmode: 'numeric' } as const;
  return textField({ name: 'code', label: 'Code', ...type, maxlength: 20, required: true, ...field });
}

/** Field for an amount in USD. */
export function moneyField(field: Omit<TextField, 'type'>): Html {
  const input = inputOf({ maxlength: 10, ...field, inputmode: 'decimal' });
  return labelled(field, html`<span class="money">${input} <span aria-hidden="true">USD</span></span>`);
}

/** A hint is shown where the choices are radio buttons. */
type Choice = readonly [value: string, label: string, hint?: string];

export interface ChoiceField extends Field {
  choices: readonly Choice[];
}

export function choiceField(field: ChoiceField): Html {
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

/** Radio buttons, each with its label and hint. */
export function radioField({ name, label, fault, value: selected, choices, ...field }: ChoiceField): Html {
  return html`<fieldset class="choices flow">
    <legend>${label}</legend>
    ${fault !== undefined && html`<p class="fault">${fault}</p>`}
    ${choices.map(([value, text, hint]) => {
      const id = `${field.id ?? name}-${value}`;
      return html`<div class="choice">
        <input
          type="radio"
          id="${id}"
          name="${name}"
          value="${value}"
          ${hint !== undefined && html` aria-describedby="${id}-hint"`}
          ${value === selected && html` checked`}
        />
        <div>
          <label for="${id}">${text}</label>
          ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
        </div>
      </div>`;
    })}
  </fieldset>`;
}

/** Box to tick, beside its label. */
export function checkField(field: Field): Html {
  const { name, label, fault, value } = field;
  const id = idOf(field);
  return html`<div class="field ${fault !== undefined && 'bad'}">
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
    <div class="choice">
      <input
        type="checkbox"
        id="${id}"
        name="${name}"
        value="on"
        ${(value ?? '') !== '' && html` checked`}
        ${descriptionAttributes(field)}
      />
      <label for="${id}">${label}</label>
    </div>
  </div>`;
}

export interface FileField extends Field {
  /** Accepted types. */
  accept: string;
  multiple?: boolean;
  required?: boolean;
}

export function fileField(field: FileField): Html {
  return labelled(
    field,
    html`<input
      type="file"
      id="${idOf(field)}"
      name="${field.name}"
      accept="${field.accept}"
      ${field.multiple === true && html` multiple`}
      ${field.required === true && html` required`}
      ${descriptionAttributes(field)}
    />`,
  );
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
