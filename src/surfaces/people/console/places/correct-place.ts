import { speak } from '../../../../directory/word/speak.ts';
import { lockSpoken, writeSpoken } from '../../../../directory/word/stored-words.ts';
import { refuse, type Action } from '../../person/action.ts';
import { REVIEWERS, staff, type Staff } from '../../person/people.ts';
import { CORRECTED, correctionFields } from './correction-form.ts';
import { sendPlacePage } from './place-page.ts';
import { placeOf } from './visited-place.ts';

/** A member of staff writes down what they have seen to be otherwise. The venue's own word stands over it. */
export const correctPlace: Action<Staff, typeof correctionFields> = {
  name: 'correct_place',
  path: '/console/places/:id/correction',
  who: staff(REVIEWERS),
  form: correctionFields,
  async run(act, { field, value, seen_at }) {
    const { id } = await placeOf(act.db, act);
    const { read, fault } = CORRECTED[field];
    const given = read.safeParse(value.trim());
    if (!given.success) refuse({ faults: { value: fault } });
    const [place] = await lockSpoken(act.db, [id]);
    if (place === undefined) refuse({ faults: { value: 'The place is gone.' } });
    const person = { by: 'reviewer', ref: 'staff', proof: `seen:${act.person.id}` } as const;
    const corrected = speak(place, {
      ...person,
      at: act.now.toISOString(),
      says: { [field]: given.data === '' ? null : given.data },
    });
    const changed = await writeSpoken(act.db, act.now, [corrected]);
    if (changed.length === 0) act.unchanged();
    else act.audit(id, { field, seen_at });
    return { to: `/console/places/${id}?done=${changed.length === 0 ? 'said_already' : 'corrected'}` };
  },
  page: sendPlacePage,
};
