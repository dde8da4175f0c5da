import { z } from 'zod';
import { E164, plainPhone } from '../../../../core/text/e164.ts';
import { ADDRESS_MAX, NAME_MAX } from '../../../../core/text/limits.ts';
import { emailAddress, line, text, webAddress } from '../../../../core/text/text.ts';
import { recordClosure, recordReopening } from '../../../../directory/closure/closure.ts';
import { accoladeSchema, removeAccolade, setAccolade } from '../../../../directory/place/accolade.ts';
import { applyFieldClaims } from '../../../../directory/provenance/apply-field-claims.ts';
import { lockPlaceClaims, writePlaceClaims } from '../../../../directory/provenance/stored-claims.ts';
import { areaInput, choiceInput, hiddenInput, numberInput, textInput } from '../../form/fields.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { ALL_ROLES, REVIEWER_ROLES, staff } from '../../person/people.ts';
import { placeFromUrl } from './place-record.ts';

const PATH = '/console/places/:id';
const source = webAddress().min(1, 'must not be empty');
const url = { type: 'url', maxlength: 2000, required: true } as const;
const noteLook = { maxlength: 1000, rows: 2, required: true };

export const recordClosureAction = defineAction({
  name: 'record_closure',
  path: `${PATH}/closure`,
  who: staff(ALL_ROLES),
  title: 'Record a closure',
  help: 'A report that anybody can read. Search stops returning the place at once.',
  fields: {
    source_url: textInput(source, { label: 'Address of the report', ...url }),
    note: areaInput(text(4, 1000), { label: 'What it says', ...noteLook }),
    observed_on: textInput(z.union([z.literal(''), z.iso.date('must be a date')]), {
      label: 'Date of the report',
      hint: 'Empty: today.',
      type: 'date',
    }),
  },
  button: 'Record the closure',
  danger: true,
  done: {
    closed: 'The place is believed closed. Search no longer returns it.',
    suspected: 'The report is recorded. The place stays open because it was confirmed after that date.',
    answered: 'Nothing was changed: the place was reopened after that date.',
  },
  async run(act, { source_url, note, observed_on }) {
    const { id: placeId } = await placeFromUrl(act.db, act);
    const observed_at = observed_on === '' ? act.now : new Date(`${observed_on}T00:00:00Z`);
    if (observed_at > act.now) refuse({ faults: { observed_on: 'This must not be in the future.' } });
    const report = { placeId, kind: 'published_report' as const, source_url, note, observed_at };
    const outcome = await recordClosure(act.db, act.now, report);
    act.audit(placeId, { source_url, note, outcome });
    return { done: outcome };
  },
});

export const recordReopeningAction = defineAction({
  name: 'record_reopening',
  path: `${PATH}/reopening`,
  who: staff(ALL_ROLES),
  title: 'Record a reopening',
  help: 'All evidence of the closure is set aside, and search returns the place again.',
  fields: {
    source_url: textInput(source, { label: 'Where this can be read', ...url }),
    note: areaInput(text(4, 1000), { label: 'What was seen', ...noteLook }),
  },
  button: 'Record the reopening',
  done: {
    open: 'The place is open again. Search returns it.',
    unchanged: 'Nothing was changed: the place is not believed closed.',
  },
  async run(act, { source_url, note }) {
    const { id: placeId } = await placeFromUrl(act.db, act);
    const reopening = { placeId, note: `${note} (${source_url})`, source: 'staff' as const };
    const outcome = await recordReopening(act.db, act.now, reopening);
    act.audit(placeId, { source_url, note, outcome });
    return { done: outcome };
  },
});

/** Fields that staff may correct, with their parsers. An empty value removes the staff correction. */
const CORRECTABLE_FIELDS = {
  name: { label: 'Name', read: line(0, NAME_MAX), fault: 'Write a name of at most 200 characters.' },
  address: {
    label: 'Address',
    read: line(0, ADDRESS_MAX),
    fault: 'Write an address of at most 300 characters.',
  },
  phone: {
    label: 'Telephone',
    read: z
      .string()
      .overwrite(plainPhone)
      .refine((value) => value === '' || E164.test(value)),
    fault: 'Write it with its country code, such as +62361123456.',
  },
  email: {
    label: 'Mail',
    read: z.union([z.literal(''), emailAddress()]),
    fault: 'It must be an email address.',
  },
  website: { label: 'Website', read: webAddress(), fault: 'It must begin with https:// or http://.' },
  about: {
    label: 'Description',
    read: text(0, 2000),
    fault: 'Write plain text of at most 2,000 characters.',
  },
} as const;

/** Records a correction by staff with its evidence. The venue's own claims take precedence over it. */
export const correctPlace = defineAction({
  name: 'correct_place',
  path: `${PATH}/correction`,
  who: staff(REVIEWER_ROLES),
  title: 'Correct the record',
  help: 'A correction takes precedence over maps and agents, but not over the venue itself. A contact that you enter here is shown, but never used to contact the venue.',
  fields: {
    field: choiceInput(
      (Object.keys(CORRECTABLE_FIELDS) as (keyof typeof CORRECTABLE_FIELDS)[]).map(
        (field) => [field, CORRECTABLE_FIELDS[field].label] as const,
      ),
      { label: 'What is wrong' },
    ),
    value: areaInput(z.string(), {
      label: 'What it should say',
      hint: 'Leave empty to remove our correction.',
      rows: 2,
      maxlength: 2000,
    }),
    seen_at: textInput(text(4, 500), {
      label: 'Where you saw it',
      hint: 'A web address, or the person who informed you.',
      maxlength: 500,
      required: true,
    }),
  },
  button: 'Correct it',
  plain: true,
  done: {
    corrected:
      'The correction is recorded with your name. It is shown unless the venue states something else.',
    said_already: 'Nothing was changed: the field already has this value.',
  },
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
    return { done: changed.length === 0 ? 'said_already' : 'corrected' };
  },
});

const accolade = accoladeSchema.shape;

export const addAccolade = defineAction({
  name: 'set_accolade',
  path: `${PATH}/accolades`,
  who: staff(REVIEWER_ROLES),
  title: 'Add an accolade',
  help: 'None is shown without its source. The same title again replaces the existing one.',
  fields: {
    title: textInput(accolade.title, { label: 'Title', maxlength: 160, required: true }),
    year: numberInput(accolade.year, { label: 'Year', maxlength: 4 }),
    source_name: textInput(accolade.source_name, { label: 'Who gave it', maxlength: 120, required: true }),
    source_url: textInput(accolade.source_url, { label: 'Where it can be read', ...url }),
  },
  button: 'Add the accolade',
  plain: true,
  done: 'The accolade is shown with its source.',
  async run(act, values) {
    const { id } = await placeFromUrl(act.db, act);
    const outcome = await setAccolade(act.db, act.now, id, values);
    act.audit(id, { title: values.title, source_url: values.source_url, outcome });
    return { done: true };
  },
});

export const dropAccolade = defineAction({
  name: 'remove_accolade',
  path: `${PATH}/accolades/remove`,
  who: staff(REVIEWER_ROLES),
  fields: { title: hiddenInput(z.string()) },
  button: 'Remove',
  done: 'The accolade is no longer shown.',
  async run(act, { title }) {
    const { id } = await placeFromUrl(act.db, act);
    const outcome = await removeAccolade(act.db, act.now, id, title);
    if (outcome) act.audit(id, { title, outcome });
    else act.unchanged();
    return { done: true };
  },
});
