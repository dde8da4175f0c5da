import { Html, html, raw, type HtmlValue } from '../../../core/text/html.ts';

/** Heading of a text column, of a number column, or one that only screen readers announce. */
type Heading = string | Html | { number: string } | { unseen: string };

/** Renders a table with column headings. Each row brings its own cells. */
export function table(
  {
    className,
    caption,
    columns,
  }: { className?: string; caption?: string | undefined; columns: readonly Heading[] },
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
        ${columns.map(headingCell)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function headingCell(heading: Heading): Html {
  if (typeof heading === 'string' || heading instanceof Html) return html`<th scope="col">${heading}</th>`;
  return 'number' in heading
    ? html`<th scope="col" class="number">${heading.number}</th>`
    : html`<th scope="col"><span class="unseen">${heading.unseen}</span></th>`;
}

/**
 * A column of a table of records: its heading, the content of its cells, the label before the value on narrow screens,
 * where the cells of a row are stacked, and the class of its cells.
 */
export type RecordColumn<Row> = readonly [
  heading: Heading,
  cell: (row: Row) => HtmlValue,
  label?: string | false,
  className?: string,
];

/** Renders records as a table, one row each. The first column names the record; false leaves a column out. */
export function recordTable<Row>(
  className: string,
  rows: readonly Row[],
  columns: readonly (RecordColumn<Row> | false)[],
  caption?: string,
): Html {
  const shown = columns.filter((column) => column !== false);
  return table(
    { className, caption, columns: shown.map(([heading]) => heading) },
    rows.map(
      (row) =>
        html`<tr>
          ${shown.map((column, index) => recordCell(column, row, index === 0))}
        </tr>`,
    ),
  );
}

function recordCell<Row>(
  [heading, cell, label, className]: RecordColumn<Row>,
  row: Row,
  first: boolean,
): Html {
  if (first) return html`<th scope="row">${cell(row)}</th>`;
  const isNumber = typeof heading === 'object' && 'number' in heading;
  const kind = isNumber ? 'number' : className;
  const start = raw(`<td${kind ? ` class="${kind}"` : ''}${label ? ` data-label="${label}"` : ''}>`);
  return html`${start}${cell(row)}${raw('</td>')}`;
}
