import { createHmac } from 'node:crypto';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { AddressGroup } from '../../core/text/address-group.ts';
import { DAY_MS } from '../../core/time.ts';

/** Where somebody entered the code of a contact rightly is remembered for so long after the last time. */
const REMEMBERED_MS = 90 * DAY_MS;
const SINCE = new Date(0);

/** A contact by the name under which its codes are counted, and where somebody asks for one. */
export interface Asked {
  contact: string;
  address: AddressGroup;
}

/** Remembers that whoever asks from this address got the code of the contact. It is a counter that is forgotten like others. */
export async function rememberProven(
  tx: Db,
  deps: Pick<OperationDeps, 'secrets'>,
  asked: Asked,
  now: Date,
): Promise<void> {
  await tx`
    insert into rate_window (kind, name, starts_at, ends_at, used, ceiling)
    values ('ceiling', ${nameOf(deps, asked)}, ${SINCE}, ${new Date(now.getTime() + REMEMBERED_MS)}, 1, 1)
    on conflict (kind, name, starts_at) do update set ends_at = excluded.ends_at`;
}

export async function wasProven(
  db: Db,
  deps: Pick<OperationDeps, 'secrets'>,
  asked: Asked,
  now: Date,
): Promise<boolean> {
  const found = await db`
    select from rate_window
    where kind = 'ceiling' and name = ${nameOf(deps, asked)} and starts_at = ${SINCE} and ends_at > ${now}`;
  return found.count === 1;
}

/** It outlives whoever wants to be forgotten, so it holds neither the contact nor the address. */
function nameOf({ secrets }: Pick<OperationDeps, 'secrets'>, { contact, address }: Asked): string {
  const hash = createHmac('sha256', secrets.session).update(JSON.stringify(['proven', contact, address]));
  return `proven/${hash.digest('base64url')}`;
}
