import { html, type Html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import type { MenuSection, Place } from '../../../../directory/place/place.ts';
import { dateOf } from './place-dates.ts';

/** Renders the menu in the venue's own order, with prices as the venue wrote them. */
export function menuSection({ menu }: Place, { timezone }: Destination): Html | false {
  const sections = menu?.sections.filter(({ items }) => items.length > 0) ?? [];
  if (menu === null || sections.length === 0) return false;
  return html`<section aria-labelledby="menu-title">
    <h2 id="menu-title">Menu</h2>
    <p class="soft">
      Prices in ${menu.currency}, as the venue wrote them. Last changed ${dateOf(menu.updated_at, timezone)}.
    </p>
    <div class="menu">${sections.map(course)}</div>
  </section>`;
}

function course({ name, items }: MenuSection): Html {
  return html`<section class="course">
    <h3><bdi>${name}</bdi></h3>
    <ul>
      ${items.map(
        ({ name: dish, description, price, notes }) =>
          html`<li>
            <p class="dish">
              <bdi>${dish}</bdi>${price != null && price !== '' && html`<bdi class="number">${price}</bdi>`}
            </p>
            ${[description, notes].map(
              (text) => text != null && text !== '' && html`<p class="soft" dir="auto">${text}</p>`,
            )}
          </li>`,
      )}
    </ul>
  </section>`;
}
