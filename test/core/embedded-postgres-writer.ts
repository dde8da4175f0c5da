/** Run as a process of its own: opens the cluster, then writes row after row and prints each once it is durable. */
import process from 'node:process';
import { openEmbeddedPostgres } from '../../src/core/embedded/embedded-postgres.ts';
import { connect } from '../../src/core/postgres/db.ts';

const [dataDir, role, rows] = process.argv.slice(2);
if (dataDir === undefined || (role !== 'service' && role !== 'tool'))
  throw new Error('usage: dataDir role [rows]');

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const embedded = await openEmbeddedPostgres({ dataDir, role, note: () => undefined });
print(embedded.adopted ? 'adopted' : 'started');
const sql = connect(embedded.url, { max: 1, statementTimeoutMs: 0 });
// Two at once would otherwise collide, because "if not exists" looks before it locks.
await sql.begin(async (tx) => {
  await tx`select pg_advisory_xact_lock(1)`;
  await tx`create table if not exists written (id bigint generated always as identity primary key)`;
});
for (let written = 0; written < Number(rows ?? Infinity); written++) {
  const [row] = await sql<{ id: string }[]>`insert into written default values returning id`;
  print(`row ${String(row?.id)}`);
}
await sql.end();
await embedded.release();
