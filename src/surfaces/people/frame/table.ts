import { html, Html } from '../../../core/text/html.ts';

/** Heading of a text column, of a number column, or one that only screen readers announce. */
type Column = string | Html | { number: string } | { unseen: string };

/** Renders a table with column headings. Each row brings its own cells. */
export function table(
  { className, caption, columns }: { className?: string; caption?: string; columns: readonly Column[] },
  rows: readonly (Html | false)[],
): Html {
  return html`<table class="${className}">
    ${
      caption !== undefined &&
      html`<caption>
        ${caption}
      </caption>`
    }
    <thead>
      <tr>
        ${columns.map(heading)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function heading(column: Column): Html {
  if (typeof column === 'string' || column instanceof Html) return html`<th scope="col">${column}</th>`;
  return 'number' in column
    ? html`<th scope="col" class="number">${column.number}</th>`
    : html`<th scope="col"><span class="unseen">${column.unseen}</span></th>`;
}
