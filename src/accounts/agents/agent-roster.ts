import type { Ctx } from '../../core/context.ts';
import type { Db } from '../../core/postgres/db.ts';
import { escapeLike } from '../../core/text/text.ts';
import { postMessage } from '../../messages/post-message.ts';

export interface ListedAgent {
  id: string;
  agent_name: string;
  operator_name: string;
  operator_email: string;
  email_verified_at: Date | null;
  homepage: string | null;
  purpose: string;
  status: 'active' | 'suspended' | 'revoked';
  plan: string;
  created_at: Date;
  key_prefix: string | null;
  last_used_at: Date | null;
}

interface AgentFilter {
  query?: string | undefined;
  status?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** Lists agents, newest first: ids begin with their creation time. */
export function listAgents(
  db: Db,
  { query, status, after, limit }: AgentFilter,
): Promise<readonly ListedAgent[]> {
  const part = query === undefined ? null : `%${escapeLike(query)}%`;
  return db<ListedAgent[]>`
    ${agentColumns(db)}
    where (${status ?? null}::text is null or a.status = ${status ?? null})
      and (${after ?? null}::text is null or a.id < ${after ?? null})
      and (${part}::text is null or a.id = ${query ?? null} or a.agent_name ilike ${part}
           or a.operator_name ilike ${part} or a.operator_email ilike ${part})
    order by a.id desc limit ${limit}`;
}

export async function findAgent(db: Db, id: string): Promise<ListedAgent | undefined> {
  const [agent] = await db<ListedAgent[]>`${agentColumns(db)} where a.id = ${id}`;
  return agent;
}

function agentColumns(db: Db) {
  return db`
    select a.id, a.agent_name, a.operator_name, a.operator_email, a.email_verified_at, a.homepage, a.purpose, a.status,
      a.plan, a.created_at, k.prefix as key_prefix, k.last_used_at
    from agent a left join api_key k on k.agent_id = a.id and k.revoked_at is null`;
}

type AgentMove = 'suspend' | 'unsuspend' | 'revoke';

/** Allowed source states and target state of each transition. A revoked agent stays revoked. */
const MOVES: Record<AgentMove, { from: readonly string[]; to: ListedAgent['status'] }> = {
  suspend: { from: ['active'], to: 'suspended' },
  unsuspend: { from: ['suspended'], to: 'active' },
  revoke: { from: ['active', 'suspended'], to: 'revoked' },
};

const LETTERS: Record<AgentMove, { subject: string; text: string }> = {
  suspend: {
    subject: 'Your agent is suspended',
    text: 'Your agent is suspended: its key is refused until the suspension is lifted.',
  },
  unsuspend: {
    subject: 'Your agent is no longer suspended',
    text: 'Your agent is no longer suspended: its key works again.',
  },
  revoke: {
    subject: 'The key of your agent was revoked',
    text: 'The key of your agent was revoked and will not work again.',
  },
};

/** Moves an agent and its key to another state and mails the operator. False when the transition is not allowed. */
export async function moveAgent(
  tx: Db,
  ctx: Pick<Ctx, 'deps' | 'newId' | 'now'>,
  agentId: string,
  { move, reason }: { move: AgentMove; reason: string },
): Promise<boolean> {
  const { from, to } = MOVES[move];
  const [agent] = await tx<{ agent_name: string; operator_email: string }[]>`
    update agent set status = ${to} where id = ${agentId} and status = any(${[...from]})
    returning agent_name, operator_email`;
  if (agent === undefined) return false;
  if (move === 'revoke')
    await tx`update api_key set revoked_at = ${ctx.now} where agent_id = ${agentId} and revoked_at is null`;
  const { subject, text } = LETTERS[move];
  const { serviceName, contactEmail } = ctx.deps.config;
  const letter = [
    `This is about your agent ${agent.agent_name} at ${serviceName}.`,
    text,
    `Reason: ${reason}`,
    `Write to ${contactEmail} if you think that this is wrong.`,
  ].join('\n\n');
  await postMessage(tx, ctx, {
    channel: 'mail',
    to: agent.operator_email,
    subject,
    text: letter,
    purpose: `agent_${to}`,
    subject_id: agentId,
  });
  return true;
}
