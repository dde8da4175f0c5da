import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { TOKEN, hashToken, newToken } from '../../core/secret/token.ts';
import { proveAgentMailbox } from './prove-mailbox.ts';
import { replaceKey } from './replace-key.ts';
import { HOUR_MS } from '../../core/time.ts';

export const RECOVERY_LINK_MS = HOUR_MS;
const LINKS_MAX = 3;

interface RecoverableAgent {
  id: string;
  agent_name: string;
  operator_name: string;
  operator_email: string;
}

/** Creates the token of a link; undefined when the request already has one, or when the limit is reached. */
export async function createRecoveryLink(
  db: Db,
  agentId: string,
  requestId: string,
  now: Date,
): Promise<string | undefined> {
  const token = newToken();
  // Locks the agent's row so that simultaneous requests are counted one after the other.
  await db`select from agent where id = ${agentId} for update`;
  const inserted = await db`
    insert into recovery_link (token_hash, request_id, agent_id, created_at, expires_at)
    select ${hashToken(token)}, ${requestId}, ${agentId}, ${now}, ${new Date(now.getTime() + RECOVERY_LINK_MS)}
    where (select count(*) from recovery_link
           where agent_id = ${agentId} and created_at > ${new Date(now.getTime() - RECOVERY_LINK_MS)}) < ${LINKS_MAX}
    on conflict on constraint recovery_link_request_unique do nothing`;
  return inserted.count === 1 ? token : undefined;
}

/** Finds the agent of a link; undefined when the link was used, has expired, or never existed. */
export async function findRecoveryLink(
  db: Db,
  token: string,
  now: Date,
): Promise<RecoverableAgent | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [agent] = await db<RecoverableAgent[]>`
    select a.id, a.agent_name, a.operator_name, a.operator_email from recovery_link l join agent a on a.id = l.agent_id
    where l.token_hash = ${hashToken(token)} and l.used_at is null and l.expires_at > ${now} and a.status <> 'revoked'`;
  return agent;
}

/** Redeems a link and invalidates the agent's others. Undefined when the link is not valid. */
export async function useRecoveryLink(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'now' | 'newId'>,
  token: string,
): Promise<{ agent: RecoverableAgent; apiKey: string; endedKey: string | undefined } | undefined> {
  const { deps, now } = ctx;
  const agent = await findRecoveryLink(tx, token, now);
  if (agent === undefined) return undefined;
  await tx`select from agent where id = ${agent.id} for update`;
  const used = await tx<{ token_hash: Buffer }[]>`
    update recovery_link set used_at = ${now}
    where agent_id = ${agent.id} and used_at is null and expires_at > ${now} returning token_hash`;
  const hash = hashToken(token);
  if (!used.some(({ token_hash }) => token_hash.equals(hash))) return undefined;
  const endedKey = await proveAgentMailbox(tx, ctx, agent.operator_email);
  return { agent, apiKey: await replaceKey(tx, deps.config.prefix, agent.id, now), endedKey };
}
