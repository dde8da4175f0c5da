import { keptWords } from './table-retention.ts';
import { TABLES } from './tables.ts';

/** Renders docs/retention.md. */
export function retentionDocument(): string {
  const lines = Object.entries(TABLES)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([table, retention]) =>
        `- \`${table}\`: ${retention.holds} _Kept: ${keptWords(retention)}._ ${retention.why}`,
    );
  return `# Kept data

All tables of the database, how long their rows are kept, and why. Expired rows are deleted once an hour ([operations](operations.md#where-data-is-stored)). \`npm run snapshots\` writes this page from \`src/retention/tables.ts\`.

${lines.join('\n')}
`;
}
