import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  findAgent,
  moveAgent,
  type AgentMove,
  type ListedAgent,
} from '../../../../accounts/agents/agent-roster.ts';
import type { StaffRole } from '../../../../accounts/staff/staff.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { text } from '../../../../core/text/text.ts';
import { removeListingsOf } from '../../../../submissions/takedown/remove-listing.ts';
import { conflict, type Action } from '../../person/action.ts';
import { doneNotice, type PageRequest, type PageState } from '../../person/page-request.ts';
import { ALL_ROLES, LEAD_ROLES, REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { sendAgentPage } from './agent-page.ts';
import { sendAgentsPage } from './agents-page.ts';

const statusFields = z.object({ reason: text(4, 1000) });
const revokeFields = statusFields.extend({
  /** Removes or keeps the listings that the agent submitted. */
  listings: z.enum(['remove', 'keep'], 'choose what happens to its listings'),
});

const DONE: Readonly<Record<string, string>> = {
  suspend: 'The agent is suspended, and its operator is notified.',
  unsuspend: 'The suspension is lifted, and the operator is notified.',
  revoke: 'The key is revoked, and the operator is notified. Its listings stay.',
  revoke_remove:
    'The key is revoked and everything the agent submitted was removed. The operator is notified.',
};

export function addAgents(scope: FastifyInstance, deps: Deps): void {
  const who = staff(ALL_ROLES);
  addPage(scope, deps, { path: '/console/agents', who, show: sendAgentsPage });
  addPage(scope, deps, { path: '/console/agents/:id', who, show: showAgent });
  addActions(
    scope,
    deps,
    statusAction('suspend', REVIEWER_ROLES),
    statusAction('unsuspend', REVIEWER_ROLES),
    revoke,
  );
}

function statusAction(
  move: Exclude<AgentMove, 'revoke'>,
  roles: readonly StaffRole[],
): Action<Staff, typeof statusFields> {
  return {
    name: `agent_${move}`,
    path: `/console/agents/:id/${move}`,
    who: staff(roles),
    form: statusFields,
    async run(act, { reason }) {
      const { id } = await agentOf(act.db, act.params);
      if (!(await moveAgent(act.db, act, id, { move, reason })))
        conflict('Somebody else changed this agent in the meantime. Your change was not made.');
      act.audit(id, { reason });
      act.invalidateKeyCaches();
      return { to: `/console/agents/${id}?done=${move}` };
    },
    page: showAgent,
  };
}

/** Revokes a key. Leads only; the lead also decides whether the agent's listings are removed. */
const revoke: Action<Staff, typeof revokeFields> = {
  name: 'agent_revoke',
  path: '/console/agents/:id/revoke',
  who: staff(LEAD_ROLES),
  form: revokeFields,
  async run(act, { reason, listings }) {
    const { id } = await agentOf(act.db, act.params);
    if (!(await moveAgent(act.db, act, id, { move: 'revoke', reason })))
      conflict('Somebody else changed this agent in the meantime. Your change was not made.');
    const removal = { agentId: id, note: reason, staffId: act.person.id };
    const removedListings = listings === 'remove' ? await removeListingsOf(act.db, act, removal) : undefined;
    act.audit(id, {
      reason,
      listings,
      removed: removedListings?.alone.length ?? 0,
      stripped: removedListings?.shared.length ?? 0,
    });
    act.invalidateKeyCaches();
    return { to: `/console/agents/${id}?done=${listings === 'remove' ? 'revoke_remove' : 'revoke'}` };
  },
  page: showAgent,
};

async function showAgent(request: PageRequest<Staff>, state?: PageState): Promise<FastifyReply> {
  const agent = await agentOf(request.deps.pool, request.params);
  return sendAgentPage(request, agent, state ?? { notice: doneNotice(request.query, DONE) });
}

async function agentOf(db: Db, { id = '' }: PageRequest['params']): Promise<ListedAgent> {
  const agent = /^agt_[0-9a-z]{26}$/.test(id) ? await findAgent(db, id) : undefined;
  if (agent === undefined) throw new AppError('not_found', 'There is no agent with this id.');
  return agent;
}
