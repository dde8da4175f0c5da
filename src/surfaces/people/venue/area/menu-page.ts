import { html, type Html } from '../../../../core/text/html.ts';
import { textField } from '../../form/form-field.ts';
import { refuse } from '../../person/action.ts';
import type { PageState } from '../../person/page-request.ts';
import { partPage } from './listing-part.ts';
import {
  changeDraft,
  draftFromMenu,
  menuErrors,
  focusAfter,
  menuFromDraft,
  DISH_NAME_MAX,
  PRICE_MAX,
  readDraft,
  TEXT_MAX,
  type MenuDraft,
} from './menu-form.ts';

type Section = MenuDraft['sections'][number];

/** Field errors, and the field that gets the focus. */
interface FormState {
  faults: Readonly<Record<string, string>>;
  focus: string | undefined;
}

/** The menu, section by section, in the venue's own order. Every button works without JavaScript. */
export const venueMenuPage = partPage({
  part: 'menu',
  title: 'Menu',
  lead: 'Dishes, drinks, treatments, rooms: whatever you offer, in your sections and your order, with your prices.',
  fields: {},
  button: 'Save menu',
  draw: ({ person }, _fields, state) => menuFields(person.place.menu, state),
  read({ form }) {
    if (form.has('do'))
      refuse({
        status: 200,
        notice: { kind: 'warn', text: 'Not saved yet. Press “Save menu” when you are done.' },
      });
    const draft = readDraft(form);
    const menu = menuFromDraft(draft);
    const faults = menu === null ? {} : menuErrors(draft);
    if (Object.keys(faults).length > 0)
      refuse({ faults, notice: { kind: 'bad', text: 'Nothing was saved: some fields are not filled in.' } });
    return menu;
  },
});

function menuFields(menu: Parameters<typeof draftFromMenu>[0], { form, faults = {} }: PageState): Html {
  const action = form?.get('do') ?? undefined;
  const sent = form === undefined ? draftFromMenu(menu) : readDraft(form);
  const draft = action === undefined ? sent : changeDraft(sent, action);
  const formState: FormState = {
    faults,
    focus: action === undefined ? undefined : focusAfter(draft, action),
  };
  // The Enter key presses the first button of a form.
  return html`<button class="unseen" type="submit" tabindex="-1" aria-hidden="true">Save menu</button>
    ${textField({
      name: 'currency',
      label: 'Currency',
      hint: 'Three letters, such as IDR, EUR or THB. Prices are shown as you write them.',
      value: draft.currency,
      fault: faults['currency'],
      maxlength: 3,
    })}
    ${
      draft.sections.length === 0
        ? html`<p class="empty">The menu has no sections. Add one, or save to show no menu at all.</p>`
        : draft.sections.map((section, at) => sectionFields(section, at, draft.sections.length, formState))
    }
    <p><button class="button plain" type="submit" name="do" value="add-section">Add a section</button></p>`;
}

function sectionFields(
  { name, items }: Section,
  at: number,
  count: number,
  { faults, focus }: FormState,
): Html {
  const title = name === '' ? `Section ${at + 1}` : name;
  return html`<fieldset class="course card flow">
    <legend><bdi>${title}</bdi></legend>
    ${textField({
      name: `s${at}-name`,
      label: 'Name of the section',
      value: name,
      fault: faults[`s${at}-name`],
      autofocus: focus === `s${at}-name`,
      maxlength: DISH_NAME_MAX,
    })}
    <ol class="dishes">
      ${items.map((item, dish) => itemFields(item, at, dish, items.length, { faults, focus }))}
    </ol>
    <p class="actions">
      ${button('Add an entry', `add-item:${at}`, title)}
      ${at > 0 && button('Move section up', `up:${at}`, title)}
      ${at < count - 1 && button('Move section down', `down:${at}`, title)}
      ${button('Remove section', `remove:${at}`, title)}
    </p>
  </fieldset>`;
}

function itemFields(
  item: Section['items'][number],
  section: number,
  at: number,
  count: number,
  { faults, focus }: FormState,
): Html {
  const key = `s${section}i${at}`;
  const title = item.name === '' ? `entry ${at + 1}` : item.name;
  return html`<li class="dish-row">
    ${textField({ name: `${key}-name`, label: 'Entry', value: item.name, fault: faults[`${key}-name`], maxlength: DISH_NAME_MAX, autofocus: focus === `${key}-name` })}
    ${textField({ name: `${key}-price`, label: 'Price', value: item.price, maxlength: PRICE_MAX })}
    ${textField({ name: `${key}-description`, label: 'Description', value: item.description, maxlength: TEXT_MAX })}
    <p class="actions">
      ${at > 0 && button('Up', `up:${section}:${at}`, title)}
      ${at < count - 1 && button('Down', `down:${section}:${at}`, title)}
      ${button('Remove', `remove:${section}:${at}`, title)}
    </p>
  </li>`;
}

function button(label: string, action: string, what: string): Html {
  return html`<button class="button plain" type="submit" name="do" value="${action}">
    ${label}<span class="unseen"> (${what})</span>
  </button>`;
}
