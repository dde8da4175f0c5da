import { z } from 'zod';
import type { BookingRecord } from '../../../../bookings/booking-roster.ts';
import { isWaiting } from '../../../../bookings/waiting/waiting.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { tryAgain } from '../../../../webhooks/deliver-webhook.ts';
import { actionForm } from '../../form/action-form.ts';
import { hiddenInput } from '../../form/fields.ts';
import { card, link } from '../../frame/components.ts';
import { conflict, defineAction } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { deskStaff, type Staff } from '../../person/people.ts';
import { cancelForVenueAt, offerFreeTableForVenue, undoAnswer } from '../desk/booking-actions.ts';

const PATH = '/console/bookings/:id';

export const cancelForVenue = cancelForVenueAt(`${PATH}/cancel`);

/** Sends a webhook of the booking once more, for a partner whose program missed it. */
export const redeliver = defineAction({
  name: 'redeliver_webhook',
  path: `${PATH}/redeliver`,
  who: deskStaff,
  fields: { delivery: hiddenInput(z.string().max(40)), partner: hiddenInput(z.string().max(40)) },
  button: 'Send the last webhook again',
  done: 'The webhook is being sent again.',
  async run(act, { delivery: id, partner: partnerId }) {
    if (!(await tryAgain(act.db, { id, partnerId, now: act.now })))
      conflict('It cannot be sent again: it is being sent now, or its content was erased.');
    act.audit(act.params['id'] ?? null, { delivery: id });
  },
});

/** Shows what the person may do about the booking; false when there is nothing. */
export function actionSection(
  req: PageRequest<Staff>,
  {
    booking,
    deliveries,
    call,
    undoUntil,
  }: BookingRecord & { call: object | undefined; undoUntil: Date | undefined },
  state: PageState,
): Html | false {
  if (!deskStaff.allows(req.person)) return false;
  const { id, status, held, tableAt, revision, partnerId } = booking;
  const isPromised = (status === 'confirmed' || held !== null) && tableAt > req.now;
  const last = deliveries.findLast((one) => one.state !== 'pending');
  const parts = [
    call !== undefined &&
      html`<p>${link(`#${id}`, 'Call the venue')}: its number and the words are below.</p>`,
    undoUntil !== undefined && actionForm(req, undoAnswer, {}, { button: 'Undo the answer of the desk' }),
    isWaiting(booking) &&
      actionForm(req, offerFreeTableForVenue, state, { values: { revision: String(revision) } }),
    isPromised &&
      html`<details>
        <summary>The venue cannot keep the table</summary>
        ${actionForm(req, cancelForVenue, state, { values: { revision: String(revision) } })}
      </details>`,
    last !== undefined &&
      actionForm(req, redeliver, state, { values: { delivery: last.delivery_id, partner: partnerId } }),
  ].filter((part) => part !== false);
  return parts.length > 0 && card('What you can do', html`${parts}`);
}
