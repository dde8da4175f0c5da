import { html, type Html, type HtmlValue } from '../../../core/text/html.ts';

/** A term, its description, and a class for both. Entries whose description is null or false are left out. */
export type Definition = readonly [term: Html | string, description: HtmlValue, className?: string | false];

/** Renders terms with their descriptions as a `<dl>`. */
export function definitionList(className: string, definitions: readonly Definition[]): Html {
  return html`<dl class="${className}">
    ${definitions
      .filter(([, description]) => description !== null && description !== false)
      .map(
        ([term, description, kind]) =>
          html`<div class="${kind}">
            <dt>${term}</dt>
            <dd>${description}</dd>
          </div>`,
      )}
  </dl>`;
}
