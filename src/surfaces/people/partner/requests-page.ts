import { formatNumber } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import {
  CALL_LOG_DAYS,
  CALL_LOG_MAX,
  KEPT_PER_FLUSH,
  listPartnerCalls,
  type LoggedCall,
} from '../../../metering/partner-calls.ts';
import { filterForm, hasFilters, pageOf, readFilters } from '../console/list-page.ts';
import { formatTime } from '../console/moment.ts';
import { badge, emptyState } from '../frame/components.ts';
import { nextPage } from '../frame/next-page.ts';
import { recordTable } from '../frame/table.ts';
import { definePage } from '../person/page.ts';
import { partner } from '../person/people.ts';

const PATH = '/partner/requests';
const PAGE_SIZE = 50;

const FILTERS = {
  id: { label: 'Request id', type: 'search', maxlength: 80 },
  result: {
    label: 'Result',
    choices: [
      ['', 'All'],
      ['error', 'Errors only'],
    ],
  },
} as const;

/** The last calls of the partner's programs, without what was asked or answered. */
export const requestsPage = definePage({
  path: PATH,
  who: partner,
  nav: { label: 'Requests' },
  async load({ deps, person, query }) {
    await deps.partnerCalls.flush();
    const filter = readFilters(query, FILTERS);
    const before = query.get('before') ?? '';
    const calls = await listPartnerCalls(deps.pool, {
      partnerId: person.id,
      onlyFailed: filter.result === 'error',
      requestId: filter.id,
      before: /^\d{1,18}$/.test(before) ? before : undefined,
      limit: PAGE_SIZE + 1,
    });
    return { filter, ...pageOf(calls, PAGE_SIZE, ({ id }) => id) };
  },
  view: (_req, { filter, visible, next }) => ({
    title: 'Requests',
    lead: `The last calls of your programs, kept for ${CALL_LOG_DAYS} days, at most ${formatNumber(CALL_LOG_MAX)}. What was asked and answered is not stored.`,
    body: html`${filterForm(PATH, FILTERS, filter, { button: 'Find', role: 'search' })}
    ${visible.length === 0 ? emptyState('No requests', emptyText(hasFilters(filter))) : callTable(visible)}
    ${nextPage(PATH, next && { ...filter, before: next }, 'Older')}
    ${
      visible.length > 0 &&
      html`<p class="soft">
        Of a busy second, the first ${KEPT_PER_FLUSH} successes and errors are listed. The figures of your
        usage count all calls.
      </p>`
    }`,
  }),
});

function emptyText(isFiltered: boolean): string {
  return isFiltered
    ? 'No stored request matches. Every response carries its id in the header x-request-id.'
    : 'Each call with your key appears here a second later. The Keys page has commands to try.';
}

/** Lists calls with their result, for this page and the overview. */
export function callTable(calls: readonly LoggedCall[]): Html {
  return recordTable('dense stack', calls, [
    ['Tool', ({ tool }) => html`<code>${tool}</code>`],
    [
      'Result',
      ({ failure }) =>
        failure === null ? badge('good', 'OK') : html`${badge('bad', 'Error')} <code>${failure}</code>`,
    ],
    ['When', ({ at }) => formatTime(at), 'when'],
    [
      { number: 'Took' },
      ({ duration_ms: ms }) => `${ms < 10 ? ms.toFixed(1) : formatNumber(Math.round(ms))} ms`,
      'took',
    ],
    ['Request id', ({ request_id: id }) => html`<code>${id}</code>`, 'id'],
  ]);
}
