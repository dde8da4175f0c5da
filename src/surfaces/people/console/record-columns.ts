import { html, type Html, type HtmlValue } from '../../../core/text/html.ts';
import { definitionList, type Definition } from '../frame/definition-list.ts';

/** Renders a page about one record in two columns: what is recorded, and the forms for what can be done. */
export function recordColumns(evidence: HtmlValue, forms: HtmlValue): Html {
  return html`<div class="review">
    <div class="evidence">${evidence}</div>
    <aside class="verdict" aria-label="What can be done">${forms}</aside>
  </div>`;
}

/** Renders the card with the record itself. */
export function recordCard(definitions: readonly Definition[], below?: Html): Html {
  return html`<section class="card flow">
    <h2>Record</h2>
    ${definitionList('record', definitions)} ${below}
  </section>`;
}
