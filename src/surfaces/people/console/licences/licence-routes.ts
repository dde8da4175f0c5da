import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { text } from '../../../../core/text/text.ts';
import { findLicence, type Licence } from '../../../../licensing/licence.ts';
import { refundLicence } from '../../../../licensing/refund-licence.ts';
import { conflict, type Action } from '../../person/action.ts';
import { doneNotice, type PageRequest, type PageState } from '../../person/page-request.ts';
import { ALL_ROLES, LEAD_ROLES, staff, type Staff } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';
import { sendLicencePage, sendLicencesPage } from './licences-page.ts';

const PATH = '/console/licences/:id';
const fields = z.object({ reason: text(4, 1000) });
const DONE = { refund: 'The licence is refunded: the price was returned to the wallet.' };

/** Adds the pages for photo licences. All staff may read them; only a lead may refund. */
export function addLicences(scope: FastifyInstance, deps: Deps): void {
  const who = staff(ALL_ROLES);
  addPage(scope, deps, { path: '/console/licences', who, show: sendLicencesPage });
  addPage(scope, deps, { path: PATH, who, show: showLicence });
  addAction(scope, deps, refund);
}

const refund: Action<Staff, typeof fields> = {
  name: 'refund_licence',
  path: `${PATH}/refund`,
  who: staff(LEAD_ROLES),
  form: fields,
  async run(act, { reason }) {
    const { id } = await licenceOf(act.db, act);
    const { agentId, cents, test } = await refundLicence(act.db, act, id).catch(refuseRefunded);
    act.audit(id, { agent: agentId, cents, test, reason });
    return { to: `/console/licences/${id}?done=refund` };
  },
  page: showLicence,
};

function refuseRefunded(thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.code !== 'license_refunded') throw thrown;
  conflict(thrown.message);
}

async function showLicence(req: PageRequest<Staff>, state?: PageState): Promise<FastifyReply> {
  const licence = await licenceOf(req.deps.pool, req);
  return sendLicencePage(req, licence, state ?? { notice: doneNotice(req.query, DONE) });
}

async function licenceOf(db: Db, { params: { id = '' } }: Pick<PageRequest, 'params'>): Promise<Licence> {
  const licence = /^lic_[0-9a-z]{26}$/.test(id) ? await findLicence(db, { id }) : undefined;
  if (licence === undefined) throw new AppError('license_not_found', 'There is no licence with this id.');
  return licence;
}
