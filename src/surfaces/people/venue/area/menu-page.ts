import { html, type Html } from '../../../../core/text/html.ts';
import { cutTyped } from '../../../../core/text/visible-text.ts';
import type { MenuSection, Place } from '../../../../directory/place/place.ts';
import { CURRENCIES, currencyOf } from '../../../../directory/country/currency.ts';
import { areaField, choiceField, textField } from '../../form/form-field.ts';
import { refuse } from '../../person/action.ts';
import type { Notice, PageState } from '../../person/page-request.ts';
import { areaLanguage, type AreaLanguage, type AreaText } from '../language/area-language.ts';
import { currencyChoices, examplePrice } from './currency-choices.ts';
import { partPage } from './listing-part.ts';
import { readMenuList, type ReadSection } from './read-menu-list.ts';
import { valueButton } from '../../frame/components.ts';

type Section = MenuDraft['sections'][number];
type MenuPlace = Pick<Place, 'menu' | 'country'>;

/** Field errors, and the field that gets the focus. */
interface FormState {
  faults: Readonly<Record<string, string>>;
  focus: string | undefined;
}

/** The menu, section by section, in the venue's own order. Every button works without JavaScript. */
export const venueMenuPage = partPage({
  part: 'menu',
  fields: {},
  redraw: true,
  draw: ({ person: { place } }, _fields, state, language) => menuFields(place, state, language),
  read(act) {
    const { form } = act;
    const language = areaLanguage(act);
    const { area } = language;
    const draft = readDraft(form);
    if (form.get('do') === PASTE) {
      const example = exampleLine(act.person.place, language);
      refuse({ status: 200, notice: pasteNotice(readPaste(form, draft), example, area) });
    }
    if (form.has('do')) refuse({ status: 200, notice: { kind: 'warn', text: area('menu.unsaved') } });
    const menu = menuFromDraft(draft);
    const faults = menu === null ? {} : menuErrors(draft, act.person.place.menu?.currency, area);
    if (Object.keys(faults).length > 0)
      refuse({ faults, notice: { kind: 'bad', text: area('fault.check') } });
    return menu;
  },
});

/** Returns a line of a menu as it could be in the venue's country. */
function exampleLine({ country }: Pick<Place, 'country'>, language: AreaLanguage): string {
  return `${language.area('menu.example')} … ${examplePrice(country, language)}`;
}

function pasteNotice(read: readonly ReadSection[], example: string, area: AreaText): Notice {
  const entries = read.flatMap((section) => section.items).length;
  if (entries === 0) return { kind: 'bad', text: area('menu.unread', { example }) };
  const found = area('menu.found', { entries: area('have.menu', { entries }) });
  return { kind: 'warn', text: `${found} ${area('menu.unsaved')}` };
}

function menuFields(place: MenuPlace, { form, faults = {} }: PageState, language: AreaLanguage): Html {
  const { area } = language;
  const stored = draftFromMenu(place.menu, currencyOf(place.country));
  const action = form?.get('do') ?? undefined;
  const sent = form === undefined ? stored : readDraft(form);
  const read = action === PASTE && form !== undefined ? readPaste(form, sent) : [];
  const isUnread = action === PASTE && read.length === 0;
  const draft =
    read.length > 0 ? withRead(sent, read, area) : action === undefined ? sent : changeDraft(sent, action);
  const formState: FormState = {
    faults,
    focus:
      action === undefined
        ? undefined
        : action === PASTE
          ? focusAfterPaste(sent, read)
          : focusAfter(draft, action),
  };
  // The Enter key presses the first button of a form.
  return html`<button class="unseen" type="submit" tabindex="-1" aria-hidden="true">
      ${area('menu.save')}
    </button>
    ${choiceField({
      name: 'currency',
      label: area('menu.currency'),
      hint: area('menu.currencyHint'),
      value: draft.currency,
      fault: faults['currency'],
      choices: currencyChoices(place.country, place.menu?.currency, language),
    })}
    ${pasteField(
      {
        text: isUnread ? (form?.get('paste') ?? '') : '',
        isOpen: isUnread || stored.sections.every(isBlank),
        example: exampleLine(place, language),
      },
      area,
    )}
    ${
      draft.sections.length === 0
        ? html`<p class="empty">${area('menu.noSections')}</p>`
        : draft.sections.map((section, at) =>
            sectionFields(section, at, draft.sections.length, formState, area),
          )
    }
    <p>${valueButton('do', 'add-section', area('menu.addSection'), 'plain')}</p>`;
}

/** Field for a whole list, which the button reads into entries. */
function pasteField(
  { text, isOpen, example }: { text: string; isOpen: boolean; example: string },
  area: AreaText,
): Html {
  return html`<details class="quiet" ${isOpen && html` open`}>
    <summary>${area('menu.paste')}</summary>
    ${areaField({
      name: 'paste',
      label: area('menu.list'),
      hint: area('menu.listHint', { example }),
      value: text,
      rows: 8,
      maxlength: PASTE_MAX,
    })}
    <p>${valueButton('do', PASTE, area('menu.read'), 'plain')}</p>
  </details>`;
}

function sectionFields(
  { name, items }: Section,
  at: number,
  count: number,
  { faults, focus }: FormState,
  area: AreaText,
): Html {
  const title = name === '' ? area('menu.section', { number: at + 1 }) : name;
  return html`<fieldset class="course card flow">
    <legend><bdi>${title}</bdi></legend>
    ${textField({
      name: `s${at}-name`,
      label: area('menu.sectionName'),
      value: name,
      fault: faults[`s${at}-name`],
      autofocus: focus === `s${at}-name`,
      maxlength: DISH_NAME_MAX,
    })}
    <ol class="dishes">
      ${items.map((item, dish) => itemFields(item, at, dish, items.length, { faults, focus }, area))}
    </ol>
    <p class="actions">
      ${button(area('menu.addEntry'), `add-item:${at}`, title)}
      ${at > 0 && button(area('menu.sectionUp'), `up:${at}`, title)}
      ${at < count - 1 && button(area('menu.sectionDown'), `down:${at}`, title)}
      ${button(area('menu.removeSection'), `remove:${at}`, title)}
    </p>
  </fieldset>`;
}

function itemFields(
  item: Section['items'][number],
  section: number,
  at: number,
  count: number,
  { faults, focus }: FormState,
  area: AreaText,
): Html {
  const key = `s${section}i${at}`;
  const title = item.name === '' ? area('menu.entryNumber', { number: at + 1 }) : item.name;
  return html`<li class="dish-row">
    ${textField({ name: `${key}-name`, label: area('menu.entry'), value: item.name, fault: faults[`${key}-name`], maxlength: DISH_NAME_MAX, autofocus: focus === `${key}-name` })}
    ${textField({ name: `${key}-price`, label: area('menu.price'), value: item.price, maxlength: PRICE_MAX })}
    ${textField({ name: `${key}-description`, label: area('part.about'), value: item.description, maxlength: TEXT_MAX })}
    <p class="actions">
      ${at > 0 && button(area('menu.up'), `up:${section}:${at}`, title)}
      ${at < count - 1 && button(area('menu.down'), `down:${section}:${at}`, title)}
      ${button(area('menu.remove'), `remove:${section}:${at}`, title)}
    </p>
  </li>`;
}

function button(label: string, action: string, what: string): Html {
  return html`<button class="button plain" type="submit" name="do" value="${action}">
    ${label}<span class="unseen"> (${what})</span>
  </button>`;
}

const PASTE = 'paste';
const PASTE_MAX = 30_000;
const SECTIONS_MAX = 30;
const ITEMS_MAX = 60;
const DISH_NAME_MAX = 120;
const TEXT_MAX = 300;
const PRICE_MAX = 40;

const LENGTHS = { name: DISH_NAME_MAX, price: PRICE_MAX, description: TEXT_MAX } as const;

interface MenuDraft {
  currency: string;
  sections: { name: string; items: { name: string; price: string; description: string }[] }[];
}

function draftFromMenu(menu: { currency: string; sections: MenuSection[] } | null, currency = ''): MenuDraft {
  if (menu === null) return { currency, sections: [emptySection()] };
  return {
    currency: menu.currency,
    sections: menu.sections.map(({ name, items }) => ({
      name,
      items: items.map((item) => ({
        name: item.name,
        price: item.price ?? '',
        description: item.description ?? '',
      })),
    })),
  };
}

/** Reads the whole menu from the form. */
function readDraft(form: URLSearchParams): MenuDraft {
  const sections: MenuDraft['sections'] = [];
  for (const [field, value] of form) {
    const [, section, item, part] = /^s(\d+)(?:i(\d+))?-(name|price|description)$/.exec(field) ?? [];
    if (section === undefined) continue;
    const at = (sections[Number(section)] ??= { name: '', items: [] });
    if (item === undefined) at.name = clean(value, DISH_NAME_MAX);
    else {
      const dish = (at.items[Number(item)] ??= { name: '', price: '', description: '' });
      dish[part as keyof typeof dish] = clean(value, LENGTHS[part as keyof typeof LENGTHS]);
    }
  }
  return {
    currency: clean(form.get('currency') ?? '', 3).toUpperCase(),
    sections: dense(sections, SECTIONS_MAX).map(({ name, items }) => ({
      name,
      items: dense(items, ITEMS_MAX),
    })),
  };
}

/** Removes the gaps that a tampered form leaves in the array. */
function dense<T>(list: readonly T[], max: number): T[] {
  return Object.values(list).slice(0, max);
}

function clean(text: string, max: number): string {
  return cutTyped(text.replaceAll(/\p{Cc}/gu, ' ').trim(), max);
}

function readPaste(form: URLSearchParams, { currency }: MenuDraft): ReadSection[] {
  return readMenuList((form.get('paste') ?? '').slice(0, PASTE_MAX), currency);
}

/** Adds what was read after the sections that are filled. A list without sections becomes one. */
function withRead(draft: MenuDraft, read: readonly ReadSection[], area: AreaText): MenuDraft {
  const added = read.map(({ name, items }) => ({
    name: clean(name === '' ? area('part.menu') : name, DISH_NAME_MAX),
    items: items
      .slice(0, ITEMS_MAX)
      .map((item) => ({
        name: clean(item.name, DISH_NAME_MAX),
        price: clean(item.price, PRICE_MAX),
        description: clean(item.description, TEXT_MAX),
      })),
  }));
  const filled = draft.sections.filter((section) => !isBlank(section));
  return { ...draft, sections: [...filled, ...added].slice(0, SECTIONS_MAX) };
}

function focusAfterPaste({ sections }: MenuDraft, read: readonly ReadSection[]): string {
  return read.length === 0 ? 'paste' : `s${sections.filter((section) => !isBlank(section)).length}-name`;
}

function isBlank({ name, items }: Section): boolean {
  return name === '' && items.every(isEmpty);
}

/** Applies the pressed button to the draft: add, move or remove. Nothing is saved. */
function changeDraft(draft: MenuDraft, action: string): MenuDraft {
  const [verb = '', section = '', item] = action.split(':');
  const sections = structuredClone(draft.sections);
  const at = Number(section);
  const dishes = sections[at]?.items;
  if (verb === 'add-section' && sections.length < SECTIONS_MAX) sections.push(emptySection());
  if (verb === 'add-item' && dishes !== undefined && dishes.length < ITEMS_MAX) dishes.push(emptyItem());
  const list: unknown[] | undefined = item === undefined ? sections : dishes;
  const index = item === undefined ? at : Number(item);
  if (list !== undefined && index in list) {
    if (verb === 'remove') list.splice(index, 1);
    if (verb === 'up') move(list, index, index - 1);
    if (verb === 'down') move(list, index, index + 1);
  }
  return { ...draft, sections };
}

/** Returns the field to focus after that change: the added or moved one, or the one now in its position. */
function focusAfter({ sections }: MenuDraft, action: string): string {
  const [verb = '', section = '', item] = action.split(':');
  const last = sections.length - 1;
  const step = verb === 'up' ? -1 : verb === 'down' ? 1 : 0;
  if (verb === 'add-section') return `s${last}-name`;
  const at = Math.min(Number(section) + (item === undefined ? step : 0), last);
  const items = (sections[at]?.items.length ?? 0) - 1;
  if (verb === 'add-item') return `s${at}i${items}-name`;
  if (item === undefined) return last < 0 ? 'currency' : `s${at}-name`;
  return items < 0 ? `s${at}-name` : `s${at}i${Math.min(Number(item) + step, items)}-name`;
}

function move(list: unknown[], from: number, to: number): void {
  if (to >= 0 && to < list.length) list.splice(to, 0, ...list.splice(from, 1));
}

/** Returns the errors of a menu to save, by field. Empty rows are valid, because they are dropped. */
function menuErrors(draft: MenuDraft, stored: string | undefined, area: AreaText): Record<string, string> {
  const faults: Record<string, string> = {};
  if (!CURRENCIES.includes(draft.currency) && draft.currency !== stored)
    faults['currency'] = area('fault.choice');
  draft.sections.forEach(({ name, items }, section) => {
    const filled = items.some((item) => !isEmpty(item));
    if (filled && name === '') faults[`s${section}-name`] = area('fault.sectionName');
    items.forEach((item, at) => {
      if (item.name === '' && !isEmpty(item)) faults[`s${section}i${at}-name`] = area('fault.entryName');
    });
  });
  return faults;
}

/** Converts the draft to its stored form, without empty rows and sections; null when nothing is left. */
function menuFromDraft({
  currency,
  sections,
}: MenuDraft): { currency: string; sections: MenuSection[] } | null {
  const filled = sections
    .map(({ name, items }) => ({
      name,
      items: items
        .filter((item) => !isEmpty(item))
        .map((item) => ({
          name: item.name,
          description: item.description || null,
          price: item.price || null,
        })),
    }))
    .filter(({ items }) => items.length > 0);
  return filled.length === 0 ? null : { currency, sections: filled };
}

function isEmpty({ name, price, description }: MenuDraft['sections'][number]['items'][number]): boolean {
  return name === '' && price === '' && description === '';
}

function emptySection(): MenuDraft['sections'][number] {
  return { name: '', items: [emptyItem()] };
}

function emptyItem() {
  return { name: '', price: '', description: '' };
}
