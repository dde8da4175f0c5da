import { html, type Html } from '../../../../core/text/html.ts';
import { editListing, type ListingPart, type ListingParts } from '../../../../venue/edit-listing.ts';
import { formFields, type FormContent } from '../../form/action-form.ts';
import type { FormFields, FormValues } from '../../form/fields.ts';
import { form } from '../../frame/frame.ts';
import { defineAction, type ActionContext, type PrepareContext } from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { areaLanguage, areaNotice, withFaults, type AreaLanguage } from '../language/area-language.ts';
import { venueFrame } from './venue-menu.ts';

/** One part of the listing: its form, and the value that the form saves. */
interface PartPage<Part extends ListingPart, Fields extends FormFields, Prepared> {
  part: Part;
  fields: Fields;
  /** Arguments of the sentence under the heading. */
  lead?: (venue: Venue) => Readonly<Record<string, string>>;
  files?: { bytesMax: number };
  /** Errors of the declared fields in the page's language. */
  faults?: (language: AreaLanguage) => Readonly<Record<string, string>>;
  /** True for a form whose buttons named `do` change it without saving. */
  redraw?: true;
  /** Stored values, and texts in the page's language. */
  content?: (
    req: PageRequest<Venue>,
    language: AreaLanguage,
  ) => Pick<FormContent<Fields>, 'values' | 'fields'>;
  /** Draws the form around its declared fields. */
  draw?: (req: PageRequest<Venue>, fields: Html, state: PageState, language: AreaLanguage) => Html;
  /** Shown beside the save button. */
  beside?: (req: PageRequest<Venue>, language: AreaLanguage) => Html | false;
  prepare?: (context: PrepareContext<Venue>) => Promise<Prepared>;
  /** Returns the value to save, or refuses an invalid one. */
  read: (act: ActionContext<Venue>, values: FormValues<Fields>, prepared: Prepared) => ListingParts[Part];
}

/** Parts with a page of this form. The position has its own. */
type FormPart = Exclude<ListingPart, 'position'>;

/**
 * Page of a part, with the action that saves it. After saving, the overview confirms the change and offers to undo it.
 */
export function partPage<Part extends FormPart, const Fields extends FormFields, Prepared = undefined>(
  declared: PartPage<Part, Fields, Prepared>,
) {
  const { part, fields, lead, files, faults, redraw, content, draw, beside, prepare, read } = declared;
  const path = `/venue/${part}`;
  const save = defineAction({
    name: 'edit_listing',
    path,
    who: venue,
    fields,
    files,
    ...(prepare && { prepare }),
    async run(act: ActionContext<Venue>, values: FormValues<Fields>, prepared: Prepared) {
      const edit = { placeId: act.person.place.id, part, value: read(act, values, prepared) };
      if (!(await editListing(act.db, act, edit))) act.unchanged();
      return { to: `/venue?done=${part}` };
    },
  });
  return definePage({
    path,
    who: venue,
    load: () => undefined,
    view(req: PageRequest<Venue>, _data, state) {
      const language = areaLanguage(req);
      const { area } = language;
      const shown = withFaults(state, faults?.(language) ?? {});
      const drawn = formFields(save, shown, content?.(req, language));
      const controls = html`${draw === undefined ? drawn : draw(req, drawn, shown, language)}
        <p class="actions">
          <button class="button" type="submit">${area(`${part}.save`)}</button> ${beside?.(req, language)}
          <a href="/venue">${area('backUnsaved')}</a>
        </p>`;
      const confirmLeave = state.form === undefined ? 'changes' : 'unsaved';
      return {
        language: venueFrame(req, path),
        title: area(`part.${part}`),
        lead: area(`${part}.lead`, lead?.(req.person)),
        notice: areaNotice(req, state, {}),
        body: form(req, path, controls, { files: files !== undefined, confirmLeave, redraw }),
        scripts: [
          'unsaved.js',
          ...(redraw === true ? (['redraw-form.js'] as const) : []),
          ...(files === undefined ? [] : (['photo-preview.js'] as const)),
        ],
      };
    },
    actions: [save],
  });
}
