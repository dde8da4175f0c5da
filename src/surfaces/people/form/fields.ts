import { z } from 'zod';
import type { Html } from '../../../core/text/html.ts';
import { html } from '../../../core/text/html.ts';
import { amountOf } from '../../../core/text/money.ts';
import { emailAddress, text } from '../../../core/text/text.ts';
import {
  areaField,
  checkField,
  choiceField,
  codeField,
  fileField,
  moneyField,
  radioField,
  textField,
  type AreaField,
  type ChoiceField,
  type FileField,
  type TextField,
} from './form-field.ts';

/** Value and error of a field when its form is rendered; texts given here replace the declared ones. */
export interface FieldState {
  name: string;
  id: string;
  value?: string | undefined;
  fault?: string | undefined;
  label?: string | Html;
  hint?: string | undefined;
  required?: boolean;
  autofocus?: boolean;
  choices?: ChoiceField['choices'];
}

/** A declared form field: how its text becomes a value, and how it is shown. */
export interface FormField<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  /** Converts the text before validation. An empty number or amount is null. */
  parse?: 'number' | 'money';
  /** Error message that replaces those of the schema. */
  error?: string;
  /** The page sets the value: a submitted one is not shown again. */
  fixed?: true;
  render(state: FieldState): Html;
}

export type FormFields = Readonly<Record<string, FormField>>;

/** Validated values of a form. */
export type FormValues<Fields extends FormFields> = {
  [Name in keyof Fields]: z.output<Fields[Name]['schema']>;
};

type Look<Field> = Omit<Field, 'name' | 'id' | 'fault'>;

/** One-line text. Its length limit is enforced in the browser too. */
export function textInput<Schema extends z.ZodType>(
  schema: Schema,
  look: Look<TextField>,
): FormField<Schema> {
  return { schema, render: (state) => textField({ ...look, ...state }) };
}

export function areaInput<Schema extends z.ZodType>(
  schema: Schema,
  look: Look<AreaField>,
): FormField<Schema> {
  return { schema, render: (state) => areaField({ ...look, ...state }) };
}

export function numberInput<Schema extends z.ZodType>(
  schema: Schema,
  look: Look<TextField>,
): FormField<Schema> {
  const render = (state: FieldState) => textField({ inputmode: 'numeric', ...look, ...state });
  return { schema, parse: 'number', render };
}

/** Amount in USD; the value is in cents. One message covers all errors, because a person who mistyped needs all of it. */
export function moneyInput(
  { min, max }: { min: number; max: number },
  look: Look<TextField>,
): FormField<z.ZodType<number>> {
  const schema = z.custom<number>(
    (cents) => typeof cents === 'number' && cents >= min && cents <= max,
    `must be a sum in US dollars from ${amountOf(min)} to ${amountOf(max)}, such as 5 or 5.00`,
  );
  const render = (state: FieldState) => moneyField({ ...look, ...state });
  return { schema, parse: 'money', render };
}

/** Select whose choices depend on the data, or whose value the action itself checks. */
export function selectInput<Schema extends z.ZodType>(
  schema: Schema,
  look: Look<ChoiceField>,
): FormField<Schema> {
  return { schema, render: (state) => choiceField({ ...look, ...state }) };
}

/** One of several values, each with its label. With a placeholder, nothing is preselected. */
export function choiceInput<const Value extends string>(
  choices: readonly (readonly [value: Value, label: string])[],
  { placeholder, ...look }: Omit<Look<ChoiceField>, 'choices'> & { placeholder?: string },
  error = 'must be one of the choices',
): FormField<z.ZodType<Value>> {
  const values = choices.map(([value]) => value);
  const schema = z.custom<Value>((value) => values.includes(value as Value), error);
  const shown = placeholder === undefined ? choices : ([['', placeholder], ...choices] as const);
  return selectInput(schema, { ...look, choices: shown });
}

/** Value that the page itself puts into the form. */
export function hiddenInput<Schema extends z.ZodType>(schema: Schema): FormField<Schema> {
  return {
    schema,
    fixed: true,
    render: ({ name, value, fault }) =>
      html`<input type="hidden" name="${name}" value="${value ?? ''}" />
        ${fault !== undefined && html`<p class="fault">${fault}</p>`}`,
  };
}

/** Password. It is never shown again. */
export function passwordInput<Schema extends z.ZodType>(
  schema: Schema,
  look: Look<TextField>,
): FormField<Schema> {
  const render = (state: FieldState) => textField({ ...look, ...state, type: 'password', value: '' });
  return { schema, render };
}

/** One-time code that was sent or shown. */
export function codeInput(look: Partial<Look<TextField>> = {}): FormField<z.ZodString> {
  return { schema: z.string(), render: (state) => codeField({ ...look, ...state, value: '' }) };
}

/** Email address of somebody else. */
export function emailInput(look: Partial<Look<TextField>> = {}): FormField<ReturnType<typeof emailAddress>> {
  return textInput(emailAddress(), {
    label: 'Email',
    type: 'email',
    maxlength: 254,
    required: true,
    ...look,
  });
}

/** The person's own email address. */
export function ownEmailInput(look: Partial<Look<TextField>> = {}): ReturnType<typeof emailInput> {
  return {
    ...emailInput({ autocomplete: 'email', inputmode: 'email', ...look }),
    error: 'This is not an email address. It looks like name@example.com.',
  };
}

/** Radio buttons, each with a hint. */
export function radioInput<const Value extends string>(
  choices: readonly (readonly [value: Value, label: string, hint: string])[],
  look: Omit<Look<ChoiceField>, 'choices'>,
): FormField<z.ZodType<Value>> {
  const { schema } = choiceInput(
    choices.map(([value, label]) => [value, label] as const),
    look,
  );
  return { schema, render: (state) => radioField({ choices, ...look, ...state }) };
}

/** Box to tick; with an error message, it must be ticked. */
export function checkInput(label: string, error?: string): FormField<z.ZodType<boolean>> {
  return {
    schema: z
      .string()
      .refine((value) => error === undefined || value !== '')
      .transform((value) => value !== ''),
    ...(error !== undefined && { error }),
    render: (state) => checkField({ label, ...state }),
  };
}

/** File to upload. The action reads it from its context. */
export function fileInput(look: Look<FileField>): FormField<z.ZodUnknown> {
  return { schema: z.unknown(), render: (state) => fileField({ ...look, ...state }) };
}

/** Value of the pressed button, for forms with several buttons, which the page draws. */
export function pressedInput<const Value extends string>(
  values: readonly Value[],
): FormField<z.ZodType<Value>> {
  return {
    schema: z.custom<Value>((value) => values.includes(value as Value)),
    error: 'Press one of the buttons.',
    render: ({ fault }) => html`${fault !== undefined && html`<p class="fault">${fault}</p>`}`,
  };
}

/** Reason that staff give for an action; it is recorded in the audit log. */
export function reasonInput(hint: string, maxlength = 1000): FormField<ReturnType<typeof text>> {
  return areaInput(text(4, maxlength), { label: 'Reason', hint, rows: 2, maxlength, required: true });
}
