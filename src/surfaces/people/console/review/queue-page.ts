import { html, type Html } from '../../../../core/text/html.ts';
import { listQueue, type QueueItem } from '../../../../submissions/review/review.ts';
import { relationshipSet, type Relationship } from '../../../../submissions/submission.ts';
import { badge, emptyState, rowLink, softText, userText } from '../../frame/components.ts';
import { nextPage } from '../../frame/next-page.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { recordTable } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import { ALL_ROLES, staff } from '../../person/people.ts';
import { choicesAmong, filterForm, hasFilters, LIST_PAGE_SIZE, readFilters } from '../list-page.ts';
import { formatDuration, formatTime } from '../moment.ts';
import { decisionNotice } from '../queue.ts';

export const SUBMISSION_ID = /^(?:sub|prm)_[0-9a-z]{26}$/;

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
  who: staff(ALL_ROLES),
  nav: { label: 'Review', key: 'q' },
  async load({ deps, query }) {
    const filter = readFilters(query, FILTERS);
    const after = validCursor(query.get('after'));
    return { filter, ...(await listQueue(deps.pool, { ...filter, after, limit: LIST_PAGE_SIZE })) };
  },
  view: ({ query, now }, { filter, items, next, total }) => ({
    title: 'Review',
    lead: `${formatCount(total, 'submission')} waiting, the oldest first.`,
    notice: decisionNotice(query, '/console/review', SUBMISSION_ID),
    body: html`${filterForm('/console/review', FILTERS, filter)}
    ${
      items.length > 0
        ? queueTable(items, now)
        : emptyState(
            'Nothing is waiting',
            hasFilters(filter)
              ? 'Nothing of this kind is waiting. Other filters may show more.'
              : 'Submissions of agents appear here, the oldest first, until a person decides.',
          )
    }
    ${nextPage('/console/review', next && { ...filter, after: next }, `Next ${LIST_PAGE_SIZE}`)}`,
  }),
});

/** Validates a cursor, which is a timestamp and an id. An invalid cursor starts at the first page. */
function validCursor(after: string | null): string | undefined {
  const [since = '', id = ''] = after?.split('/') ?? [];
  return SUBMISSION_ID.test(id) && !Number.isNaN(Date.parse(since)) ? `${since}/${id}` : undefined;
}

function queueTable(items: readonly QueueItem[], now: Date): Html {
  return recordTable('dense stack rows', items, [
    ['Submission', submissionWords],
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

function submissionWords({ submissionId, name, vertical, kind, revision }: QueueItem): Html {
  const detail = `${sentenceCase(vertical ?? kind)}${revision > 1 ? `, revision ${revision}` : ''}`;
  return html`${rowLink(`/console/review/${submissionId}`, userText(name))} ${softText(detail)}
  ${kind === 'promo' && badge('', 'Promotion')}`;
}

export function relationshipBadge(relationship: Relationship): Html {
  return badge(relationship === 'owner' ? 'sign' : '', sentenceCase(relationship));
}
