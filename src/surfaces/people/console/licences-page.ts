import { AppError } from '../../../core/errors.ts';
import type { Db } from '../../../core/postgres/db.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { html, type Html } from '../../../core/text/html.ts';
import { usd } from '../../../core/text/money.ts';
import { findLicence, type Licence } from '../../../licensing/licence.ts';
import { listLicences, type ListedLicence } from '../../../licensing/list-licences.ts';
import { refundLicence } from '../../../licensing/refund-licence.ts';
import { actionForm } from '../form/action-form.ts';
import { reasonInput } from '../form/fields.ts';
import { badge, emptyState, link, noteCard, rowLink, userText } from '../frame/components.ts';
import { nextPage } from '../frame/next-page.ts';
import { recordTable } from '../frame/table.ts';
import { sentenceCase } from '../frame/wording.ts';
import { conflict, defineAction } from '../person/action.ts';
import { definePage } from '../person/page.ts';
import type { PageRequest, PageState } from '../person/page-request.ts';
import { allStaff, leads, type Staff } from '../person/people.ts';
import { LIST_PAGE_SIZE } from './list-page.ts';
import { formatTime } from './moment.ts';
import { recordCard, recordColumns } from './record-parts.ts';

export const licencesPage = definePage({
  path: '/console/licences',
  who: allStaff,
  nav: { label: 'Licences', key: 'i' },
  async load({ deps, query }) {
    const requestedId = query.get('agent') ?? '';
    const agentId = /^agt_[0-9a-z]{26}$/.test(requestedId) ? requestedId : undefined;
    const page = Math.min(200, Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1));
    const filter = { agentId, limit: LIST_PAGE_SIZE, offset: (page - 1) * LIST_PAGE_SIZE };
    return { ...(await listLicences(deps.pool, filter)), agentId, page };
  },
  view(_req, { licences, total, agentId, page }) {
    const more = page * LIST_PAGE_SIZE < total;
    return {
      title: 'Licences',
      lead: html`${formatCount(total, 'photo licence')}${agentId !== undefined && html` of <code>${agentId}</code>`},
      the newest first.`,
      body:
        licences.length === 0
          ? emptyState(
              'No licences here',
              'Each photo licence that an agent buys appears here and can be refunded.',
            )
          : html`${licenceTable(licences)}
            ${nextPage('/console/licences', more && { agent: agentId, page: String(page + 1) }, 'Older licences')}`,
    };
  },
});

function licenceTable(licences: readonly ListedLicence[]): Html {
  return recordTable('dense stack rows', licences, [
    ['Licence', ({ id }) => rowLink(`/console/licences/${id}`, html`<code>${id}</code>`)],
    [
      'Agent',
      (licence) => link(`/console/agents/${licence.agent_id}`, userText(licence.agent_name)),
      'agent',
    ],
    ['Use', ({ use }) => sentenceCase(use), 'use'],
    [{ number: 'Price' }, ({ price_cents }) => usd(price_cents), 'price'],
    ['When', ({ licensed_at }) => formatTime(licensed_at)],
    ['State', stateOf],
  ]);
}

/** Refunds a licence. Leads only. */
const refund = defineAction({
  name: 'refund_licence',
  path: '/console/licences/:id/refund',
  who: leads,
  title: 'Refund',
  fields: { reason: reasonInput('For the audit log.') },
  danger: true,
  done: 'The licence is refunded: the price was returned to the wallet.',
  async run(act, { reason }) {
    const { id } = await licenceOf(act.db, act);
    const { agentId, cents, test } = await refundLicence(act.db, act, id).catch(refuseRefunded);
    act.audit(id, { agent: agentId, cents, test, reason });
  },
});

function refuseRefunded(thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.code !== 'license_refunded') throw thrown;
  conflict(thrown.message);
}

/** One licence, with the refund form for leads. */
export const licenceRecordPage = definePage({
  path: '/console/licences/:id',
  who: allStaff,
  load: (req) => licenceOf(req.deps.pool, req),
  view: (req, licence, state) => ({
    title: 'Licence',
    lead: html`${stateOf(licence)} <code>${licence.id}</code>`,
    body: recordColumns(
      recordCard(
        [
          ['Licensee', link(`/console/agents/${licence.agent_id}`, userText(licence.operator_name))],
          ['Photo', link(`/console/photos/${licence.photo_id}`, html`<code>${licence.photo_id}</code>`)],
          ['Use', sentenceCase(licence.use)],
          ['Price', `${usd(licence.price_cents)}${licence.test ? ' of test credit' : ''}`],
          ['Licensed', formatTime(licence.licensed_at)],
          ['Ledger', html`<code>${licence.transaction_id}</code>`],
          ['Refunded', licence.refunded_at && formatTime(licence.refunded_at)],
        ],
        html`<p>
          ${link(`/licenses/${licence.id}`, 'Public certificate')},
          ${link(`/console/audit?subject=${licence.id}`, 'audit log')}
        </p>`,
      ),
      refundForm(req, licence, state),
    ),
  }),
  actions: [refund],
});

function refundForm(req: PageRequest<Staff>, licence: Licence, state: PageState): Html {
  if (licence.refunded_at !== null) return noteCard('The price was returned to the wallet.');
  const help = `${usd(licence.price_cents)} go back into the agent's wallet, and the licence ends. The photographer and the platform give back their shares.`;
  return actionForm(req, refund, state, { help }) || noteCard('A lead can refund it.');
}

async function licenceOf(db: Db, { params: { id = '' } }: Pick<PageRequest, 'params'>): Promise<Licence> {
  const licence = /^lic_[0-9a-z]{26}$/.test(id) ? await findLicence(db, { id }) : undefined;
  if (licence === undefined)
    throw new AppError('license_not_found', 'There is no licence with this id.', {
      hint: 'Look for it at /console/licences.',
    });
  return licence;
}

function stateOf({ test, refunded_at }: { test: boolean; refunded_at: Date | null }): Html {
  if (refunded_at !== null) return badge('bad', 'Refunded');
  return test ? badge('warn', 'Test') : badge('good', 'Paid');
}
