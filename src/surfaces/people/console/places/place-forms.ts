import { z } from 'zod';
import { html, type Html } from '../../../../core/text/html.ts';
import { text, webAddress } from '../../../../core/text/text.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { areaField, textField } from '../../form/form-field.ts';
import { form } from '../../frame/frame.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { REVIEWER_ROLES, type Staff } from '../../person/people.ts';
import { correctionForm } from './correction-form.ts';

const PLACE_ID = /^plc_[0-9a-hjkmnp-tv-z]{26}$/;
const source = webAddress().min(1, 'must not be empty');

export const closureFields = z.object({
  source_url: source,
  note: text(4, 1000),
  observed_on: z.union([z.literal(''), z.iso.date('must be a date')]),
});

export const reopeningFields = z.object({ source_url: source, note: text(4, 1000) });

export const mergeFields = z.object({
  merged_id: z.string().trim().regex(PLACE_ID, 'must be the id of a place'),
  /** Set by the page that shows both records side by side. */
  sure: z.string(),
});

export function placeForms(req: PageRequest<Staff>, place: Place, state: PageState): Html {
  const reviewer = REVIEWER_ROLES.includes(req.person.role);
  return html`${place.closed_at === null ? closureForm(req, place, state) : reopeningForm(req, place, state)}
  ${reviewer && correctionForm(req, place, state)} ${reviewer && accoladeForm(req, place, state)}
  ${reviewer && mergeForm(req, place, state)}`;
}

/** Submitted value and error of a field; empty when another form was submitted. */
function submittedField(
  { action, form: submitted, faults }: PageState,
  name: string,
  of: string,
  idPrefix: string,
) {
  const id = `${idPrefix}-${name}`;
  return action === of
    ? { name, id, value: submitted?.get(name) ?? '', fault: faults?.[name] }
    : { name, id };
}

function actionForm(req: PageRequest, place: Place, action: string, content: Html): Html {
  return form(req, `/console/places/${place.id}/${action}`, content, { className: 'card flow' });
}

function closureForm(req: PageRequest, place: Place, state: PageState): Html {
  const field = (name: string) => ({
    ...submittedField(state, name, 'record_closure', 'closure'),
    required: true,
  });
  return actionForm(
    req,
    place,
    'closure',
    html`<h2>Record a closure</h2>
      <p class="soft">A report that anybody can read. Search stops returning the place at once.</p>
      ${textField({ ...field('source_url'), label: 'Address of the report', type: 'url', maxlength: 2000 })}
      ${areaField({ ...field('note'), label: 'What it says', maxlength: 1000, rows: 2 })}
      ${textField({
        ...submittedField(state, 'observed_on', 'record_closure', 'closure'),
        label: 'Date of the report',
        hint: 'Empty: today.',
        type: 'date',
      })}
      <button class="button danger" type="submit">Record the closure</button>`,
  );
}

function reopeningForm(req: PageRequest, place: Place, state: PageState): Html {
  const field = (name: string) => ({
    ...submittedField(state, name, 'record_reopening', 'reopening'),
    required: true,
  });
  return actionForm(
    req,
    place,
    'reopening',
    html`<h2>Record a reopening</h2>
      <p class="soft">All evidence of the closure is set aside, and search returns the place again.</p>
      ${textField({ ...field('source_url'), label: 'Where this can be read', type: 'url', maxlength: 2000 })}
      ${areaField({ ...field('note'), label: 'What was seen', maxlength: 1000, rows: 2 })}
      <button class="button" type="submit">Record the reopening</button>`,
  );
}

function accoladeForm(req: PageRequest, place: Place, state: PageState): Html {
  const field = (name: string) => ({
    ...submittedField(state, name, 'set_accolade', 'accolade'),
    required: name !== 'year',
  });
  return actionForm(
    req,
    place,
    'accolades',
    html`<h2>Add an accolade</h2>
      <p class="soft">None is shown without its source. The same title again replaces the existing one.</p>
      ${textField({ ...field('title'), label: 'Title', maxlength: 160 })}
      ${textField({ ...field('year'), label: 'Year', inputmode: 'numeric', maxlength: 4 })}
      ${textField({ ...field('source_name'), label: 'Who gave it', maxlength: 120 })}
      ${textField({ ...field('source_url'), label: 'Where it can be read', type: 'url', maxlength: 2000 })}
      <button class="button plain" type="submit">Add the accolade</button>`,
  );
}

function mergeForm(req: PageRequest, place: Place, state: PageState): Html {
  return actionForm(
    req,
    place,
    'merge',
    html`<h2>Merge a duplicate</h2>
      <p class="soft">This record stays. You see both side by side before anything changes.</p>
      ${textField({
        ...submittedField(state, 'merged_id', 'merge_places', 'merge'),
        label: 'Id of the other record',
        hint: 'plc_…',
        maxlength: 60,
        required: true,
      })}
      <button class="button plain" type="submit">Compare the two</button>`,
  );
}
