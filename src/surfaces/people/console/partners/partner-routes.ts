import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { findPartner, type ListedPartner } from '../../../../accounts/partners/partner-roster.ts';
import {
  movePartner,
  setBookings,
  setPayPerCall,
  setPlan,
  type PartnerMove,
} from '../../../../accounts/partners/partner-settings.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import { text } from '../../../../core/text/text.ts';
import { readPayPerCall } from '../../pay-per-call-form.ts';
import { readFields } from '../../form/read-fields.ts';
import { consoleRoute, DESK, EVERYONE, LEADS, REVIEWERS, type PageRequest } from '../console-route.ts';
import { bookingsObstacle } from './partner-forms.ts';
import { sendPartnerPage } from './partner-page.ts';
import { PLAN_NAMES, sendPartnersPage } from './partners-page.ts';

const reason = text(4, 1000);
const bookingsFields = z.object({ bookings_enabled: z.enum(['on', 'off'], 'must be on or off'), reason });
const planFields = z.object({ plan: z.enum(PLAN_NAMES, 'must be one of the plans'), reason });
const moveFields = z.object({ reason });

const DONE: Readonly<Record<string, string>> = {
  bookings: 'It is done, and the partner is told.',
  'pay-per-call': 'Pay-per-call is saved, and the partner is told.',
  plan: 'The plan is changed, and the partner is told.',
  suspend: 'The partner is suspended, and is told.',
  unsuspend: 'The suspension is lifted, and the partner is told.',
  revoke: 'The account is closed, and the partner is told.',
  same: 'It was so already. Nothing was changed.',
};

export function addPartners(scope: FastifyInstance, deps: Deps): void {
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/partners',
    roles: EVERYONE,
    handle: sendPartnersPage,
  });
  consoleRoute(scope, deps, {
    method: 'GET',
    path: '/console/partners/:id',
    roles: EVERYONE,
    handle: async (visit) => {
      const done = DONE[visit.query.get('done') ?? ''];
      return sendPartnerPage(
        visit,
        await partnerOf(visit),
        done === undefined ? {} : { notice: { kind: 'good', text: done } },
      );
    },
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/partners/:id',
    roles: DESK,
    handle: switchBookings,
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/partners/:id/pay-per-call',
    roles: DESK,
    handle: switchPayPerCall,
  });
  consoleRoute(scope, deps, {
    method: 'POST',
    path: '/console/partners/:id/plan',
    roles: LEADS,
    handle: changePlan,
  });
  for (const [move, roles] of [
    ['suspend', REVIEWERS],
    ['unsuspend', REVIEWERS],
    ['revoke', LEADS],
  ] as const)
    consoleRoute(scope, deps, {
      method: 'POST',
      path: `/console/partners/:id/${move}`,
      roles,
      handle: (visit) => take(visit, move),
    });
}

async function switchBookings(visit: PageRequest): Promise<FastifyReply> {
  const partner = await partnerOf(visit);
  const read = readFields(visit.form, bookingsFields);
  if (!read.ok) return refused(visit, partner, '', read.faults);
  const enabled = read.values.bookings_enabled === 'on';
  const obstacle = enabled ? bookingsObstacle(visit, partner) : undefined;
  if (obstacle !== undefined) return refused(visit, partner, '', { bookings_enabled: obstacle });
  const to = { enabled, reason: read.values.reason, staffId: visit.staff.id };
  return told(visit, partner, 'bookings', await setBookings(visit.deps, partner.id, to, byOf(visit)));
}

async function switchPayPerCall(visit: PageRequest): Promise<FastifyReply> {
  const partner = await partnerOf(visit);
  const read = readPayPerCall(visit.form);
  if (!read.ok) return refused(visit, partner, 'pay-per-call', read.faults);
  const changed = await setPayPerCall(visit.deps, partner.id, read.to, byOf(visit));
  return told(visit, partner, 'pay-per-call', changed);
}

async function changePlan(visit: PageRequest): Promise<FastifyReply> {
  const partner = await partnerOf(visit);
  const read = readFields(visit.form, planFields);
  if (!read.ok) return refused(visit, partner, 'plan', read.faults);
  return told(visit, partner, 'plan', await setPlan(visit.deps, partner.id, read.values, byOf(visit)));
}

async function take(visit: PageRequest, move: PartnerMove): Promise<FastifyReply> {
  const partner = await partnerOf(visit);
  const read = readFields(visit.form, moveFields);
  if (!read.ok) return refused(visit, partner, move, read.faults);
  const moved = await movePartner(visit.deps, partner.id, { move, reason: read.values.reason }, byOf(visit));
  if (moved) return told(visit, partner, move, true);
  const notice = {
    kind: 'bad',
    text: 'Somebody else changed this partner meanwhile. Nothing was changed.',
  } as const;
  return sendPartnerPage({ ...visit, reply: visit.reply.code(409) }, await partnerOf(visit), { notice });
}

/** Shows the page again with what is wrong. A fault of a field that is not on the page is told above it. */
function refused(
  visit: PageRequest,
  partner: ListedPartner,
  form: string,
  fields: Record<string, string>,
): Promise<FastifyReply> {
  return sendPartnerPage({ ...visit, reply: visit.reply.code(422) }, partner, {
    faults: { form, fields },
    notice: { kind: 'bad', text: `Nothing was changed. ${Object.values(fields).join(' ')}` },
  });
}

function told(visit: PageRequest, partner: ListedPartner, what: string, changed: boolean): FastifyReply {
  return visit.reply.redirect(`/console/partners/${partner.id}?done=${changed ? what : 'same'}`, 303);
}

function byOf({ staff, request }: PageRequest) {
  return { actor: staff.id, requestId: request.id };
}

async function partnerOf({ deps, request }: PageRequest): Promise<ListedPartner> {
  const { id } = request.params as { id: string };
  const partner = await findPartner(deps.pool, id);
  if (partner === undefined) throw new AppError('not_found', 'There is no partner of this id.');
  return partner;
}
