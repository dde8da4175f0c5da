import { listAudit, listAuditedOperations, type AuditLine } from '../../../core/audit.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { cutTyped } from '../../../core/text/visible-text.ts';
import { filterField, textField } from '../form/form-field.ts';
import { nextPage } from '../frame/next-page.ts';
import { table } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { definePage } from '../person/page.ts';
import { REVIEWER_ROLES, staff } from '../person/people.ts';
import { formatTime } from './moment.ts';

const PAGE_SIZE = 100;
const FILTER_MAX = 200;

export const auditPage = definePage({
  path: '/console/audit',
  who: staff(REVIEWER_ROLES),
  nav: { label: 'Audit', key: 'l' },
  async load({ deps: { pool }, query }) {
    const filterValue = (name: string) => cutTyped((query.get(name) ?? '').trim(), FILTER_MAX);
    const filter = {
      actor: filterValue('actor'),
      operation: filterValue('operation'),
      subject: filterValue('subject'),
    };
    const activeFilter = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
    const before = filterValue('before');
    const people = await pool<{ id: string; email: string }[]>`select id, email from staff`;
    const staffMember = people.find(({ email }) => email === filter.actor.toLowerCase());
    const [rows, operations] = await Promise.all([
      listAudit(pool, {
        ...activeFilter,
        ...(staffMember && { actor: staffMember.id }),
        before: /^\d{1,18}$/.test(before) ? before : undefined,
        limit: PAGE_SIZE + 1,
      }),
      listAuditedOperations(pool),
    ]);
    const lines = rows.slice(0, PAGE_SIZE);
    const names: Names = new Map<string, string | Html>([
      ...people.map(({ id, email }) => [id, email] as const),
      ...(await namesIn(pool, lines)),
    ]);
    const last = rows.length > PAGE_SIZE ? lines.at(-1)?.sequence : undefined;
    return { filter, operations, lines, names, next: last && { ...activeFilter, before: last } };
  },
  view: (_req, { filter, operations, lines, names, next }) => ({
    title: 'Audit log',
    lead: 'Everything that was changed, by whom, the newest first. Nothing here can be changed or removed.',
    body: html`${filterForm(filter, operations)} ${lines.length === 0 ? EMPTY : auditTable(lines, names)}
    ${nextPage('/console/audit', next, 'Older')}`,
  }),
});

const EMPTY = html`<div class="empty">
  <h2>Nothing</h2>
  <p>No entry matches these filters. Clear them to see all entries.</p>
</div>`;

function filterForm(
  { actor, operation, subject }: { actor: string; operation: string; subject: string },
  operations: readonly string[],
): Html {
  return html`<form class="filters" method="get" action="/console/audit">
    ${textField({ name: 'actor', label: 'Who (email or id)', value: actor, maxlength: FILTER_MAX })}
    ${filterField({ name: 'operation', label: 'What', value: operation }, operations, 'Everything')}
    ${textField({ name: 'subject', label: 'About (id)', value: subject, maxlength: FILTER_MAX })}
    <button class="button plain" type="submit">Filter</button>
  </form>`;
}

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

function auditTable(lines: readonly AuditLine[], names: Names): Html {
  return table(
    { className: 'dense stack rows', columns: ['What', 'When', 'Who', 'About', 'Detail'] },
    lines.map(
      (line) =>
        html`<tr>
          <th scope="row">${sentenceCase(line.operation)}</th>
          <td>${formatTime(line.at)}</td>
          <td data-label="by">
            <a href="${safeHref(`/console/audit?actor=${encodeURIComponent(line.actor)}`)}"
              >${actorWords(line.actor, names)}</a
            >
          </td>
          <td data-label="about">${subjectLink(line.subject, names)}</td>
          <td class="detail">${detailText(line.detail, names)}</td>
        </tr>`,
    ),
  );
}

/** Prefix of the actor when a venue acts for itself. */
const VENUE_PREFIX = /^venue:/;

function actorWords(actor: string, names: Names): string | Html {
  const name = names.get(actor.replace(VENUE_PREFIX, ''));
  if (name === undefined) return actor.replace(/^address:/, 'somebody at ');
  return VENUE_PREFIX.test(actor) ? html`the venue: ${name}` : name;
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
  return html`<a href="${safeHref(path + encodeURIComponent(subject))}"
    >${names.get(subject) ?? html`<code>${subject}</code>`}</a
  >`;
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
