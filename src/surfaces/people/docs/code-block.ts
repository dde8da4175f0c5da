import { html, join, type Html } from '../../../core/text/html.ts';

/** Renders a captioned block of code. Long lines wrap, and a script adds a button that copies the text. */
export function codeBlock(caption: string, content: Html | string): Html {
  return html`<figure class="code">
    <figcaption>${caption}</figcaption>
    <pre>${content}</pre>
  </figure>`;
}

/** Renders JSON on several lines, with keys, strings and other values in different colours. */
export function jsonBlock(caption: string, value: unknown): Html {
  const source = JSON.stringify(value ?? null, null, 2);
  const tokens = source.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null|[^"\dtfn-]+/g);
  return codeBlock(
    caption,
    join(
      [...tokens].map(([token, quoted, colon]) => {
        if (quoted !== undefined && colon !== undefined) return html`<b>${quoted}</b>${colon}`;
        if (quoted !== undefined) return html`<q>${quoted}</q>`;
        return /^[\s{}[\],:]/.test(token) ? token : html`<i>${token}</i>`;
      }),
    ),
  );
}
