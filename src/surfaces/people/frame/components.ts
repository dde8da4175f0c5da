import { html, safeHref, type Html, type HtmlValue } from '../../../core/text/html.ts';

/** Renders a link. A URL that is not safe to follow is left out. */
export function link(href: string, text: HtmlValue): Html {
  return html`<a href="${safeHref(href)}">${text}</a>`;
}

/** Renders text written by users, isolated so that its writing direction does not affect the text around it. */
export function userText(text: HtmlValue): Html {
  return html`<bdi>${text}</bdi>`;
}

/** Renders less important text. */
export function softText(text: HtmlValue): Html {
  return html`<span class="soft">${text}</span>`;
}

/** Renders a short label for a state. The kind sets its colour. */
/** Badges of the states of a record. */
export type StateBadges<State extends string> = Readonly<
  Record<State, readonly [kind: string, word: string]>
>;

export function badge(kind: string, text: HtmlValue): Html {
  return html`<span class="badge${kind && ` ${kind}`}">${text}</span>`;
}

/** Renders what a list shows when it has no entries. */
export function emptyState(title: string, text: HtmlValue): Html {
  return html`<div class="empty">
    <h2>${title}</h2>
    <p>${text}</p>
  </div>`;
}

/** Renders a card with a heading. With an id, the heading names the card for screen readers. */
export function card(title: HtmlValue, body: HtmlValue, id?: string): Html {
  if (id === undefined)
    return html`<section class="card flow">
      <h2>${title}</h2>
      ${body}
    </section>`;
  return html`<section class="card flow" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;
}

/** Renders the link that opens the record of a table row. */
export function rowLink(href: string, text: HtmlValue): Html {
  return html`<a data-row href="${safeHref(href)}">${text}</a>`;
}

/** Renders one of several buttons of a form, each of which sends its own value. */
export function valueButton(name: string, value: string, label: HtmlValue, look = ''): Html {
  const className = look === '' ? 'button' : `button ${look}`;
  return html`<button class="${className}" type="submit" name="${name}" value="${value}">${label}</button>`;
}

/** Renders entries below one another, separated by lines. */
export function itemList(items: readonly HtmlValue[]): Html {
  return html`<ul class="items">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

/** Renders a card that explains why there is nothing to do here. */
export function noteCard(text: HtmlValue): Html {
  return html`<section class="card"><p>${text}</p></section>`;
}
