import { createHmac } from 'node:crypto';
import type { OperationDeps } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import type { AddressGroup } from '../../core/text/address-group.ts';
import { DAY_MS } from '../../core/time.ts';

/** Time for which a proven address is remembered after the last correct code. */
const REMEMBERED_MS = 90 * DAY_MS;
const SINCE = new Date(0);

/** A contact, by the name under which its codes are counted, and the address that requests one. */
export interface CodeRequest {
  contact: string;
  address: AddressGroup;
}

/** Remembers a correct code from this address, as a counter that expires like others. */
export async function markAddressProven(
  tx: Db,
  deps: Pick<OperationDeps, 'secrets'>,
  request: CodeRequest,
  now: Date,
): Promise<void> {
  await tx`
    insert into rate_window (kind, name, starts_at, ends_at, used, ceiling)
    values ('ceiling', ${nameOf(deps, request)}, ${SINCE}, ${new Date(now.getTime() + REMEMBERED_MS)}, 1, 1)
    on conflict (kind, name, starts_at) do update set ends_at = excluded.ends_at`;
}

export async function isAddressProven(
  db: Db,
  deps: Pick<OperationDeps, 'secrets'>,
  request: CodeRequest,
  now: Date,
): Promise<boolean> {
  const window = await db`
    select from rate_window
    where kind = 'ceiling' and name = ${nameOf(deps, request)} and starts_at = ${SINCE} and ends_at > ${now}`;
  return window.count === 1;
}

/** Hashed, because it outlives people who want to be forgotten: it holds neither the contact nor the address. */
function nameOf({ secrets }: Pick<OperationDeps, 'secrets'>, { contact, address }: CodeRequest): string {
  const hash = createHmac('sha256', secrets.session).update(JSON.stringify(['proven', contact, address]));
  return `proven/${hash.digest('base64url')}`;
}
