import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { html, safeHref } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { REMOVAL_REASON_CODES, REMOVAL_REASONS, type RemovalReason } from '../../../../directory/removal.ts';
import { removeListing, restoreListing } from '../../../../submissions/takedown/remove-listing.ts';
import { form } from '../../frame/frame.ts';
import { refuse, type Action } from '../../person/action.ts';
import type { PageRequest } from '../../person/page-request.ts';
import { LEAD_ROLES, staff, type Staff } from '../../person/people.ts';
import { sendConsolePage } from '../console-page.ts';
import { sendPlacePage } from './place-page.ts';
import { placeFromUrl } from './visited-place.ts';

const removalFields = z.object({
  reason: z.enum(REMOVAL_REASON_CODES, 'choose a reason'),
  note: text(4, 1000),
  /** Set by the confirmation page. */
  sure: z.string(),
});

/** Removes a listing that was never a real place. Leads only. */
export const removePlaceAction: Action<Staff, typeof removalFields> = {
  name: 'remove_place',
  path: '/console/places/:id/removal',
  who: staff(LEAD_ROLES),
  form: removalFields,
  async run(act, { reason, note, sure }) {
    const place = await placeFromUrl(act.db, act);
    if (sure !== 'yes') {
      act.unchanged();
      return { show: (req: PageRequest<Staff>) => sendConfirmation(req, place, { reason, note }) };
    }
    const removal = { placeId: place.id, reason, note, staffId: act.person.id };
    if (!(await removeListing(act.db, act, removal)))
      refuse({ faults: { reason: 'The listing was already removed.' } });
    act.audit(place.id, { reason, note, name: place.name });
    return { to: `/console/places/${place.id}?done=removed` };
  },
  page: sendPlacePage,
};

/** Undoes a removal. Leads only. */
export const restorePlaceAction: Action<Staff> = {
  name: 'restore_place',
  path: '/console/places/:id/restoration',
  who: staff(LEAD_ROLES),
  async run(act) {
    const { id } = await placeFromUrl(act.db, act);
    const restored = await restoreListing(act.db, act, { placeId: id, staffId: act.person.id });
    if (restored) act.audit(id, {});
    else act.unchanged();
    return { to: `/console/places/${id}?done=restored` };
  },
  page: sendPlacePage,
};

function sendConfirmation(
  req: PageRequest<Staff>,
  place: Place,
  { reason, note }: { reason: RemovalReason; note: string },
): Promise<FastifyReply> {
  return sendConsolePage(req, {
    title: 'Remove a listing',
    current: '/console/places',
    lead: html`<bdi>${place.name}</bdi> <code>${place.id}</code>`,
    body: html`<section class="card flow">
      <p>
        Nothing will show this listing any more. Requests for its id say that it was removed, when, and why:
        ${REMOVAL_REASONS[reason].text}
      </p>
      <ul>
        <li>Its submissions are rejected, and their operators receive your note: <bdi>${note}</bdi></li>
        <li>Tables that are still to come are cancelled, and the partners are notified at once.</li>
        <li>You can restore the listing on its page. Cancelled tables stay cancelled.</li>
      </ul>
      <p class="soft">If the place existed and has closed, do not remove it: record its closure.</p>
      ${form(
        req,
        `/console/places/${place.id}/removal`,
        html`<input type="hidden" name="reason" value="${reason}" />
          <input type="hidden" name="note" value="${note}" />
          <input type="hidden" name="sure" value="yes" />
          <button class="button danger" type="submit">Remove the listing</button>
          <a class="button plain" href="${safeHref(`/console/places/${place.id}`)}">Leave it as it is</a>`,
        { className: 'row-forms' },
      )}
    </section>`,
  });
}
