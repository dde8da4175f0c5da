import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  findAgent,
  moveAgent,
  type AgentMove,
  type ListedAgent,
} from '../../../../accounts/agents/agent-roster.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { z } from 'zod';
import { text } from '../../../../core/text/text.ts';
import { readFields } from '../../form/read-fields.ts';
import type { Notice } from '../../person/page-request.ts';
import { consoleRoute, EVERYONE, LEADS, REVIEWERS, type PageRequest } from '../console-route.ts';
import { sendAgentPage } from './agent-page.ts';
import { sendAgentsPage } from './agents-page.ts';

const measure = z.object({ reason: text(4, 1000) });

const DONE: Readonly<Record<string, string>> = {
  suspend: 'The agent is suspended, and its operator is told.',
  unsuspend: 'The suspension is lifted, and the operator is told.',
  revoke: 'The key is revoked, and the operator is told.',
};

export function addAgents(scope: FastifyInstance, deps: Deps): void {
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/agents',
    roles: EVERYONE,
    handle: sendAgentsPage,
  });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/agents/:id',
    roles: EVERYONE,
    handle: async (visit) => {
      const done = DONE[visit.query.get('done') ?? ''];
      const notice: Notice | undefined = done === undefined ? undefined : { kind: 'good', text: done };
      return sendAgentPage(visit, await agentOf(visit), { notice });
    },
  });
  for (const [move, roles] of [
    ['suspend', REVIEWERS],
    ['unsuspend', REVIEWERS],
    ['revoke', LEADS],
  ] as const) {
    consoleRoute(scope, deps, {
      method: 'POST',
      path: `/console/agents/:id/${move}`,
      roles,
      handle: (visit) => take(visit, move),
    });
  }
}

async function take(visit: PageRequest, move: AgentMove): Promise<FastifyReply> {
  const { deps, form, staff, request, reply } = visit;
  const agent = await agentOf(visit);
  const read = readFields(form, measure);
  if (!read.ok)
    return sendAgentPage({ ...visit, reply: reply.code(422) }, agent, {
      reasonFault: read.faults['reason'] ?? '',
    });
  const moved = await moveAgent(deps, agent.id, move, read.values.reason, { staff, requestId: request.id });
  if (moved) return reply.redirect(`/console/agents/${agent.id}?done=${move}`, 303);
  const notice = {
    kind: 'bad',
    text: 'Somebody else changed this agent meanwhile. Nothing was changed.',
  } as const;
  return sendAgentPage({ ...visit, reply: reply.code(409) }, await agentOf(visit), { notice });
}

async function agentOf({ deps, request }: PageRequest): Promise<ListedAgent> {
  const { id } = request.params as { id: string };
  const agent = /^agt_[0-9a-z]{26}$/.test(id) ? await findAgent(deps.pool, id) : undefined;
  if (agent === undefined) throw new AppError('not_found', 'There is no agent of this id.');
  return agent;
}
