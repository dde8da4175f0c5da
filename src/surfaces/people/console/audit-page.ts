import { listAudit, listAuditedOperations, type AuditLine } from '../../../core/audit.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { emptyState, link } from '../frame/components.ts';
import { nextPage } from '../frame/next-page.ts';
import { recordTable } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { definePage } from '../person/page.ts';
import { reviewers } from '../person/people.ts';
import { choicesAmong, filterForm, pageOf, readFilters } from './list-page.ts';
import { formatPast } from './moment.ts';

const PAGE_SIZE = 100;
const FILTERS = {
  actor: { label: 'Who (email or id)', maxlength: 200 },
  operation: { label: 'What', maxlength: 200 },
  subject: { label: 'About (id)', maxlength: 200 },
};

export const auditPage = definePage({
  path: '/console/audit',
  who: reviewers,
  nav: { label: 'Audit', key: 'l' },
  async load({ deps: { pool }, query }) {
    const filter = readFilters(query, FILTERS);
    const before = query.get('before') ?? '';
    const people = await pool<{ id: string; email: string }[]>`select id, email from staff`;
    const staffMember = people.find(({ email }) => email === filter.actor?.toLowerCase());
    const [rows, operations] = await Promise.all([
      listAudit(pool, {
        ...filter,
        ...(staffMember && { actor: staffMember.id }),
        before: /^\d{1,18}$/.test(before) ? before : undefined,
        limit: PAGE_SIZE + 1,
      }),
      listAuditedOperations(pool),
    ]);
    const { visible: lines, next } = pageOf(rows, PAGE_SIZE, ({ sequence }) => sequence);
    const names: Names = new Map<string, string | Html>([
      ...people.map(({ id, email }) => [id, email] as const),
      ...(await namesIn(pool, lines)),
    ]);
    const operation = { label: 'What', choices: choicesAmong(operations, 'Everything') };
    return { filter, filters: { ...FILTERS, operation }, lines, names, next };
  },
  view: ({ now }, { filter, filters, lines, names, next }) => ({
    title: 'Audit log',
    lead: 'Everything that was changed, by whom, the newest first. Nothing here can be changed or removed.',
    body: html`${filterForm('/console/audit', filters, filter)}
    ${
      lines.length === 0
        ? emptyState('Nothing', 'No entry matches these filters. Clear them to see all entries.')
        : auditTable(lines, names, now)
    }
    ${nextPage('/console/audit', next && { ...filter, before: next }, 'Older')}`,
  }),
});

/**
 * Looks up the names of agents, partners and places. The kind of an actor is added to its name, because anybody may
 * give an agent the name of a staff member.
 */
async function namesIn(db: Db, lines: readonly AuditLine[]): Promise<[id: string, name: Html][]> {
  const ids = lines.flatMap(({ actor, subject, detail }) => [
    actor.replace(VENUE_PREFIX, ''),
    subject ?? '',
    ...Object.values(detail).filter((value) => typeof value === 'string'),
  ]);
  const rows = await db<{ id: string; name: string; what: string }[]>`
    select id, agent_name as name, 'agent' as what from agent where id = any(${ids})
    union all select id, name, 'partner' from partner where id = any(${ids})
    union all select id, name, '' from place where id = any(${ids})`;
  return rows.map(({ id, name, what }) => [id, html`<bdi>${name}</bdi>${what !== '' && `, ${what}`}`]);
}

type Names = ReadonlyMap<string, string | Html>;

function auditTable(lines: readonly AuditLine[], names: Names, now: Date): Html {
  return recordTable('dense stack rows', lines, [
    ['What', ({ operation }) => sentenceCase(operation)],
    ['When', ({ at }) => formatPast(at, now)],
    ['Who', ({ actor }) => actorLink(actor, names), 'by'],
    ['About', ({ subject }) => subjectLink(subject, names), 'about'],
    ['Detail', ({ detail }) => detailText(detail, names), false, 'detail'],
  ]);
}

/** Prefix of the actor when a venue acts for itself. */
const VENUE_PREFIX = /^venue:/;

function actorLink(actor: string, names: Names): Html {
  const name = names.get(actor.replace(VENUE_PREFIX, '')) ?? actor.replace(/^address:/, 'somebody at ');
  const isVenue = VENUE_PREFIX.test(actor) && name !== actor;
  return link(`/console/audit?actor=${encodeURIComponent(actor)}`, isVenue ? html`the venue: ${name}` : name);
}

/** Console page of each subject, by the prefix of its id. */
const PAGES: readonly [pattern: RegExp, path: string][] = [
  [/^(?:sub|prm)_/, '/console/review/'],
  [/^plc_/, '/console/places/'],
  [/^agt_/, '/console/agents/'],
  [/^bkg_/, '/console/bookings/'],
  [/^ptn_/, '/console/partners/'],
  [/^lic_/, '/console/licences/'],
];

function subjectLink(subject: string | null, names: Names): Html | string {
  if (subject === null) return '';
  const path = PAGES.find(([pattern]) => pattern.test(subject))?.[1];
  if (path === undefined) return names.get(subject) ?? subject;
  return link(path + encodeURIComponent(subject), names.get(subject) ?? html`<code>${subject}</code>`);
}

/** Matches the detail keys of amounts, which the audit log stores in cents. */
const CENTS = /_?cents$/;

function detailText(detail: Record<string, unknown>, names: Names): Html {
  return html`${Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(
      ([key, value]) =>
        html`<span
          ><span class="soft"
            >${key.replace(CENTS, '').replace(/_id$/, '').replaceAll('_', ' ') || 'sum'}</span
          >
          <bdi
            >${CENTS.test(key) ? usd(Number(value)) : (names.get(String(value)) ?? String(value))}</bdi
          ></span
        > `,
    )}`;
}
