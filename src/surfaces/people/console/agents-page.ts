import { findAgent, listAgents, moveAgent, type ListedAgent } from '../../../accounts/agents/agent-roster.ts';
import { listHiddenText } from '../../../core/audit.ts';
import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { readAgentRecord } from '../../../submissions/review/review-reading.ts';
import { TAKEDOWN_SQL } from '../../../submissions/submission.ts';
import {
  listingsOf,
  removeListingsOf,
  type AgentListings,
} from '../../../submissions/takedown/remove-listing.ts';
import { actionForm } from '../form/action-form.ts';
import { choiceInput, reasonInput } from '../form/fields.ts';
import { badge, card, itemList, link, noteCard, rowLink, softText, userText } from '../frame/components.ts';
import { sentenceCase } from '../frame/wording.ts';
import { conflict, defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { allStaff, leads, reviewers, type Staff } from '../person/people.ts';
import {
  emailVerifiedBadge,
  keyFacts,
  recordCard,
  recordColumns,
  statusBadge,
  untrustedLink,
} from './record-parts.ts';
import { hiddenTextSection } from './hidden-text-section.ts';
import { choicesAmong, listPage, newestFirst } from './list-page.ts';
import { formatTime } from './moment.ts';

const NEWEST = 20;

export const agentsPage = listPage({
  title: 'Agents',
  path: '/console/agents',
  key: 'g',
  lead: 'Programs that read and submit, and the people responsible for them. The newest first.',
  filters: () => ({
    q: { label: 'Name, operator, email or id', type: 'search', maxlength: 120 },
    status: { label: 'Status', choices: choicesAmong(['active', 'suspended', 'revoked']) },
  }),
  ...newestFirst,
  list: ({ deps }, { q: query, status }, { cursor: after, limit }) =>
    listAgents(deps.pool, { query, status, after, limit }),
  columns: () => [
    ['Agent', ({ id, agent_name }) => rowLink(`/console/agents/${id}`, userText(agent_name))],
    ['Operator', operatorWords],
    ['Status', ({ status }) => statusBadge(status)],
    ['Plan', ({ plan }) => sentenceCase(plan), 'plan'],
    ['Since', ({ created_at }) => formatTime(created_at), 'since'],
  ],
  empty: 'Agents appear here when they sign up.',
  noMatch: 'Nobody matches this.',
});

function operatorWords(agent: ListedAgent): Html {
  return html`<bdi>${agent.operator_name}</bdi> ${softText(userText(agent.operator_email))}
    ${emailVerifiedBadge(agent)}`;
}

const suspend = statusAction('suspend', {
  title: 'Suspend',
  help: 'Its key is refused from the next request on, until the suspension is lifted.',
  danger: true,
  done: 'The agent is suspended, and its operator is notified.',
});

const unsuspend = statusAction('unsuspend', {
  title: 'Lift the suspension',
  help: 'Its key works again from the next request on.',
  plain: true,
  done: 'The suspension is lifted, and the operator is notified.',
});

function statusAction(
  move: 'suspend' | 'unsuspend',
  texts: { title: string; help: string; done: string; danger?: boolean; plain?: boolean },
) {
  return defineAction({
    name: `agent_${move}`,
    path: `/console/agents/:id/${move}`,
    who: reviewers,
    fields: { reason: reasonInput('The operator is notified.') },
    ...texts,
    async run(act, { reason }) {
      const { id } = await agentOf(act.db, act.params);
      if (!(await moveAgent(act.db, act, id, { move, reason }))) refuseLate();
      act.audit(id, { reason });
      act.invalidateKeyCaches();
    },
  });
}

/** Revokes a key. Leads only; the lead also decides whether the agent's listings are removed. */
const revoke = defineAction({
  name: 'agent_revoke',
  path: '/console/agents/:id/revoke',
  who: leads,
  title: 'Revoke the key',
  help: 'For invented businesses. The key is refused at once and for good.',
  fields: {
    reason: reasonInput('The operator is notified.'),
    listings: choiceInput(
      [
        ['remove', 'It invented them: remove the places, and delete its claims elsewhere'],
        ['keep', 'Leave them as they are'],
      ],
      { label: 'What happens to its listings', placeholder: 'Choose what happens' },
      'choose what happens to its listings',
    ),
  },
  danger: true,
  done: {
    revoke: 'The key is revoked, and the operator is notified. Its listings stay.',
    revoke_remove:
      'The key is revoked and everything the agent submitted was removed. The operator is notified.',
  },
  async run(act, { reason, listings }) {
    const { id } = await agentOf(act.db, act.params);
    if (!(await moveAgent(act.db, act, id, { move: 'revoke', reason }))) refuseLate();
    const removal = { agentId: id, note: reason, staffId: act.person.id };
    const removedListings = listings === 'remove' ? await removeListingsOf(act.db, act, removal) : undefined;
    act.audit(id, {
      reason,
      listings,
      removed: removedListings?.alone.length ?? 0,
      stripped: removedListings?.shared.length ?? 0,
    });
    act.invalidateKeyCaches();
    return { done: listings === 'remove' ? 'revoke_remove' : 'revoke' };
  },
});

function refuseLate(): never {
  conflict('Somebody else changed this agent in the meantime. Your change was not made.');
}

/** One agent: its operator, its submissions, and the actions available to staff. */
export const agentPage = definePage({
  path: '/console/agents/:id',
  who: allStaff,
  async load({ deps: { pool }, params }) {
    const agent = await agentOf(pool, params);
    const [record, submissions, listings, hiddenTexts] = await Promise.all([
      readAgentRecord(pool, agent.id),
      listAgentSubmissions(pool, agent.id),
      listingsOf(pool, agent.id),
      listHiddenText(pool, agent.id),
    ]);
    return { agent, record, submissions, listings, hiddenTexts };
  },
  view: (req, { agent, record, submissions, listings, hiddenTexts }, state) => ({
    title: agent.agent_name,
    lead: html`${statusBadge(agent.status)} <code>${agent.id}</code>`,
    body: recordColumns(
      html`${recordCard(
        [
          [
            'Operator',
            html`<bdi>${agent.operator_name}</bdi>,
              <bdi>${agent.operator_email}</bdi> ${emailVerifiedBadge(agent)}`,
          ],
          ['Purpose', userText(agent.purpose)],
          ['Homepage', agent.homepage && untrustedLink(agent.homepage)],
          ['Plan', sentenceCase(agent.plan)],
          ['Signed up', formatTime(agent.created_at)],
          ...keyFacts(agent),
          [
            'Submissions',
            `${record.approved} approved, ${record.rejected} rejected, ${record.pending} waiting`,
          ],
        ],
        html`<p>${link(`/console/audit?actor=${agent.id}`, 'Its actions in the audit log')}</p>`,
      )}
      ${hiddenTextSection(hiddenTexts)} ${submissionsSection(submissions)}`,
      statusForms(req, agent, listings, state),
    ),
  }),
  actions: [suspend, unsuspend, revoke],
});

/** Forms for the agent's current state. A revocation is final. */
function statusForms(
  req: PageRequest<Staff>,
  { status }: ListedAgent,
  { alone, shared }: AgentListings,
  state: PageState,
): Html {
  if (status === 'revoked') return noteCard('The key was revoked for good. The operator can write to us.');
  const hint = `${formatCount(alone.length, 'place')} in the directory come only from this agent; it contributed to ${formatCount(shared.length, 'place')} more. Tables at removed places are cancelled.`;
  return html`${actionForm(req, status === 'active' ? suspend : unsuspend, state)}
  ${actionForm(req, revoke, state, { fields: { listings: { hint } } })}`;
}

function submissionsSection(submissions: readonly AgentSubmission[]): Html {
  return card(
    'Its newest submissions',
    submissions.length === 0
      ? html`<p class="soft">None yet.</p>`
      : itemList(
          submissions.map(
            ({ id, name, status, place_id }) =>
              html`${link(`/console/review/${id}`, userText(name))} ${badge('', sentenceCase(status))}
              ${place_id !== null && link(`/console/places/${place_id}`, 'place')}`,
          ),
        ),
  );
}

async function agentOf(db: Db, { id = '' }: PageRequest['params']): Promise<ListedAgent> {
  const agent = /^agt_[0-9a-z]{26}$/.test(id) ? await findAgent(db, id) : undefined;
  if (agent === undefined)
    throw new AppError('not_found', 'There is no agent with this id.', {
      hint: 'Look for it at /console/agents.',
    });
  return agent;
}

interface AgentSubmission {
  id: string;
  name: string;
  status: string;
  place_id: string | null;
}

/** Lists the agent's latest submissions. */
function listAgentSubmissions(db: Db, agentId: string): Promise<readonly AgentSubmission[]> {
  return db<AgentSubmission[]>`
    select s.id, coalesce(r.content->>'title', r.content->>'name') as name, s.place_id,
           case when t.submission_id is null then s.status else 'rejected' end as status
    from submission s join submission_revision r on r.submission_id = s.id and r.revision = s.revision
    ${db.unsafe(TAKEDOWN_SQL)}
    where s.agent_id = ${agentId} order by s.created_at desc, s.id desc limit ${NEWEST}`;
}
