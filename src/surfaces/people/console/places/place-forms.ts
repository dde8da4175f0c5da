import { z } from 'zod';
import { html, safeHref, type Html } from '../../../../core/text/html.ts';
import { text, webAddress } from '../../../../core/text/text.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { csrfField } from '../../form/csrf.ts';
import { areaField, textField } from '../../form/form-field.ts';
import { REVIEWERS, type PageRequest } from '../console-route.ts';

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
  /** Set on the page that shows both records side by side. */
  sure: z.string(),
});

/** What was sent with a form that was refused, and what is wrong with it. */
export interface Sent {
  form: 'closure' | 'reopening' | 'accolade' | 'merge' | 'connector';
  values: URLSearchParams;
  faults: Record<string, string>;
}

export function placeForms(visit: PageRequest, place: Place, sent: Sent | undefined): Html {
  const reviewer = REVIEWERS.includes(visit.staff.role);
  return html`${place.closed_at === null ? closureForm(visit, place, sent) : reopeningForm(visit, place, sent)}
  ${reviewer && accoladeForm(visit, place, sent)} ${reviewer && mergeForm(visit, place, sent)}`;
}

/** What a field of this form held and what was wrong with it; nothing when another form was sent. */
function asSent(sent: Sent | undefined, form: Sent['form'], name: string) {
  const id = `${form}-${name}`;
  if (sent?.form !== form) return { name, id };
  return { name, id, value: sent.values.get(name) ?? '', fault: sent.faults[name] };
}

/** One thing that can be done to the place, as a form of its own. */
function measure(visit: PageRequest, place: Place, action: string, content: Html): Html {
  return html`<form
    class="card flow"
    method="post"
    action="${safeHref(`/console/places/${place.id}/${action}`)}"
  >
    ${csrfField(visit.deps, visit.request, visit.reply)} ${content}
  </form>`;
}

function closureForm(visit: PageRequest, place: Place, sent: Sent | undefined): Html {
  const field = (name: string) => ({ ...asSent(sent, 'closure', name), required: true });
  return measure(
    visit,
    place,
    'closure',
    html`<h2>Record a closure</h2>
      <p class="soft">A report that anybody can read. Search stops returning the place at once.</p>
      ${textField({ ...field('source_url'), label: 'Address of the report', type: 'url', maxlength: 2000 })}
      ${areaField({ ...field('note'), label: 'What it says', maxlength: 1000, rows: 2 })}
      ${textField({
        ...asSent(sent, 'closure', 'observed_on'),
        label: 'Date of the report',
        hint: 'Empty: today.',
        type: 'date',
      })}
      <button class="button danger" type="submit">Record the closure</button>`,
  );
}

function reopeningForm(visit: PageRequest, place: Place, sent: Sent | undefined): Html {
  const field = (name: string) => ({ ...asSent(sent, 'reopening', name), required: true });
  return measure(
    visit,
    place,
    'reopening',
    html`<h2>Record a reopening</h2>
      <p class="soft">All evidence of the closure is set aside, and search returns the place again.</p>
      ${textField({ ...field('source_url'), label: 'Where this can be read', type: 'url', maxlength: 2000 })}
      ${areaField({ ...field('note'), label: 'What was seen', maxlength: 1000, rows: 2 })}
      <button class="button" type="submit">Record the reopening</button>`,
  );
}

function accoladeForm(visit: PageRequest, place: Place, sent: Sent | undefined): Html {
  const field = (name: string) => ({ ...asSent(sent, 'accolade', name), required: name !== 'year' });
  return measure(
    visit,
    place,
    'accolades',
    html`<h2>Add an accolade</h2>
      <p class="soft">None is shown without its source. The same title again corrects the one that stands.</p>
      ${textField({ ...field('title'), label: 'Title', maxlength: 160 })}
      ${textField({ ...field('year'), label: 'Year', inputmode: 'numeric', maxlength: 4 })}
      ${textField({ ...field('source_name'), label: 'Who gave it', maxlength: 120 })}
      ${textField({ ...field('source_url'), label: 'Where it can be read', type: 'url', maxlength: 2000 })}
      <button class="button plain" type="submit">Add the accolade</button>`,
  );
}

function mergeForm(visit: PageRequest, place: Place, sent: Sent | undefined): Html {
  return measure(
    visit,
    place,
    'merge',
    html`<h2>Merge a duplicate</h2>
      <p class="soft">This record stays. You see both side by side before anything happens.</p>
      ${textField({
        ...asSent(sent, 'merge', 'merged_id'),
        label: 'Id of the other record',
        hint: 'plc_…',
        maxlength: 60,
        required: true,
      })}
      <button class="button plain" type="submit">Compare the two</button>`,
  );
}
