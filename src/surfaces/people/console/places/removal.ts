import { z } from 'zod';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { text } from '../../../../core/text/text.ts';
import type { Place } from '../../../../directory/place/place.ts';
import {
  REMOVAL_REASON_CODES,
  REMOVAL_REASONS,
  type findRemoval,
  type RemovalReason,
} from '../../../../directory/removal.ts';
import { removeListing, restoreListing } from '../../../../submissions/takedown/remove-listing.ts';
import { actionForm } from '../../form/action-form.ts';
import { areaInput, choiceInput, hiddenInput } from '../../form/fields.ts';
import { card } from '../../frame/components.ts';
import { form } from '../../frame/frame.ts';
import { defineAction, refuse } from '../../person/action.ts';
import type { PageRequest, PageState, View } from '../../person/page-request.ts';
import { leads, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';
import { placeFromUrl } from './place-record.ts';

/** Removes a listing that was never a real place. Leads only. */
export const removePlaceAction = defineAction({
  name: 'remove_place',
  path: '/console/places/:id/removal',
  who: leads,
  title: 'Remove the listing',
  help: 'Only for listings that were never a real place. You see the consequences before anything changes.',
  fields: {
    reason: choiceInput(
      REMOVAL_REASON_CODES.map((code) => [code, REMOVAL_REASONS[code].label] as const),
      { label: 'Why it is not a place', placeholder: 'Choose a reason' },
      'choose a reason',
    ),
    note: areaInput(text(4, 1000), {
      label: 'What you found',
      hint: 'The operators of its submissions read this.',
      maxlength: 1000,
      rows: 2,
      required: true,
    }),
    /** Set by the confirmation page. */
    sure: hiddenInput(z.string()),
  },
  button: 'Go on',
  danger: true,
  done: { removed: 'The listing is removed. Its operators and partners are notified.' },
  async run(act, { reason, note, sure }) {
    const place = await placeFromUrl(act.db, act);
    if (sure !== 'yes') {
      act.unchanged();
      return { view: (req) => confirmation(req, place, { reason, note }) };
    }
    const removal = { placeId: place.id, reason, note, staffId: act.person.id };
    if (!(await removeListing(act.db, act, removal)))
      refuse({ faults: { reason: 'The listing was already removed.' } });
    act.audit(place.id, { reason, note, name: place.name });
    return { done: 'removed' };
  },
});

/** Undoes a removal. Leads only. */
export const restorePlaceAction = defineAction({
  name: 'restore_place',
  path: '/console/places/:id/restoration',
  who: leads,
  button: 'Restore the listing',
  plain: false,
  done: 'The listing is back as it was.',
  async run(act) {
    const { id } = await placeFromUrl(act.db, act);
    const restored = await restoreListing(act.db, act, { placeId: id, staffId: act.person.id });
    if (restored) act.audit(id, {});
    else act.unchanged();
  },
});

function confirmation(
  req: PageRequest,
  place: Place,
  { reason, note }: { reason: RemovalReason; note: string },
): View {
  return {
    title: 'Remove a listing',
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
  };
}

/** Shows who removed the listing and why, with a restore button for leads. */
export function removalSection(
  req: PageRequest<Staff>,
  removal: NonNullable<Awaited<ReturnType<typeof findRemoval>>>,
  state: PageState,
): Html {
  return card(
    'Removed',
    html`<p>
        ${REMOVAL_REASONS[removal.reason].label}, by <bdi>${removal.by}</bdi>,
        ${formatTime(removal.removed_at)}.
      </p>
      <p><bdi>${removal.note}</bdi></p>
      <p class="soft">Nothing shows this listing. Requests for its id say that it was removed.</p>
      ${actionForm(req, restorePlaceAction, state)}`,
  );
}
