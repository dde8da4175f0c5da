import { writeFile } from 'node:fs/promises';
import { recordAudit } from '../../core/audit.ts';
import { systemClock } from '../../core/clock.ts';
import { createNewId } from '../../core/ids.ts';
import type { InTransaction } from '../../core/postgres/db.ts';
import { loadConfig } from '../../config.ts';
import { UsageError, type Options } from '../command.ts';
import { erasePerson } from './erase-person.ts';
import { exportPerson } from './export-person.ts';
import { findPerson, type Person } from './person.ts';

type Say = (line: string) => void;

/** Writes a file for the person, readable by its owner only. */
export async function exportCommand(
  inTransaction: InTransaction,
  say: Say,
  file: string,
  options: Options,
): Promise<void> {
  const exported = await inTransaction(async (tx) => {
    const person = await findPerson(tx, options);
    const data = await exportPerson(tx, person, systemClock.now());
    await audit(tx, 'export_personal_data', person);
    return data;
  });
  await writeFile(file, `${JSON.stringify(exported, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  const rows = Object.values(exported.tables).flat().length;
  say(`${file} contains ${rows} rows of ${Object.keys(exported.tables).join(', ') || 'no table'}.`);
}

export async function eraseCommand(inTransaction: InTransaction, say: Say, options: Options): Promise<void> {
  if (options['yes'] === undefined)
    throw new UsageError('An erasure cannot be undone. Export the data first, then add --yes.');
  const { serviceName } = loadConfig();
  const kept = await inTransaction(async (tx) => {
    const person = await findPerson(tx, options);
    const left = await erasePerson(tx, person, { now: systemClock.now(), serviceName });
    await audit(tx, 'erase_personal_data', person);
    return left;
  });
  say('Erased. Backups keep the data until they are deleted.');
  if (kept.length > 0) say('What stays:');
  for (const line of kept) say(`  ${line}`);
}

/** The entry names the account by its id, and a contact not at all. */
function audit(tx: Parameters<typeof recordAudit>[0], operation: string, person: Person): Promise<void> {
  return recordAudit(tx, {
    at: systemClock.now(),
    actor: 'operator',
    operation,
    requestId: createNewId(systemClock)('req'),
    subject: person.kind === 'venue' ? null : person.id,
    detail: { kind: person.kind },
  });
}
