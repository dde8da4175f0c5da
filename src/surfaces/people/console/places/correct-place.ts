import { applyFieldClaims } from '../../../../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../../../directory/provenance/stored-claims.ts';
import { refuse, type Action } from '../../person/action.ts';
import { REVIEWER_ROLES, staff, type Staff } from '../../person/people.ts';
import { CORRECTABLE_FIELDS, correctionFields } from './correction-form.ts';
import { sendPlacePage } from './place-page.ts';
import { placeFromUrl } from './visited-place.ts';

/** Records a correction by staff with its evidence. The venue's own claims take precedence over it. */
export const correctPlace: Action<Staff, typeof correctionFields> = {
  name: 'correct_place',
  path: '/console/places/:id/correction',
  who: staff(REVIEWER_ROLES),
  form: correctionFields,
  async run(act, { field, value, seen_at }) {
    const { id } = await placeFromUrl(act.db, act);
    const { read, fault } = CORRECTABLE_FIELDS[field];
    const parsed = read.safeParse(value.trim());
    if (!parsed.success) refuse({ faults: { value: fault } });
    const [place] = await lockPlaceClaims(act.db, [id]);
    if (place === undefined) refuse({ faults: { value: 'The place is gone.' } });
    const source = { by: 'reviewer', ref: 'staff', proof: `seen:${act.person.id}` } as const;
    const updated = applyFieldClaims(place, {
      ...source,
      at: act.now.toISOString(),
      values: { [field]: parsed.data === '' ? null : parsed.data },
    });
    const changed = await writePlaceClaims(act.db, act.now, [updated]);
    if (changed.length === 0) act.unchanged();
    else act.audit(id, { field, seen_at });
    return { to: `/console/places/${id}?done=${changed.length === 0 ? 'said_already' : 'corrected'}` };
  },
  page: sendPlacePage,
};
