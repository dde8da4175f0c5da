import { html, safeHref, type Html, type HtmlValue } from '../../../core/text/html.ts';

/** Renders a section that its heading names for screen readers. */
export function titledSection(id: string, title: string, body: HtmlValue, className?: string): Html {
  return html`<section
    id="${id}"
    ${className !== undefined && html` class="${className}"`}
    aria-labelledby="${id}-title"
  >
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`;
}

/** Renders a link to a page of somebody else, which gets no credit from search engines. */
export function outsideLink(className: 'tall' | 'source', href: string, text: HtmlValue): Html {
  return html`<a class="${className}" href="${safeHref(href)}" rel="nofollow noopener">${text}</a>`;
}
