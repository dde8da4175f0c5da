import { html, type Html, type HtmlValue } from '../../../core/text/html.ts';

/** A term, what is said of it, and a class on the two. One of which nothing is said is left out. */
export type Definition = readonly [term: Html | string, said: HtmlValue, className?: string | false];

/** Terms, and what is said of each. */
export function definitionList(className: string, definitions: readonly Definition[]): Html {
  return html`<dl class="${className}">
    ${definitions
      .filter(([, said]) => said !== null && said !== false)
      .map(
        ([term, said, kind]) =>
          html`<div class="${kind}">
            <dt>${term}</dt>
            <dd>${said}</dd>
          </div>`,
      )}
  </dl>`;
}
