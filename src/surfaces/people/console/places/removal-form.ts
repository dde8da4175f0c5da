import { html, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { findRemoval, REMOVAL_REASON_CODES, REMOVAL_REASONS } from '../../../../directory/removal.ts';
import { areaField, choiceField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { LEAD_ROLES, type Staff } from '../../person/people.ts';
import { formatTime } from '../moment.ts';

export function removalForm(
  req: PageRequest<Staff>,
  { id }: Place,
  { action, form: submitted, faults }: PageState,
): Html {
  const wasSubmitted = action === 'remove_place';
  return form(
    req,
    `/console/places/${id}/removal`,
    html`<h2>Remove the listing</h2>
      <p class="soft">
        Only for listings that were never a real place. You see the consequences before anything changes.
      </p>
      ${choiceField({
        name: 'reason',
        id: 'removal-reason',
        label: 'Why it is not a place',
        value: wasSubmitted ? (submitted?.get('reason') ?? '') : '',
        fault: wasSubmitted ? faults?.['reason'] : undefined,
        choices: [
          ['', 'Choose a reason'],
          ...REMOVAL_REASON_CODES.map((code) => [code, REMOVAL_REASONS[code].label] as const),
        ],
      })}
      ${areaField({
        name: 'note',
        id: 'removal-note',
        label: 'What you found',
        hint: 'The operators of its submissions read this.',
        value: wasSubmitted ? (submitted?.get('note') ?? '') : '',
        fault: wasSubmitted ? faults?.['note'] : undefined,
        maxlength: 1000,
        rows: 2,
        required: true,
      })}
      <button class="button danger" type="submit">Go on</button>`,
    { className: 'card flow' },
  );
}

/** Shows who removed the listing and why, with a restore button for leads. */
export async function removalSection(req: PageRequest<Staff>, place: Place): Promise<Html | false> {
  if (place.removed_at === null) return false;
  const removal = await findRemoval(req.deps.pool, place.id);
  if (removal === undefined) return false;
  return html`<section class="card flow">
    <h2>Removed</h2>
    <p>
      ${REMOVAL_REASONS[removal.reason].label}, by <bdi>${removal.by}</bdi>,
      ${formatTime(removal.removed_at)}.
    </p>
    <p><bdi>${removal.note}</bdi></p>
    <p class="soft">Nothing shows this listing. Requests for its id say that it was removed.</p>
    ${
      LEAD_ROLES.includes(req.person.role) &&
      form(
        req,
        `/console/places/${place.id}/restoration`,
        html`<button class="button" type="submit">Restore the listing</button>`,
        { className: '' },
      )
    }
  </section>`;
}
