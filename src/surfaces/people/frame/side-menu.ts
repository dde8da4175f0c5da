import { html, safeHref, type Html, type HtmlValue } from '../../../core/text/html.ts';
import type { NavItem } from './layout.ts';

export interface MenuItem extends NavItem {
  /** Key that opens the page after g. */
  key?: string;
  /** Shown after the label: a count, or what is missing. */
  mark?: Html | false;
}

interface MenuGroup {
  /** Heading of the group; a group without one continues the group before it. */
  title?: HtmlValue;
  items: readonly MenuItem[];
}

interface MenuState {
  /** Path of the page's item. */
  current: string | undefined;
  /** Names the menu on a page that is not in it. */
  other?: string;
  /** Shown below the groups. */
  more?: Html | false;
}

/**
 * Renders a menu in groups. It is beside the page on a wide screen; on a narrow one it is folded under the name of the
 * current page, and opens without JavaScript: the groups follow an empty `details`.
 */
export function sideMenu(label: string, groups: readonly MenuGroup[], state: MenuState): Html {
  const { current, other = label, more = false } = state;
  const here = groups.flatMap(({ items }) => items).find(({ href }) => href === current);
  return html`<nav class="side-menu" aria-label="${label}">
    <details class="menu-switch">
      <summary>${here === undefined ? html`<span>${other}</span>` : itemText(here)}</summary>
    </details>
    <div class="menu-groups">
      ${groups.map(({ title, items }, at) => {
        const id = `menu-${at}`;
        return html`${title !== undefined && html`<span class="group" id="${id}">${title}</span>`}
          <ul ${title !== undefined && html` aria-labelledby="${id}"`}>
            ${items.map((item) => html`<li>${itemLink(item, item === here)}</li>`)}
          </ul>`;
      })}
      ${more}
    </div>
  </nav>`;
}

function itemLink(item: MenuItem, isCurrent: boolean): Html {
  const { href, key } = item;
  return html`<a
    href="${safeHref(href)}"
    ${key !== undefined && html` data-go="${key}"`}
    ${isCurrent && html` aria-current="page"`}
    >${itemText(item)}</a
  >`;
}

function itemText({ label, mark }: MenuItem): Html {
  return html`<span>${label}</span>${mark !== undefined && mark !== false && html` ${mark}`}`;
}

/** Returns the longest path among the items that the page's path begins with. */
export function currentItem<Item extends NavItem>(items: readonly Item[], path: string): Item | undefined {
  const above = items.filter(({ href }) => path === href || path.startsWith(`${href}/`));
  return above.sort((a, b) => b.href.length - a.href.length)[0];
}
