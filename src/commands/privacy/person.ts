import type { Db } from '../../core/postgres/db.ts';
import { UsageError, type Options } from '../command.ts';

/** People whose data can be exported or erased, with the table of their account. */
const ACCOUNTS = {
  member: { table: 'member', mailbox: 'email' },
  operator: { table: 'agent', mailbox: 'operator_email' },
  partner: { table: 'partner', mailbox: 'email' },
} as const;

type AccountKind = keyof typeof ACCOUNTS;

/** An account, or a contact of venues, which may belong to several places. */
export type Person =
  { kind: AccountKind; table: string; id: string; contact: string } | { kind: 'venue'; contact: string };

export const PERSON_OPTIONS = ['member', 'operator', 'partner', 'venue'] as const;

/** Thrown where nothing can be done. The message says why. */
export class PrivacyError extends Error {}

/** Finds the one person that the options name. */
export async function findPerson(db: Db, options: Options): Promise<Person> {
  const given = PERSON_OPTIONS.filter((name) => options[name] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    throw new UsageError(`One of ${PERSON_OPTIONS.map((name) => `--${name}`).join(', ')} is needed.`);
  const text = (options[kind] ?? '').trim();
  const contact = text.includes('@') ? text.toLowerCase() : text;
  if (kind === 'venue') {
    if (!/^\+[1-9]\d{6,14}$/.test(contact) && !contact.includes('@'))
      throw new UsageError('--venue must be an email address, or a number such as +62361123456.');
    return { kind, contact };
  }
  const { table, mailbox } = ACCOUNTS[kind];
  const [row] = await db<{ id: string }[]>`
    select id from ${db(table)} where ${db(mailbox)} = ${contact}`;
  if (row === undefined) throw new PrivacyError(`No ${kind} has the mailbox ${contact}.`);
  return { kind, table, id: row.id, contact };
}
