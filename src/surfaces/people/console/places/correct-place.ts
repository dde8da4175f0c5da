import { z } from 'zod';
import { E164, plainPhone } from '../../../../core/text/e164.ts';
import type { Point } from '../../../../core/geo.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { ADDRESS_MAX, NAME_MAX } from '../../../../core/text/limits.ts';
import { emailAddress, line, text, webAddress } from '../../../../core/text/text.ts';
import { compileSubmittedHours, HOURS_FORM } from '../../../../directory/hours/submitted-hours.ts';
import type { StoredHours } from '../../../../directory/hours/stored-hours.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { applyFieldClaims, type ClaimSet } from '../../../../directory/provenance/apply-field-claims.ts';
import { POSITION_FIELDS } from '../../../../directory/provenance/field.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../../../directory/provenance/stored-claims.ts';
import type { StreetMap } from '../../../../streets/street-tiles.ts';
import { isWithinDestination } from '../../../../venue/move-pin.ts';
import { actionForm, formFields } from '../../form/action-form.ts';
import { areaInput, choiceInput, textInput } from '../../form/fields.ts';
import { positionInputs, positionValues } from '../../form/position-inputs.ts';
import { card, link } from '../../frame/components.ts';
import { form } from '../../frame/frame.ts';
import { defineAction, refuse, type ActionContext } from '../../person/action.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { fillPath } from '../../person/page.ts';
import { reviewers, type Staff } from '../../person/people.ts';
import { pinEditor, pointMap, showsStreets } from '../../traveller/map/street-figure.ts';
import { destinationOfPlace, placeFromUrl } from './place-record.ts';

const PATH = '/console/places/:id';

/** Fields that staff may correct, with their parsers. An empty value removes the staff correction. */
const CORRECTABLE_FIELDS = {
  name: { label: 'Name', read: line(0, NAME_MAX), fault: 'Write a name of at most 200 characters.' },
  address: {
    label: 'Address',
    read: line(0, ADDRESS_MAX),
    fault: 'Write an address of at most 300 characters.',
  },
  phone: {
    label: 'Phone',
    read: z
      .string()
      .overwrite(plainPhone)
      .refine((value) => value === '' || E164.test(value)),
    fault: 'Write it with its country code, such as +62361123456.',
  },
  email: {
    label: 'Email',
    read: z.union([z.literal(''), emailAddress()]),
    fault: 'It must be an email address.',
  },
  website: { label: 'Website', read: webAddress(), fault: 'It must begin with https:// or http://.' },
  hours: { label: 'Hours', read: line(0, 1000), fault: HOURS_FORM },
  about: { label: 'About', read: text(0, 2000), fault: 'Write plain text of at most 2,000 characters.' },
} as const;
type CorrectableField = keyof typeof CORRECTABLE_FIELDS;

const FIELD_CHOICES = (Object.keys(CORRECTABLE_FIELDS) as CorrectableField[]).map(
  (field) => [field, CORRECTABLE_FIELDS[field].label] as const,
);

const seenAt = textInput(text(4, 500), {
  label: 'Where you saw it',
  hint: 'A web address, or the person who informed you.',
  maxlength: 500,
  required: true,
});

/** Records a correction by staff with its evidence. The venue's own claims take precedence over it. */
export const correctPlace = defineAction({
  name: 'correct_place',
  path: `${PATH}/correction`,
  who: reviewers,
  title: 'Correct the record',
  help: 'A correction takes precedence over maps and agents, but not over the venue itself. A contact that you enter here is shown, but never used to contact the venue.',
  fields: {
    field: choiceInput(FIELD_CHOICES, { label: 'What is wrong' }),
    value: areaInput(z.string(), {
      label: 'What it should say',
      hint: 'Leave empty to remove our correction.',
      rows: 2,
      maxlength: 2000,
    }),
    seen_at: seenAt,
  },
  button: 'Correct it',
  plain: true,
  done: {
    corrected:
      'The correction is recorded with your name. It is shown unless the venue states something else.',
    said_already: 'Nothing was changed: the field already has this value.',
  },
  async run(act, { field, value, seen_at }) {
    const place = await placeFromUrl(act.db, act);
    const { read, fault } = CORRECTABLE_FIELDS[field];
    const parsed = read.safeParse(value.trim());
    if (!parsed.success) refuse({ faults: { value: fault } });
    const stated = parsed.data === '' ? null : parsed.data;
    const claim = field === 'hours' && stated !== null ? readHours(act, place, stated) : stated;
    const changed = await stateByStaff(act, place, { [field]: claim });
    if (changed) act.audit(place.id, { field, seen_at });
    else act.unchanged();
    return { done: changed ? 'corrected' : 'said_already' };
  },
});

/** Reads hours in any form that agents may send. Hours that cannot be read would never be verified. */
function readHours(act: ActionContext<Staff>, place: Place, stated: string): StoredHours {
  const { lat, lng, timezone } = destinationOfPlace(act.deps, place);
  const { text, compiled } = compileSubmittedHours(stated, {
    // Without a position, holidays and sunset times of the destination are close enough.
    lat: place.lat ?? lat,
    lng: place.lng ?? lng,
    country: place.country,
    timezone,
    now: act.now,
  });
  if (compiled === null) refuse({ faults: { value: HOURS_FORM } });
  return { text, source: 'reviewer', observed_at: act.now.toISOString(), compiled };
}

/** Writes the claims of staff; null withdraws one. False when nothing changed. */
async function stateByStaff(
  act: ActionContext<Staff>,
  { id }: Place,
  values: ClaimSet['values'],
): Promise<boolean> {
  const [place] = await lockPlaceClaims(act.db, [id]);
  if (place === undefined) throw new Error(`${id} cannot be locked.`);
  const source = { by: 'reviewer', ref: 'staff', proof: `seen:${act.person.id}` } as const;
  const updated = applyFieldClaims(place, { ...source, at: act.now.toISOString(), values });
  return (await writePlaceClaims(act.db, act.now, [updated])).length > 0;
}

/** Moves the pin of a place on the evidence that staff name. The venue's own pin takes precedence. */
export const movePlace = defineAction({
  name: 'move_place',
  path: `${PATH}/position`,
  who: reviewers,
  fields: { ...positionInputs, seen_at: seenAt },
  button: 'Correct the position',
  plain: true,
  done: {
    moved: 'The position is recorded with your name. It is shown unless the venue has set its own pin.',
    at_the_pin: 'Nothing was changed: the pin is there already.',
  },
  async run(act, { lat, lng, seen_at }) {
    const place = await placeFromUrl(act.db, act);
    const destination = destinationOfPlace(act.deps, place);
    if (!isWithinDestination(destination, { lat, lng }))
      refuse({ faults: { lat: `This is outside ${destination.name}. Check both numbers.` } });
    const changed = await stateByStaff(act, place, { lat, lng });
    if (changed) act.audit(place.id, { lat, lng, was: `${place.lat}, ${place.lng}`, seen_at });
    else act.unchanged();
    return { done: changed ? 'moved' : 'at_the_pin' };
  },
});

/** Removes the position that staff have stated, so that the one of the next source is shown. */
export const withdrawPosition = defineAction({
  name: 'withdraw_place_position',
  path: `${PATH}/position/withdraw`,
  who: reviewers,
  button: 'Remove our position',
  done: 'Our position is removed. The one of the next source is shown.',
  async run(act) {
    const place = await placeFromUrl(act.db, act);
    if (await stateByStaff(act, place, { lat: null, lng: null })) act.audit(place.id, { field: 'position' });
    else act.unchanged();
  },
});

/** Links to the form with this field chosen and its value filled in; false where staff may not correct it. */
export function correctLink({ person, params }: PageRequest<Staff>, label: string): Html | false {
  const [field] = FIELD_CHOICES.find(([, name]) => name === label) ?? [];
  if (field === undefined || !reviewers.allows(person)) return false;
  return link(
    `/console/places/${params['id'] ?? ''}?correct=${field}#correct`,
    html`Correct<span class="unseen"> ${label}</span>`,
  );
}

/** Renders the form for a field, with the value that is shown now. */
export function correctionForm(req: PageRequest<Staff>, place: Place, state: PageState): Html {
  const [field] = FIELD_CHOICES.find(([name]) => name === req.query.get('correct')) ?? [];
  return html`<div id="correct">
    ${actionForm(req, correctPlace, state, {
      fold: field === undefined ? 'closed' : 'open',
      ...(field !== undefined && { values: { field, value: shownText(place, field) } }),
    })}
  </div>`;
}

function shownText(place: Place, field: CorrectableField): string | null {
  return field === 'hours' ? (place.hours?.text ?? null) : place[field];
}

/** Shows where the place is; who may correct it moves the pin there. */
export function positionSection(
  req: PageRequest<Staff>,
  place: Place,
  streets: StreetMap | undefined,
  state: PageState,
): Html | false {
  const { lat, lng, name } = place;
  const point = lat === null || lng === null ? undefined : { lat, lng };
  const shown = point ?? destinationOfPlace(req.deps, place);
  const mayMove = reviewers.allows(req.person) && place.removed_at === null;
  const hasStreets = showsStreets(streets, shown);
  if (!mayMove)
    return (
      point !== undefined &&
      hasStreets &&
      card('Where it is', pointMap({ map: streets, point, label: `The streets around ${name}` }))
    );
  const stated = POSITION_FIELDS.some((field) =>
    place.field_claims[field]?.some(({ by }) => by === 'reviewer'),
  );
  return card(
    'Where it is',
    html`${point === undefined && html`<p class="soft">No source states a position.</p>`}
    ${movePlaceForm(req, { point, streets: hasStreets ? streets : undefined, shown }, state)}
    ${stated && actionForm(req, withdrawPosition, {})}`,
  );
}

/** Renders the pin on the street map where there is one, and both numbers. */
function movePlaceForm(
  req: PageRequest<Staff>,
  { point, streets, shown }: { point: Point | undefined; streets: StreetMap | undefined; shown: Point },
  state: PageState,
): Html {
  const values = positionValues(point);
  return form(
    req,
    fillPath(movePlace.path, req.params),
    html`${streets !== undefined && pinEditor(streets, shown, point !== undefined)}
      <div class="coordinates">${formFields(movePlace, state, { values, fields: { seen_at: false } })}</div>
      ${formFields(movePlace, state, { fields: { lat: false, lng: false } })}
      <p><button class="button plain" type="submit">${movePlace.button}</button></p>`,
    { className: 'flow' },
  );
}
