import { html, type Html } from '../../../core/text/html.ts';
import { form } from '../frame/frame.ts';
import type { Action } from '../person/action.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { fillPath } from '../person/page.ts';
import type { FieldState, FormFields } from './fields.ts';

type FieldChange = Partial<Omit<FieldState, 'name' | 'id' | 'value' | 'fault'>>;

/** Content of this form beyond the action's declaration. */
export interface FormContent<Fields extends FormFields> {
  /** Path parameters; those of the page by default. */
  params?: Readonly<Record<string, string>>;
  /** Stored values. After an error the submitted ones are shown. */
  values?: Partial<Record<keyof Fields, string | null | undefined>>;
  /** Labels, hints or choices that depend on the data; false leaves a field out. */
  fields?: Partial<Record<keyof Fields, FieldChange | false>>;
  title?: string;
  help?: string | Html;
  button?: string;
  danger?: boolean;
  /** False for the main form of a page: its button is filled. */
  plain?: boolean;
  /** Replaces the button where each of several buttons sends a value. */
  buttons?: Html;
  /** Label for screen readers where several forms have the same button. */
  buttonLabel?: string;
  /** Shown below the fields, before the button. */
  more?: Html | false;
  /** Shown beside the button. */
  beside?: Html | false;
  /** Query parameters of the URL that the form is sent to. */
  query?: Readonly<Record<string, string>>;
  className?: string;
  /** Folds the form below its title, for a page with many forms. It is open after an error. */
  fold?: 'closed' | 'open';
  /**
   * Distinguishes the fields of several forms of one action. Pass the page's state only to the form that was sent:
   * `req.params['id'] === id ? state : {}`.
   */
  idPrefix?: string;
}

/** Renders the form of an action with its fields, errors and button; nothing for people who may not perform it. */
export function actionForm<Person, Fields extends FormFields, Prepared>(
  req: PageRequest<Person>,
  action: Action<Person, Fields, Prepared>,
  state: PageState,
  content: FormContent<Fields> = {},
): Html | false {
  if (action.who.allows?.(req.person) === false) return false;
  const { title, help, button, danger, plain, confirm } = { ...action, ...content };
  const isPlain = plain ?? title === undefined;
  const look = danger === true ? 'danger' : isPlain ? 'plain' : '';
  const query = new URLSearchParams(content.query).toString();
  const path = fillPath(action.path, content.params ?? req.params) + (query && `?${query}`);
  const formOf = (inside: Html, className: string) =>
    form(req, path, inside, { className, files: action.files !== undefined });
  const controls = html`${formFields(action, state, content)} ${content.more ?? false}
    <p class="row-forms">
      ${
        content.buttons ??
        html`<button
          class="button ${look} ${title === undefined && isPlain && 'small'}"
          type="submit"
          ${content.buttonLabel !== undefined && html` aria-label="${content.buttonLabel}"`}
        >
          ${button ?? title}
        </button>`
      }
      ${content.beside ?? false}
    </p>`;
  if (content.fold !== undefined)
    return html`<details
      class="fold"
      ${(content.fold === 'open' || state.action === action.name) && html` open`}
    >
      <summary>${title}</summary>
      ${formOf(html`${help !== undefined && html`<p class="soft">${help}</p>`} ${controls}`, 'flow')}
    </details>`;
  const inner = html`${title !== undefined && html`<h2>${title}</h2>`}
  ${help !== undefined && html`<p class="soft">${help}</p>`}
  ${
    confirm === undefined
      ? controls
      : html`<details ${state.action === action.name && html` open`}>
          <summary>${button ?? title}</summary>
          <p class="hint">${confirm}</p>
          ${controls}
        </details>`
  }`;
  return formOf(inner, content.className ?? (title === undefined ? '' : 'card flow'));
}

/** Renders only the fields of an action, for a form that its page draws itself. */
export function formFields<Person, Fields extends FormFields, Prepared>(
  { name: actionName, fields = {} as Fields }: Pick<Action<Person, Fields, Prepared>, 'name' | 'fields'>,
  { action, form: submitted, faults = {} }: PageState,
  { values = {}, fields: changes = {}, idPrefix }: FormContent<Fields> = {},
): Html {
  const wasSubmitted = action === actionName;
  return html`${Object.entries<FormFields[string]>(fields).map(([name, field]) => {
    const change = changes[name];
    if (change === false) return false;
    // A box that is not ticked is not in the submitted form.
    const sent = wasSubmitted && submitted !== undefined ? (submitted.get(name) ?? '') : undefined;
    const stored = values[name];
    return field.render({
      name,
      id: `${idPrefix ?? actionName}-${name}`,
      value: (field.fixed === true ? (stored ?? sent) : (sent ?? stored)) ?? undefined,
      fault: wasSubmitted ? faults[name] : undefined,
      ...change,
    });
  })}`;
}
