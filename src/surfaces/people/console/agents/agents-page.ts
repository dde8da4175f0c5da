import type { FastifyReply } from 'fastify';
import { listAgents, type ListedAgent } from '../../../../accounts/agents/agent-roster.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { table } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { emailVerifiedBadge, statusBadge } from '../account-facts.ts';
import { formatTime } from '../moment.ts';
import { sendRosterPage } from '../roster-page.ts';

export function sendAgentsPage(request: PageRequest<Staff>): Promise<FastifyReply> {
  return sendRosterPage(request, {
    title: 'Agents',
    path: '/console/agents',
    lead: 'Programs that read and submit, and the people responsible for them. The newest first.',
    searched: 'Name, operator, email or id',
    choice: { name: 'status', label: 'Status', among: ['active', 'suspended', 'revoked'] as const },
    nobody: 'Agents appear here when they sign up.',
    list: ({ choice: status, ...filter }) => listAgents(request.deps.pool, { ...filter, status }),
    table: agentTable,
  });
}

function agentTable(agents: readonly ListedAgent[]): Html {
  return table(
    { className: 'dense stack rows', columns: ['Agent', 'Operator', 'Status', 'Plan', 'Since'] },
    agents.map(
      (agent) =>
        html`<tr>
          <th scope="row">
            <a data-row href="${safeHref(`/console/agents/${agent.id}`)}"><bdi>${agent.agent_name}</bdi></a>
          </th>
          <td>
            <bdi>${agent.operator_name}</bdi>
            <span class="soft"><bdi>${agent.operator_email}</bdi></span> ${emailVerifiedBadge(agent)}
          </td>
          <td>${statusBadge(agent.status)}</td>
          <td data-label="plan">${sentenceCase(agent.plan)}</td>
          <td data-label="since">${formatTime(agent.created_at)}</td>
        </tr>`,
    ),
  );
}
