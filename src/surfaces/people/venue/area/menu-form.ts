import { cutTyped } from '../../../../core/text/visible-text.ts';
import type { MenuSection } from '../../../../directory/place/place.ts';

export const SECTIONS_MAX = 30;
export const ITEMS_MAX = 60;
export const DISH_NAME_MAX = 120;
export const TEXT_MAX = 300;
export const PRICE_MAX = 40;

const LENGTHS = { name: DISH_NAME_MAX, price: PRICE_MAX, description: TEXT_MAX } as const;

export interface MenuDraft {
  currency: string;
  sections: { name: string; items: { name: string; price: string; description: string }[] }[];
}

export function draftFromMenu(menu: { currency: string; sections: MenuSection[] } | null): MenuDraft {
  if (menu === null) return { currency: '', sections: [emptySection()] };
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
export function readDraft(form: URLSearchParams): MenuDraft {
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

/** Applies the pressed button to the draft: add, move or remove. Nothing is saved. */
export function changeDraft(draft: MenuDraft, action: string): MenuDraft {
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
export function focusAfter({ sections }: MenuDraft, action: string): string {
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
export function menuErrors(draft: MenuDraft): Record<string, string> {
  const faults: Record<string, string> = {};
  if (!/^[A-Z]{3}$/.test(draft.currency))
    faults['currency'] = 'Give the three letters of your currency, such as IDR.';
  draft.sections.forEach(({ name, items }, section) => {
    const filled = items.some((item) => !isEmpty(item));
    if (filled && name === '') faults[`s${section}-name`] = 'Give the section a name.';
    items.forEach((item, at) => {
      if (item.name === '' && !isEmpty(item)) faults[`s${section}i${at}-name`] = 'Give the entry a name.';
    });
  });
  return faults;
}

/** Converts the draft to its stored form, without empty rows and sections; null when nothing is left. */
export function menuFromDraft({
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
