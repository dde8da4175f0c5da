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
import type { StaffRole } from '../../../../accounts/staff/staff.ts';
import type { AuditDetail } from '../../../../core/audit.ts';
import type { Deps } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Db } from '../../../../core/postgres/db.ts';
import { text } from '../../../../core/text/text.ts';
import { readPayPerCall } from '../../pay-per-call-form.ts';
import { conflict, refuse, type Action, type ActionContext, type ActionResult } from '../../person/action.ts';
import { doneNotice, type PageRequest, type PageState } from '../../person/page-request.ts';
import { DESK_ROLES, ALL_ROLES, LEAD_ROLES, REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { addActions, addPage } from '../../person/person-route.ts';
import { bookingsObstacle } from './partner-forms.ts';
import { sendPartnerPage } from './partner-page.ts';
import { PLAN_NAMES, sendPartnersPage } from './partners-page.ts';

const PATH = '/console/partners/:id';
const reason = text(4, 1000);
const bookingsFields = z.object({ bookings_enabled: z.enum(['on', 'off'], 'must be on or off'), reason });
const planFields = z.object({ plan: z.enum(PLAN_NAMES, 'must be one of the plans'), reason });
const moveFields = z.object({ reason });

const DONE: Readonly<Record<string, string>> = {
  bookings: 'Saved. The partner is notified.',
  'pay-per-call': 'Pay-per-call is saved, and the partner is notified.',
  plan: 'The plan is changed, and the partner is notified.',
  suspend: 'The partner is suspended and notified.',
  unsuspend: 'The suspension is lifted, and the partner is notified.',
  revoke: 'The account is closed, and the partner is notified.',
  same: 'Nothing was changed: it is already set this way.',
};

export function addPartners(scope: FastifyInstance, deps: Deps): void {
  const who = staff(ALL_ROLES);
  addPage(scope, deps, { path: '/console/partners', who, show: sendPartnersPage });
  addPage(scope, deps, { path: PATH, who, show: showPartner });
  addActions(
    scope,
    deps,
    switchBookings,
    switchPayPerCall,
    changePlan,
    statusAction('suspend', REVIEWER_ROLES),
    statusAction('unsuspend', REVIEWER_ROLES),
    statusAction('revoke', LEAD_ROLES),
  );
}

const switchBookings: Action<Staff, typeof bookingsFields> = {
  name: 'partner_bookings',
  path: PATH,
  who: staff(DESK_ROLES),
  form: bookingsFields,
  async run(act, values) {
    const partner = await partnerOf(act.db, act.params);
    const enabled = values.bookings_enabled === 'on';
    const obstacle = enabled ? bookingsObstacle(act.deps.config, partner) : undefined;
    if (obstacle !== undefined) refuse({ faults: { bookings_enabled: obstacle } });
    const to = { enabled, reason: values.reason, staffId: act.person.id };
    const changed = await setBookings(act.db, act, partner.id, to);
    return finish(act, partner, { changed, done: 'bookings', detail: { enabled, reason: values.reason } });
  },
  page: showPartner,
};

const switchPayPerCall: Action<Staff> = {
  name: 'partner_pay_per_call',
  path: `${PATH}/pay-per-call`,
  who: staff(DESK_ROLES),
  async run(act) {
    const partner = await partnerOf(act.db, act.params);
    const read = readPayPerCall(act.form);
    if (!read.ok) refuse({ faults: read.faults });
    const { enabled, spendLimitCents } = read.to;
    const changed = await setPayPerCall(act.db, act, partner.id, read.to);
    const detail = { enabled, spend_limit_cents: spendLimitCents };
    return finish(act, partner, { changed, done: 'pay-per-call', detail });
  },
  page: showPartner,
};

const changePlan: Action<Staff, typeof planFields> = {
  name: 'partner_plan',
  path: `${PATH}/plan`,
  who: staff(LEAD_ROLES),
  form: planFields,
  async run(act, values) {
    const partner = await partnerOf(act.db, act.params);
    const changed = await setPlan(act.db, act, partner.id, values);
    return finish(act, partner, { changed, done: 'plan', detail: values });
  },
  page: showPartner,
};

function statusAction(move: PartnerMove, roles: readonly StaffRole[]): Action<Staff, typeof moveFields> {
  return {
    name: `partner_${move}`,
    path: `${PATH}/${move}`,
    who: staff(roles),
    form: moveFields,
    async run(act, values) {
      const partner = await partnerOf(act.db, act.params);
      const changed = await movePartner(act.db, act, partner.id, { move, ...values });
      if (!changed) conflict('Somebody else changed this partner in the meantime. Your change was not made.');
      return finish(act, partner, { changed, done: move, detail: values });
    },
    page: showPartner,
  };
}

/** Invalidates the key caches after a change, because a partner's settings determine what its key may do. */
function finish(
  act: ActionContext<Staff>,
  { id }: ListedPartner,
  { changed, done, detail }: { changed: boolean; done: string; detail: AuditDetail },
): ActionResult {
  if (changed) {
    act.audit(id, detail);
    act.invalidateKeyCaches();
  } else act.unchanged();
  return { to: `/console/partners/${id}?done=${changed ? done : 'same'}` };
}

async function showPartner(request: PageRequest<Staff>, state?: PageState): Promise<FastifyReply> {
  const partner = await partnerOf(request.deps.pool, request.params);
  return sendPartnerPage(request, partner, state ?? { notice: doneNotice(request.query, DONE) });
}

async function partnerOf(db: Db, { id = '' }: PageRequest['params']): Promise<ListedPartner> {
  const partner = await findPartner(db, id);
  if (partner === undefined) throw new AppError('not_found', 'There is no partner with this id.');
  return partner;
}
