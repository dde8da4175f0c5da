import type { FastifyReply } from 'fastify';
import type { ListedAgent } from '../../../../accounts/agents/agent-roster.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { readAgentRecord } from '../../../../submissions/review/review-reading.ts';
import { listingsOf, type AgentListings } from '../../../../submissions/takedown/remove-listing.ts';
import { choiceField, reasonField } from '../../form/form-field.ts';
import { definitionList } from '../../frame/definition-list.ts';
import { form } from '../../frame/frame.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { LEADS, REVIEWERS, type Staff } from '../../person/people.ts';
import { hiddenTextSection } from '../hidden-text-section.ts';
import { keyFacts, mailboxBadge, statusBadge, strangersLink } from '../account-facts.ts';
import { sendConsolePage } from '../console-page.ts';
import { momentOf } from '../moment.ts';
import { agentWork, type AgentWork } from './agent-work.ts';

/** One agent: who answers for it, what it did, and what can be done about it. */
export async function sendAgentPage(
  request: PageRequest<Staff>,
  agent: ListedAgent,
  state: PageState,
): Promise<FastifyReply> {
  const { deps } = request;
  const [record, work, listings, hidden] = await Promise.all([
    readAgentRecord(deps.pool, agent.id),
    agentWork(deps.pool, agent.id),
    listingsOf(deps.pool, agent.id),
    hiddenTextSection(deps.pool, agent.id),
  ]);
  return sendConsolePage(request, {
    title: agent.agent_name,
    current: '/console/agents',
    lead: html`${statusBadge(agent.status)} <code>${agent.id}</code>`,
    notice: state.notice,
    body: html`<div class="review">
      <div class="evidence">
        <section class="card flow">
          <h2>Record</h2>
          ${definitionList('record', [
            [
              'Operator',
              html`<bdi>${agent.operator_name}</bdi>,
                <bdi>${agent.operator_email}</bdi> ${mailboxBadge(agent)}`,
            ],
            ['Purpose', html`<bdi>${agent.purpose}</bdi>`],
            ['Homepage', agent.homepage && strangersLink(agent.homepage)],
            ['Plan', sentenceCase(agent.plan)],
            ['Signed up', momentOf(agent.created_at)],
            ...keyFacts(agent),
            [
              'Submissions',
              `${record.approved} approved, ${record.rejected} rejected, ${record.pending} waiting`,
            ],
          ])}
          <p>
            <a href="${safeHref(`/console/audit?actor=${agent.id}`)}">All that it did, in the audit log</a>
          </p>
        </section>
        ${hidden} ${workSection(work)}
      </div>
      <aside class="verdict" aria-label="What can be done">
        ${measures(request, agent, listings, state)}
      </aside>
    </div>`,
  });
}

function workSection(work: readonly AgentWork[]): Html {
  return html`<section class="card flow">
    <h2>Its newest submissions</h2>
    ${
      work.length === 0
        ? html`<p class="soft">None yet.</p>`
        : html`<ul class="items">
            ${work.map(
              ({ id, name, status, place_id }) =>
                html`<li>
                  <a href="${safeHref(`/console/review/${id}`)}"><bdi>${name}</bdi></a>
                  <span class="badge">${sentenceCase(status)}</span>
                  ${place_id !== null && html`<a href="${safeHref(`/console/places/${place_id}`)}">place</a>`}
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}

/** What may be done to the agent in its state, by this person. A revoked one stays so. */
function measures(
  request: PageRequest<Staff>,
  agent: ListedAgent,
  listings: AgentListings,
  state: PageState,
): Html {
  const { role } = request.person;
  if (agent.status === 'revoked')
    return html`<section class="card">
      <p>The key was revoked for good. The operator can write to us.</p>
    </section>`;
  const move = agent.status === 'active' ? 'suspend' : 'unsuspend';
  return html`${
    REVIEWERS.includes(role) &&
    measure(request, agent, state, {
      move,
      title: move === 'suspend' ? 'Suspend' : 'Lift the suspension',
      text:
        move === 'suspend'
          ? 'Its key is refused from the next request on, until somebody lifts this.'
          : 'Its key works again from the next request on.',
    })
  }
  ${
    LEADS.includes(role) &&
    measure(request, agent, state, {
      move: 'revoke',
      title: 'Revoke the key',
      text: 'For invented businesses. The key is refused at once and for good.',
      more: listingsField(listings, state),
    })
  }`;
}

/** What becomes of what the agent put into the directory. Nothing is chosen beforehand. */
function listingsField({ alone, shared }: AgentListings, { action, form: sent, faults }: PageState): Html {
  const mine = action === 'agent_revoke';
  const places = (count: number) => `${count} ${count === 1 ? 'place' : 'places'}`;
  return choiceField({
    name: 'listings',
    id: 'revoke-listings',
    label: 'What happens to its listings',
    hint: `${places(alone.length)} in the directory by its word alone; it says something of ${places(shared.length)} more. Tables at removed places are cancelled.`,
    value: mine ? (sent?.get('listings') ?? '') : '',
    fault: mine ? faults?.['listings'] : undefined,
    choices: [
      ['', 'Choose what happens'],
      ['remove', 'It invented them: remove the places, and delete its claims elsewhere'],
      ['keep', 'Leave them as they are'],
    ],
  });
}

function measure(
  request: PageRequest,
  agent: ListedAgent,
  { action, form: sent, faults }: PageState,
  { move, title, text, more }: { move: string; title: string; text: string; more?: Html },
): Html {
  return form(
    request,
    `/console/agents/${agent.id}/${move}`,
    html`<h2>${title}</h2>
      <p class="soft">${text}</p>
      ${reasonField({
        id: `${move}-reason`,
        hint: 'The operator is told.',
        ...(action === `agent_${move}` && { value: sent?.get('reason') ?? '', fault: faults?.['reason'] }),
      })}
      ${more ?? false}
      <button class="button ${move === 'unsuspend' ? 'plain' : 'danger'}" type="submit">${title}</button>`,
    { className: 'card flow' },
  );
}
