import { z } from 'zod';
import { text, webAddress } from '../../../../core/text/text.ts';
import { recordClosure, recordReopening } from '../../../../directory/closure/closure.ts';
import { accoladeSchema, removeAccolade, setAccolade } from '../../../../directory/place/accolade.ts';
import { areaInput, hiddenInput, numberInput, textInput } from '../../form/fields.ts';
import { defineAction, refuse } from '../../person/action.ts';
import { allStaff, reviewers } from '../../person/people.ts';
import { placeFromUrl } from './place-record.ts';

const PATH = '/console/places/:id';
const source = webAddress().min(1, 'must not be empty');
const url = { type: 'url', maxlength: 2000, required: true } as const;

/** The public source of a report about a place, and what it says. */
const reportFields = (address: string, content: string) => ({
  source_url: textInput(source, { label: address, ...url }),
  note: areaInput(text(4, 1000), { label: content, maxlength: 1000, rows: 2, required: true }),
});

export const recordClosureAction = defineAction({
  name: 'record_closure',
  path: `${PATH}/closure`,
  who: allStaff,
  title: 'Record a closure',
  help: 'A report that anybody can read. Search stops returning the place at once.',
  fields: {
    ...reportFields('Address of the report', 'What it says'),
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
  who: allStaff,
  title: 'Record a reopening',
  help: 'All evidence of the closure is set aside, and search returns the place again.',
  fields: reportFields('Where this can be read', 'What was seen'),
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

const accolade = accoladeSchema.shape;

export const addAccolade = defineAction({
  name: 'set_accolade',
  path: `${PATH}/accolades`,
  who: reviewers,
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
  },
});

export const dropAccolade = defineAction({
  name: 'remove_accolade',
  path: `${PATH}/accolades/remove`,
  who: reviewers,
  fields: { title: hiddenInput(z.string()) },
  button: 'Remove',
  done: 'The accolade is no longer shown.',
  async run(act, { title }) {
    const { id } = await placeFromUrl(act.db, act);
    const outcome = await removeAccolade(act.db, act.now, id, title);
    if (outcome) act.audit(id, { title, outcome });
    else act.unchanged();
  },
});
