import { html, type Html } from '../../../core/text/html.ts';

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
  const { name, type = 'text', value = '', autocomplete, inputmode, maxlength, required, autofocus } = field;
  const given = { autocomplete, inputmode, maxlength, required, autofocus, ...descriptionOf(field) };
  return html`<input ${attributes({ id: idOf(field), name, type, value, ...given })} />`;
}

export interface AreaField extends Field {
  rows?: number;
  maxlength?: number;
  required?: boolean;
}

export function areaField(field: AreaField): Html {
  const { name, rows = 3, maxlength, required, value = '' } = field;
  const given = { id: idOf(field), name, rows, maxlength, required, ...descriptionOf(field) };
  // Browsers drop a line break at the beginning, so the value keeps its own.
  return labelled(field, html`<textarea ${attributes(given)}>${`\n${value}`}</textarea>`);
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
    html`<select ${attributes({ id: idOf(field), name: field.name, ...descriptionOf(field) })}>
      ${field.choices.map(
        ([value, label]) =>
          html`<option value="${value}" ${value === field.value && html` selected`}>${label}</option>`,
      )}
    </select>`,
  );
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
          ${attributes({
            type: 'radio',
            id,
            name,
            value,
            'aria-describedby': hint && `${id}-hint`,
            checked: value === selected,
          })}
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
        ${attributes({ type: 'checkbox', id, name, value: 'on', checked: (value ?? '') !== '', ...descriptionOf(field) })}
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
  const { name, accept, multiple, required } = field;
  const given = { type: 'file', id: idOf(field), name, accept, multiple, required, ...descriptionOf(field) };
  return labelled(field, html`<input ${attributes(given)} />`);
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

/** Attributes that link hint and error of a field to its control. */
function descriptionOf(field: Field): Attributes {
  const { hint, fault } = field;
  const id = idOf(field);
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`].filter(Boolean);
  return {
    'aria-invalid': fault === undefined ? undefined : 'true',
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
  };
}

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Renders attributes. Absent and false ones are left out; true ones have no value. */
function attributes(all: Attributes): Html[] {
  return Object.entries(all).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? html` ${name}` : html` ${name}="${value}"`;
  });
}

function idOf({ id, name }: Field): string {
  return id ?? name;
}
