import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ProtectedResource } from '../accounts/keys/protected-resource.ts';
import type { Scope } from '../core/context.ts';
import type { Db, Pool } from '../core/postgres/db.ts';
import type { ClientDisplay } from './client-metadata.ts';
import { agentAccount, partnerAccount, type GrantContext, type GrantingAccount } from './granting-account.ts';
import { scopeNames } from './scopes.ts';

interface Approval {
  email: string;
  clientId: string;
  face: ClientDisplay;
  resource: ProtectedResource;
  scopes: readonly Scope[];
}

export interface ConnectionChange {
  accountId: string;
  grantId: string;
  face: Pick<ClientDisplay, 'name' | 'host'>;
  scopes: readonly Scope[];
}

const GRANT_ID = /^ogr_[0-9a-hjkmnp-tv-z]{26}$/;

/** Connects a client to the person's account, which is created if there is none. */
export async function approveClient(
  tx: Db,
  ctx: GrantContext,
  { email, clientId, face, resource, scopes }: Approval,
): Promise<ConnectionChange & Pick<GrantingAccount, 'endedKey'>> {
  const ofAgent = resource.surface === 'agent';
  const { id: accountId, endedKey } = ofAgent
    ? await agentAccount(tx, ctx, email, face)
    : await partnerAccount(tx, ctx, email, face);
  const grantId = ctx.newId('ogr');
  await tx`
    insert into oauth_grant (id, agent_id, partner_id, client_id, client_name, client_host, audience, scopes, created_at)
    values (${grantId}, ${ofAgent ? accountId : null}, ${ofAgent ? null : accountId}, ${clientId}, ${face.name},
            ${face.host}, ${resource.url}, ${[...scopes]}, ${ctx.now})`;
  return { accountId, grantId, face, scopes, endedKey };
}

export interface ClientConnection {
  id: string;
  client_name: string;
  client_host: string;
  audience: string;
  scopes: Scope[];
  created_at: Date;
  last_used_at: Date | null;
}

/** Matches connections of the accounts of a mailbox, an agent's or a partner's. */
function ofMailbox(db: Db, email: string) {
  return db`(g.agent_id = (select id from agent where operator_email = ${email})
    or g.partner_id = (select id from partner where email = ${email}))`;
}

/** Lists the clients that can act for the owner of this mailbox, newest first. */
export function listConnections(db: Db, email: string, now: Date): Promise<ClientConnection[]> {
  return db<ClientConnection[]>`
    select g.id, client_name, client_host, audience, scopes, g.created_at, last_used_at
    from oauth_grant g
    where ${ofMailbox(db, email)} and exists (
      select from oauth_token t where t.grant_id = g.id and t.consumed_at is null and t.expires_at > ${now})
    order by g.created_at desc, g.id desc`;
}

/** Ends a connection on every node at once. Undefined when the mailbox has no such connection. */
export async function disconnectClient(
  tx: Db,
  email: string,
  grantId: string,
): Promise<ConnectionChange | undefined> {
  if (!GRANT_ID.test(grantId)) return undefined;
  const [deleted] = await tx<
    { account: string; client_name: string; client_host: string; scopes: Scope[] }[]
  >`
    delete from oauth_grant g where g.id = ${grantId} and ${ofMailbox(tx, email)}
    returning coalesce(g.agent_id, g.partner_id) as account, g.client_name, g.client_host, g.scopes`;
  if (deleted === undefined) return undefined;
  const { account: accountId, client_name: name, client_host: host, scopes } = deleted;
  return { accountId, grantId, face: { name, host }, scopes };
}

export async function disconnectAll(db: Db, agentId: string): Promise<number> {
  const deleted = await db`delete from oauth_grant where agent_id = ${agentId}`;
  return deleted.count;
}

/** Grants as the library reads them, created by a person's approval. Those of suspended accounts are not returned. */
export class GrantStore implements Pick<Adapter, 'find' | 'destroy'> {
  readonly #pool: Pool;
  readonly #prefix: string;

  constructor(pool: Pool, prefix: string) {
    this.#pool = pool;
    this.#prefix = prefix;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#pool<
      { account: string; client_id: string; audience: string; scopes: Scope[] }[]
    >`
      select coalesce(a.id, p.id) as account, g.client_id, g.audience, g.scopes
      from oauth_grant g left join agent a on a.id = g.agent_id left join partner p on p.id = g.partner_id
      where g.id = ${id} and coalesce(a.status, p.status) = 'active'`;
    if (row === undefined) return undefined;
    const { account: accountId, client_id: clientId, audience, scopes } = row;
    const resources = { [audience]: scopeNames(this.#prefix, scopes) };
    return { jti: id, kind: 'Grant', accountId, clientId, resources };
  }

  async destroy(id: string): Promise<void> {
    await this.#pool`delete from oauth_grant where id = ${id}`;
  }
}
