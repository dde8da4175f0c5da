import { html, join, type Html } from '../../../core/text/html.ts';

/** Renders a captioned block of code. Long lines wrap, and a script adds a button that copies the text. */
export function codeBlock(caption: Html | string, content: Html | string): Html {
  return html`<figure class="code">
    <figcaption>${caption}</figcaption>
    <pre>${content}</pre>
  </figure>`;
}

/** Marks up JSON so that keys, strings and other values have different colours. */
export function highlightJson(source: string): Html {
  const tokens = source.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null|[^"\dtfn-]+/g);
  return join(
    [...tokens].map(([token, quoted, colon]) => {
      if (quoted !== undefined && colon !== undefined) return html`<b>${quoted}</b>${colon}`;
      if (quoted !== undefined) return html`<q>${quoted}</q>`;
      return /^[\s{}[\],:]/.test(token) ? token : html`<i>${token}</i>`;
    }),
  );
}
