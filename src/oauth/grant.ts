import type { Adapter, AdapterPayload } from 'oidc-provider';
import { proveAgentMailbox, type Proof } from '../accounts/agents/prove-mailbox.ts';
import type { Ctx } from '../core/context.ts';
import type { Db, Pool } from '../core/postgres/db.ts';
import { AppError } from '../core/errors.ts';
import type { ClientFace } from './client-metadata.ts';
import { mcpResource } from './paths.ts';
import { scopeNames, type Scope } from './scopes.ts';

export interface Approval {
  /** The operator's mailbox, proven by a code. */
  email: string;
  clientId: string;
  face: ClientFace;
  scopes: readonly Scope[];
}

/** A connection that was made or ended. */
export interface Deed {
  agentId: string;
  grantId: string;
  face: Pick<ClientFace, 'name' | 'host'>;
  scopes: readonly Scope[];
}

type GrantContext = Pick<Ctx, 'deps' | 'now' | 'newId'>;

const GRANT_ID = /^ogr_[0-9a-hjkmnp-tv-z]{26}$/;
const AGENT_NAME_MIN = 2;
const OPERATOR_NAME_MAX = 120;

/** Connects a client with the operator's account, which is made now if this is the first time. */
export async function approveClient(
  tx: Db,
  ctx: GrantContext,
  { email, clientId, face, scopes }: Approval,
): Promise<Deed & Pick<Proof, 'endedKey'>> {
  await addAgentUnlessKnown(tx, ctx, email, face);
  // Somebody may have signed up with the mailbox after the person had signed in with it.
  const { endedKey } = await proveAgentMailbox(tx, ctx, email);
  const agentId = await activeAgent(tx, ctx, email);
  const grantId = ctx.newId('ogr');
  await tx`
    insert into oauth_grant (id, agent_id, client_id, client_name, client_host, audience, scopes, created_at)
    values (${grantId}, ${agentId}, ${clientId}, ${face.name}, ${face.host},
            ${mcpResource(ctx.deps.config.baseUrl)}, ${[...scopes]}, ${ctx.now})`;
  return { agentId, grantId, face, scopes, endedKey };
}

async function addAgentUnlessKnown(
  tx: Db,
  { now, newId }: GrantContext,
  email: string,
  face: ClientFace,
): Promise<void> {
  const name = face.name.length < AGENT_NAME_MIN ? `Client ${face.name}` : face.name;
  // Everybody sees the name beside what was submitted, and nobody the mailbox.
  const operator = Array.from(`User of ${name}`).slice(0, OPERATOR_NAME_MAX).join('');
  await tx`
    insert into agent (id, agent_name, operator_name, operator_email, purpose, created_at, email_verified_at)
    values (${newId('agt')}, ${name}, ${operator}, ${email}, ${`OAuth client ${name}`}, ${now}, ${now})
    on conflict on constraint agent_operator_unique do nothing`;
}

async function activeAgent(tx: Db, { deps }: GrantContext, email: string): Promise<string> {
  const [agent] = await tx<{ id: string; status: string }[]>`
    select id, status from agent where operator_email = ${email}`;
  if (agent === undefined) throw new Error('An account vanished while it was being read.');
  if (agent.status !== 'active')
    throw new AppError(
      'agent_suspended',
      'Your account is closed, so that no client can be connected with it.',
      { hint: `Write to ${deps.config.contactEmail}.` },
    );
  return agent.id;
}

export interface Connection {
  id: string;
  client_name: string;
  client_host: string;
  scopes: Scope[];
  created_at: Date;
  last_used_at: Date | null;
}

/** The clients that can do something in the name of an operator, the newest first. */
export function listConnections(db: Db, email: string, now: Date): Promise<Connection[]> {
  return db<Connection[]>`
    select g.id, client_name, client_host, scopes, g.created_at, last_used_at
    from oauth_grant g join agent a on a.id = g.agent_id
    where a.operator_email = ${email} and exists (
      select from oauth_token t where t.grant_id = g.id and t.consumed_at is null and t.expires_at > ${now})
    order by g.created_at desc, g.id desc`;
}

/** Ends a connection on every node at once. Only that of the operator who asks; undefined when there was none. */
export async function disconnectClient(tx: Db, email: string, grantId: string): Promise<Deed | undefined> {
  if (!GRANT_ID.test(grantId)) return undefined;
  const [gone] = await tx<{ agent_id: string; client_name: string; client_host: string; scopes: Scope[] }[]>`
    delete from oauth_grant g using agent a
    where g.id = ${grantId} and a.id = g.agent_id and a.operator_email = ${email}
    returning g.agent_id, g.client_name, g.client_host, g.scopes`;
  if (gone === undefined) return undefined;
  const { agent_id: agentId, client_name: name, client_host: host, scopes } = gone;
  return { agentId, grantId, face: { name, host }, scopes };
}

/** Ends every connection of an account. */
export async function disconnectAll(db: Db, agentId: string): Promise<number> {
  const gone = await db`delete from oauth_grant where agent_id = ${agentId}`;
  return gone.count;
}

/** Grants as the library reads them. They are made by a person's approval, never by the library. */
export class GrantStore implements Pick<Adapter, 'find' | 'destroy'> {
  readonly #pool: Pool;
  readonly #prefix: string;

  constructor(pool: Pool, prefix: string) {
    this.#pool = pool;
    this.#prefix = prefix;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#pool<
      { agent_id: string; client_id: string; audience: string; scopes: Scope[] }[]
    >`
      select agent_id, client_id, audience, scopes from oauth_grant where id = ${id}`;
    if (row === undefined) return undefined;
    const { agent_id: accountId, client_id: clientId, audience, scopes } = row;
    const resources = { [audience]: scopeNames(this.#prefix, scopes) };
    return { jti: id, kind: 'Grant', accountId, clientId, resources };
  }

  async destroy(id: string): Promise<void> {
    await this.#pool`delete from oauth_grant where id = ${id}`;
  }
}
