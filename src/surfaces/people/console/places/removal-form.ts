import { html, type Html } from '../../../../core/text/html.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { findRemoval, REMOVAL_REASON_CODES, REMOVAL_REASONS } from '../../../../directory/removal/removal.ts';
import { areaField, choiceField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { LEADS, type Staff } from '../../person/people.ts';
import { momentOf } from '../moment.ts';

export function removalForm(
  req: PageRequest<Staff>,
  { id }: Place,
  { action, form: sent, faults }: PageState,
): Html {
  const mine = action === 'remove_place';
  return form(
    req,
    `/console/places/${id}/removal`,
    html`<h2>Remove the listing</h2>
      <p class="soft">Only for what never was a place. You see what follows before anything happens.</p>
      ${choiceField({
        name: 'reason',
        id: 'removal-reason',
        label: 'Why it is no place',
        value: mine ? (sent?.get('reason') ?? '') : '',
        fault: mine ? faults?.['reason'] : undefined,
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
        value: mine ? (sent?.get('note') ?? '') : '',
        fault: mine ? faults?.['note'] : undefined,
        maxlength: 1000,
        rows: 2,
        required: true,
      })}
      <button class="button danger" type="submit">Go on</button>`,
    { className: 'card flow' },
  );
}

/** Who removed the listing and why, with the way back for a lead. */
export async function removalSection(req: PageRequest<Staff>, place: Place): Promise<Html | false> {
  if (place.removed_at === null) return false;
  const removal = await findRemoval(req.deps.pool, place.id);
  if (removal === undefined) return false;
  return html`<section class="card flow">
    <h2>Removed</h2>
    <p>
      ${REMOVAL_REASONS[removal.reason].label}, by <bdi>${removal.by}</bdi>, ${momentOf(removal.removed_at)}.
    </p>
    <p><bdi>${removal.note}</bdi></p>
    <p class="soft">Nothing shows this listing. Its id answers that it was removed.</p>
    ${
      LEADS.includes(req.person.role) &&
      form(
        req,
        `/console/places/${place.id}/restoration`,
        html`<button class="button" type="submit">Restore the listing</button>`,
        { className: '' },
      )
    }
  </section>`;
}
