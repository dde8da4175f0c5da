import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { listQueue, type QueueItem } from '../../../../submissions/review/review.ts';
import { relationshipSet, type Relationship } from '../../../../submissions/submission.ts';
import { choiceField, filterField } from '../../form/form-field.ts';
import { nextPage } from '../../frame/next-page.ts';
import { formatCount } from '../../../../core/text/format-count.ts';
import { table } from '../../frame/table.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { definePage } from '../../person/page.ts';
import { ALL_ROLES, staff } from '../../person/people.ts';
import { formatDuration, formatTime } from '../moment.ts';
import { decisionNotice } from '../queue.ts';

const PAGE_SIZE = 50;
export const SUBMISSION_ID = /^(?:sub|prm)_[0-9a-z]{26}$/;

/** The review queue, oldest first. */
export const queuePage = definePage({
  path: '/console/review',
  who: staff(ALL_ROLES),
  nav: { label: 'Review', key: 'q' },
  async load({ deps, query }) {
    const relationship = relationshipSet.values.find((value) => value === query.get('relationship'));
    const kind = (['business', 'promo'] as const).find((value) => value === query.get('kind'));
    const after = validCursor(query.get('after'));
    const queue = await listQueue(deps.pool, { relationship, kind, after, limit: PAGE_SIZE });
    return { relationship, kind, ...queue };
  },
  view: ({ query, now }, { relationship, kind, items, next, total }) => ({
    title: 'Review',
    lead: `${formatCount(total, 'submission')} waiting, the oldest first.`,
    notice: decisionNotice(query, '/console/review', SUBMISSION_ID),
    body: html`${filterForm(relationship, kind)}
    ${items.length === 0 ? empty(relationship !== undefined || kind !== undefined) : queueTable(items, now)}
    ${nextPage('/console/review', next && { relationship, kind, after: next }, `Next ${PAGE_SIZE}`)}`,
  }),
});

/** Validates a cursor, which is a timestamp and an id. An invalid cursor starts at the first page. */
function validCursor(after: string | null): string | undefined {
  const [since = '', id = ''] = after?.split('/') ?? [];
  return SUBMISSION_ID.test(id) && !Number.isNaN(Date.parse(since)) ? `${since}/${id}` : undefined;
}

function filterForm(relationship: string | undefined, kind: string | undefined): Html {
  return html`<form class="filters" method="get" action="/console/review">
    ${filterField({ name: 'relationship', label: 'Relationship', value: relationship ?? '' }, relationshipSet.values)}
    ${choiceField({
      name: 'kind',
      label: 'Kind',
      value: kind ?? '',
      choices: [
        ['', 'All'],
        ['business', 'Business'],
        ['promo', 'Promotion'],
      ],
    })}
    <button class="button plain" type="submit">Filter</button>
  </form>`;
}

function empty(filtered: boolean): Html {
  return html`<div class="empty">
    <h2>Nothing is waiting</h2>
    <p>
      ${
        filtered
          ? 'Nothing of this kind is waiting. Other filters may show more.'
          : 'Submissions of agents appear here, the oldest first, until a person decides.'
      }
    </p>
  </div>`;
}

function queueTable(items: readonly QueueItem[], now: Date): Html {
  return table(
    {
      className: 'dense stack rows',
      columns: ['Submission', 'Relationship', 'Where', 'Agent', { number: 'Age' }, 'Expected by', 'Look at'],
    },
    items.map((item) => queueRow(item, now)),
  );
}

function queueRow(item: QueueItem, now: Date): Html {
  const late = item.expectedBy < now;
  return html`<tr>
    <th scope="row">
      <a data-row href="${safeHref(`/console/review/${item.submissionId}`)}"><bdi>${item.name}</bdi></a>
      <span class="soft"
        >${sentenceCase(item.vertical ?? item.kind)}${item.revision > 1 && `, revision ${item.revision}`}</span
      >
      ${item.kind === 'promo' && html`<span class="badge">Promotion</span>`}
    </th>
    <td>${relationshipBadge(item.relationship)}</td>
    <td><bdi>${item.city}</bdi>, ${item.country}</td>
    <td data-label="by"><bdi>${item.agentName}</bdi></td>
    <td class="number" data-label="waits">${formatDuration(now.getTime() - item.submittedAt.getTime())}</td>
    <td data-label="expected by">
      ${formatTime(item.expectedBy)} ${late && html`<span class="badge bad">late</span>`}
    </td>
    <td>${item.flags.map((flag) => html`<span class="badge warn">${sentenceCase(flag)}</span> `)}</td>
  </tr>`;
}

export function relationshipBadge(relationship: Relationship): Html {
  return html`<span class="badge${relationship === 'owner' && ' sign'}">${sentenceCase(relationship)}</span>`;
}
