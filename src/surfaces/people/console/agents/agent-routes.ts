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
import { EVERYONE, LEADS, REVIEWERS, staff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { sendAgentPage } from './agent-page.ts';
import { sendAgentsPage } from './agents-page.ts';

const measureFields = z.object({ reason: text(4, 1000) });
const revokeFields = measureFields.extend({
  /** What becomes of what the agent put into the directory. */
  listings: z.enum(['remove', 'keep'], 'choose what happens to its listings'),
});

const DONE: Readonly<Record<string, string>> = {
  suspend: 'The agent is suspended, and its operator is told.',
  unsuspend: 'The suspension is lifted, and the operator is told.',
  revoke: 'The key is revoked, and the operator is told. Its listings stay.',
  revoke_remove: 'The key is revoked and what the agent submitted is gone. The operator is told.',
};

export function addAgents(scope: FastifyInstance, deps: Deps): void {
  const who = staff(EVERYONE);
  addPage(scope, deps, { path: '/console/agents', who, show: sendAgentsPage });
  addPage(scope, deps, { path: '/console/agents/:id', who, show: showAgent });
  addActions(scope, deps, measure('suspend', REVIEWERS), measure('unsuspend', REVIEWERS), revoke);
}

function measure(
  move: Exclude<AgentMove, 'revoke'>,
  roles: readonly StaffRole[],
): Action<Staff, typeof measureFields> {
  return {
    name: `agent_${move}`,
    path: `/console/agents/:id/${move}`,
    who: staff(roles),
    form: measureFields,
    async run(act, { reason }) {
      const { id } = await agentOf(act.db, act.params);
      if (!(await moveAgent(act.db, act, id, { move, reason })))
        conflict('Somebody else changed this agent meanwhile. Nothing was changed.');
      act.audit(id, { reason });
      act.outdatesKeys();
      return { to: `/console/agents/${id}?done=${move}` };
    },
    page: showAgent,
  };
}

/** Only a lead revokes a key, and says what becomes of the agent's listings. */
const revoke: Action<Staff, typeof revokeFields> = {
  name: 'agent_revoke',
  path: '/console/agents/:id/revoke',
  who: staff(LEADS),
  form: revokeFields,
  async run(act, { reason, listings }) {
    const { id } = await agentOf(act.db, act.params);
    if (!(await moveAgent(act.db, act, id, { move: 'revoke', reason })))
      conflict('Somebody else changed this agent meanwhile. Nothing was changed.');
    const given = { agentId: id, note: reason, staffId: act.person.id };
    const gone = listings === 'remove' ? await removeListingsOf(act.db, act, given) : undefined;
    act.audit(id, { reason, listings, removed: gone?.alone.length ?? 0, stripped: gone?.shared.length ?? 0 });
    act.outdatesKeys();
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
  if (agent === undefined) throw new AppError('not_found', 'There is no agent of this id.');
  return agent;
}
