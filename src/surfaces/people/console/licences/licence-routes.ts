import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { recordAudit } from '../../../../core/audit.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { text } from '../../../../core/text/text.ts';
import { findLicence, type Licence } from '../../../../licensing/licence.ts';
import { refundLicence } from '../../../../licensing/refund-licence.ts';
import { readFields } from '../../form/read-fields.ts';
import { consoleRoute, EVERYONE, LEADS, type PageRequest } from '../console-route.ts';
import { sendLicencePage, sendLicencesPage } from './licences-page.ts';

const refundForm = z.object({ reason: text(4, 1000) });

/** Photo licences in the console: everybody may look, a lead pays back. */
export function addLicences(scope: FastifyInstance, deps: Deps): void {
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/licences',
    roles: EVERYONE,
    handle: sendLicencesPage,
  });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/licences/:id',
    roles: EVERYONE,
    handle: async (visit) =>
      sendLicencePage(visit, await licenceOf(visit), {
        ...(visit.query.get('done') === 'refund' && {
          notice: { kind: 'good', text: 'The licence is refunded: the wallet has its money back.' },
        }),
      }),
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/licences/:id/refund',
    roles: LEADS,
    handle: refund,
  });
}

async function refund(visit: PageRequest): Promise<FastifyReply> {
  const { deps, form, staff, request, reply, now } = visit;
  const licence = await licenceOf(visit);
  const read = readFields(form, refundForm);
  if (!read.ok)
    return sendLicencePage({ ...visit, reply: reply.code(422) }, licence, {
      reasonFault: read.faults['reason'] ?? '',
    });
  const { reason } = read.values;
  try {
    await deps.pool.begin(async (sql) => {
      const refunded = await refundLicence(sql, { newId: deps.newId, now }, licence.id);
      await recordAudit(sql, {
        at: now,
        actor: staff.id,
        operation: 'refund_licence',
        requestId: request.id,
        subject: licence.id,
        detail: { agent: refunded.agentId, cents: refunded.cents, test: refunded.test, reason },
      });
    });
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'license_refunded') throw thrown;
    const notice = { kind: 'bad', text: thrown.message } as const;
    return sendLicencePage({ ...visit, reply: reply.code(409) }, await licenceOf(visit), { notice });
  }
  return reply.redirect(`/console/licences/${licence.id}?done=refund`, 303);
}

async function licenceOf({ deps, request }: PageRequest): Promise<Licence> {
  const { id } = request.params as { id: string };
  const licence = /^lic_[0-9a-z]{26}$/.test(id) ? await findLicence(deps.pool, { id }) : undefined;
  if (licence === undefined) throw new AppError('license_not_found', 'There is no licence of this id.');
  return licence;
}
