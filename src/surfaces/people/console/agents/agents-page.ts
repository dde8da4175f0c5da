import type { FastifyReply } from 'fastify';
import { listAgents, type ListedAgent } from '../../../../accounts/agents/agent-roster.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { choiceField, textField } from '../../form/form-field.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest } from '../../person/page-request.ts';
import type { Staff } from '../../person/people.ts';
import { sendConsolePage } from '../console-page.ts';
import { momentOf } from '../moment.ts';
import { table } from '../../frame/table.ts';

const PAGE_SIZE = 50;
const STATUSES = ['active', 'suspended', 'revoked'] as const;

export async function sendAgentsPage(request: PageRequest<Staff>): Promise<FastifyReply> {
  const { deps, query } = request;
  const words = (query.get('q') ?? '').trim().slice(0, 120);
  const status = STATUSES.find((known) => known === query.get('status'));
  const after = query.get('after') ?? undefined;
  const found = await listAgents(deps.pool, {
    query: words === '' ? undefined : words,
    status,
    after,
    limit: PAGE_SIZE + 1,
  });
  const agents = found.slice(0, PAGE_SIZE);
  const filter = { ...(words !== '' && { q: words }), ...(status && { status }) };
  const next = found.length > PAGE_SIZE ? agents.at(-1)?.id : undefined;
  return sendConsolePage(request, {
    title: 'Agents',
    current: '/console/agents',
    lead: 'Programs that read and submit, and the people who answer for them. The newest first.',
    body: html`<form class="filters" method="get" action="/console/agents">
        ${textField({ name: 'q', label: 'Name, operator, email or id', type: 'search', value: words, maxlength: 120 })}
        ${choiceField({
          name: 'status',
          label: 'Status',
          value: status ?? '',
          choices: [['', 'All'], ...STATUSES.map((one) => [one, sentenceCase(one)] as const)],
        })}
        <button class="button plain" type="submit">Find</button>
      </form>
      ${agents.length === 0 ? nobody(words !== '' || status !== undefined) : agentTable(agents)}
      ${
        next !== undefined &&
        html`<nav class="pager" aria-label="Pages">
          <a
            rel="next"
            href="${safeHref(`/console/agents?${new URLSearchParams({ ...filter, after: next }).toString()}`)}"
            >Next ${PAGE_SIZE}</a
          >
        </nav>`
      }`,
  });
}

function nobody(filtered: boolean): Html {
  return html`<div class="empty">
    <h2>No agents</h2>
    <p>${filtered ? 'Nobody matches this.' : 'Whoever signs up as an agent appears here.'}</p>
  </div>`;
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
            <bdi>${agent.operator_name}</bdi> <span class="soft"><bdi>${agent.operator_email}</bdi></span>
          </td>
          <td>${statusBadge(agent.status)}</td>
          <td data-label="plan">${sentenceCase(agent.plan)}</td>
          <td data-label="since">${momentOf(agent.created_at)}</td>
        </tr>`,
    ),
  );
}

export function statusBadge(status: ListedAgent['status']): Html {
  return html`<span class="badge ${status === 'active' ? 'good' : 'bad'}">${sentenceCase(status)}</span>`;
}

/** Whether somebody has proven that the mailbox of an account is theirs. */
export function mailboxBadge({ email_verified_at }: { email_verified_at: Date | null }): Html {
  return email_verified_at === null
    ? html`<span class="badge warn">Mailbox not proven</span>`
    : html`<span class="badge good">Mailbox proven</span>`;
}
