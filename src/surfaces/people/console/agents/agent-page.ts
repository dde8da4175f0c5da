import type { FastifyReply } from 'fastify';
import type { ListedAgent } from '../../../../accounts/agents/agent-roster.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { readAgentRecord } from '../../../../submissions/review/review-reading.ts';
import { listingsOf, type AgentListings } from '../../../../submissions/takedown/remove-listing.ts';
import { choiceField, reasonField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import { sentenceCase } from '../../frame/wording.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { LEAD_ROLES, REVIEWER_ROLES, type Staff } from '../../person/people.ts';
import { hiddenTextSection } from '../hidden-text-section.ts';
import { keyFacts, emailVerifiedBadge, statusBadge, untrustedLink } from '../account-facts.ts';
import { sendConsolePage } from '../console-page.ts';
import { formatTime } from '../moment.ts';
import { recordCard, recordColumns } from '../record-columns.ts';
import { listAgentSubmissions, type AgentSubmission } from './agent-submissions.ts';

/** Sends the page of one agent: its operator, its submissions, and the actions available to staff. */
export async function sendAgentPage(
  request: PageRequest<Staff>,
  agent: ListedAgent,
  state: PageState,
): Promise<FastifyReply> {
  const { deps } = request;
  const [record, work, listings, hidden] = await Promise.all([
    readAgentRecord(deps.pool, agent.id),
    listAgentSubmissions(deps.pool, agent.id),
    listingsOf(deps.pool, agent.id),
    hiddenTextSection(deps.pool, agent.id),
  ]);
  return sendConsolePage(request, {
    title: agent.agent_name,
    current: '/console/agents',
    lead: html`${statusBadge(agent.status)} <code>${agent.id}</code>`,
    notice: state.notice,
    body: recordColumns(
      html`${recordCard(
        [
          [
            'Operator',
            html`<bdi>${agent.operator_name}</bdi>,
              <bdi>${agent.operator_email}</bdi> ${emailVerifiedBadge(agent)}`,
          ],
          ['Purpose', html`<bdi>${agent.purpose}</bdi>`],
          ['Homepage', agent.homepage && untrustedLink(agent.homepage)],
          ['Plan', sentenceCase(agent.plan)],
          ['Signed up', formatTime(agent.created_at)],
          ...keyFacts(agent),
          [
            'Submissions',
            `${record.approved} approved, ${record.rejected} rejected, ${record.pending} waiting`,
          ],
        ],
        html`<p>
          <a href="${safeHref(`/console/audit?actor=${agent.id}`)}">Its actions in the audit log</a>
        </p>`,
      )}
      ${hidden} ${workSection(work)}`,
      actionForms(request, agent, listings, state),
    ),
  });
}

function workSection(work: readonly AgentSubmission[]): Html {
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

/** Forms for the actions that this person may take in the agent's current state. A revocation is final. */
function actionForms(
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
    REVIEWER_ROLES.includes(role) &&
    actionForm(request, agent, state, {
      move,
      title: move === 'suspend' ? 'Suspend' : 'Lift the suspension',
      text:
        move === 'suspend'
          ? 'Its key is refused from the next request on, until the suspension is lifted.'
          : 'Its key works again from the next request on.',
    })
  }
  ${
    LEAD_ROLES.includes(role) &&
    actionForm(request, agent, state, {
      move: 'revoke',
      title: 'Revoke the key',
      text: 'For invented businesses. The key is refused at once and for good.',
      more: listingsField(listings, state),
    })
  }`;
}

/** Choice between removing and keeping the agent's listings. Nothing is preselected. */
function listingsField(
  { alone, shared }: AgentListings,
  { action, form: submitted, faults }: PageState,
): Html {
  const wasSubmitted = action === 'agent_revoke';
  return choiceField({
    name: 'listings',
    id: 'revoke-listings',
    label: 'What happens to its listings',
    hint: `${formatCount(alone.length, 'place')} in the directory come only from this agent; it contributed to ${formatCount(shared.length, 'place')} more. Tables at removed places are cancelled.`,
    value: wasSubmitted ? (submitted?.get('listings') ?? '') : '',
    fault: wasSubmitted ? faults?.['listings'] : undefined,
    choices: [
      ['', 'Choose what happens'],
      ['remove', 'It invented them: remove the places, and delete its claims elsewhere'],
      ['keep', 'Leave them as they are'],
    ],
  });
}

function actionForm(
  request: PageRequest,
  agent: ListedAgent,
  { action, form: submitted, faults }: PageState,
  { move, title, text, more }: { move: string; title: string; text: string; more?: Html },
): Html {
  return form(
    request,
    `/console/agents/${agent.id}/${move}`,
    html`<h2>${title}</h2>
      <p class="soft">${text}</p>
      ${reasonField({
        id: `${move}-reason`,
        hint: 'The operator is notified.',
        ...(action === `agent_${move}` && {
          value: submitted?.get('reason') ?? '',
          fault: faults?.['reason'],
        }),
      })}
      ${more ?? false}
      <button class="button ${move === 'unsuspend' ? 'plain' : 'danger'}" type="submit">${title}</button>`,
    { className: 'card flow' },
  );
}
