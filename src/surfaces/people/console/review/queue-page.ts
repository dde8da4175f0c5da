import { html, type Html } from '../../../../core/text/html.ts';
import { listQueue, type QueueItem } from '../../../../submissions/review/review.ts';
import { relationshipSet } from '../../../../submissions/submission.ts';
import { badge, emptyState, rowLink, softText, userText } from '../../frame/components.ts';
import { nextPage } from '../../frame/next-page.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { recordTable } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { allStaff, reviewers, type Staff } from '../../person/people.ts';
import { choicesAmong, filterForm, hasFilters, LIST_PAGE_SIZE, readFilters } from '../list-page.ts';
import { formatDuration, formatTime } from '../moment.ts';
import { relationshipBadge } from './evidence-sections.ts';
import { decideMany, bulkForm } from './decide-many.ts';
import { decidedNotice, readDecided, SUBMISSION_ID, undoDecision } from './undo.ts';

const FILTERS = {
  relationship: { label: 'Relationship', choices: choicesAmong(relationshipSet.values) },
  kind: {
    label: 'Kind',
    choices: [
      ['', 'All'],
      ['business', 'Business'],
      ['promo', 'Promotion'],
    ],
  },
} as const;

/** The review queue, oldest first. */
export const queuePage = definePage({
  path: '/console/review',
  follows: () => ['submissions'],
  who: allStaff,
  nav: { label: 'Review', key: 'q' },
  async load(req) {
    const { deps, query } = req;
    const filter = readFilters(query, FILTERS);
    const after = validCursor(query.get('after'));
    const queue = await listQueue(deps.pool, { ...filter, after, limit: LIST_PAGE_SIZE });
    return { filter, decided: await readDecided(req), ...queue };
  },
  view: (req, { filter, decided, items, next, total }, state) => ({
    title: 'Review',
    lead: `${formatCount(total, 'submission')} waiting, the oldest first.`,
    notice: state.notice ?? decidedNotice(req, decided),
    body: html`${filterForm('/console/review', FILTERS, filter)}
    ${
      items.length > 0
        ? html`${queueTable(items, req)} ${bulkForm(req, state)}`
        : emptyState(
            'Nothing is waiting',
            hasFilters(filter)
              ? 'Nothing of this kind is waiting. Other filters may show more.'
              : 'Submissions of agents appear here, the oldest first, until a person decides.',
          )
    }
    ${nextPage('/console/review', next && { ...filter, after: next }, `Next ${LIST_PAGE_SIZE}`)}`,
  }),
  actions: [decideMany, undoDecision],
});

/** Validates a cursor, which is a timestamp and an id. An invalid cursor starts at the first page. */
function validCursor(after: string | null): string | undefined {
  const [since = '', id = ''] = after?.split('/') ?? [];
  return SUBMISSION_ID.test(id) && !Number.isNaN(Date.parse(since)) ? `${since}/${id}` : undefined;
}

function queueTable(items: readonly QueueItem[], { now, person }: PageRequest<Staff>): Html {
  const decides = reviewers.allows(person);
  return recordTable('dense stack rows', items, [
    ['Submission', (item) => html`${decides && chooseBox(item)} ${submissionWords(item)}`],
    ['Relationship', ({ relationship }) => relationshipBadge(relationship)],
    ['Where', ({ city, country }) => html`<bdi>${city}</bdi>, ${country}`],
    ['Agent', ({ agentName }) => userText(agentName), 'by'],
    [{ number: 'Age' }, ({ submittedAt }) => formatDuration(now.getTime() - submittedAt.getTime()), 'waits'],
    [
      'Expected by',
      ({ expectedBy }) => html`${formatTime(expectedBy)} ${expectedBy < now && badge('bad', 'late')}`,
      'expected by',
    ],
    ['Look at', ({ flags }) => flags.map((flag) => html`${badge('warn', sentenceCase(flag))} `)],
  ]);
}

/** Box with which a reviewer chooses submissions for one decision about all of them. */
function chooseBox({ submissionId, revision, name }: QueueItem): Html {
  return html`<input
    type="checkbox"
    class="choose"
    name="chosen"
    value="${submissionId}:${revision}"
    form="decide-many"
    aria-label="${`Choose ${name}`}"
  />`;
}

function submissionWords({ submissionId, name, vertical, kind, revision }: QueueItem): Html {
  const detail = `${sentenceCase(vertical ?? kind)}${revision > 1 ? `, revision ${revision}` : ''}`;
  return html`${rowLink(`/console/review/${submissionId}`, userText(name))} ${softText(detail)}
  ${kind === 'promo' && badge('', 'Promotion')}`;
}
