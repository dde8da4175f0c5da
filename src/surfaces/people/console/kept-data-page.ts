import { formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { readTableSizes, type TableSize } from '../../../retention/table-sizes.ts';
import { keptWords, type TableRetention } from '../../../retention/table-retention.ts';
import { TABLES } from '../../../retention/tables.ts';
import { recordTable } from '../frame/table.ts';
import { definePage } from '../person/page.ts';
import { allStaff } from '../person/people.ts';

export const KEPT_DATA_PATH = '/console/health/kept-data';

type KeptTable = TableSize & TableRetention;

/** Lists every table: what it holds, how long it is kept and why, and how large it is. */
export const keptDataPage = definePage({
  path: KEPT_DATA_PATH,
  who: allStaff,
  load: ({ deps }) => readTableSizes(deps.pool),
  view(_, sizes) {
    const tables = sizes
      .flatMap((size): KeptTable[] => {
        const retention = TABLES[size.table];
        return retention === undefined ? [] : [{ ...size, ...retention }];
      })
      .toSorted((a, b) => b.bytes - a.bytes);
    const ofSort = (sort: 'expires' | 'belongs' | 'stays') =>
      tables.filter((table) => sortOf(table) === sort);
    return {
      title: 'Kept data',
      lead: html`What the database keeps, how long, and why; the largest table first. Expired rows are deleted
      once an hour, the oldest first. Numbers of rows are estimates of the server.`,
      body: html`<h2>Deleted after a time</h2>
        ${tableOf(ofSort('expires'))}
        <details>
          <summary>Deleted with what they belong to</summary>
          ${tableOf(ofSort('belongs'))}
        </details>
        <details>
          <summary>Kept for as long as they are needed</summary>
          ${tableOf(ofSort('stays'))}
        </details>`,
    };
  },
});

function sortOf({ ends }: TableRetention): 'expires' | 'belongs' | 'stays' {
  if (Array.isArray(ends) || 'task' in ends) return 'expires';
  return 'with' in ends ? 'belongs' : 'stays';
}

function tableOf(tables: readonly KeptTable[]): Html {
  return recordTable('dense stack rows', tables, [
    ['Table', ({ table, holds }) => html`<code>${table}</code><br /><span class="soft">${holds}</span>`],
    ['Kept', (table) => keptWords(table), 'Kept'],
    ['Why', ({ why }) => why, 'Why'],
    [{ number: 'Rows' }, ({ rows }) => formatNumber(rows), 'Rows'],
    [{ number: 'MB' }, ({ bytes }) => (bytes / 1e6).toFixed(1), 'MB'],
  ]);
}
