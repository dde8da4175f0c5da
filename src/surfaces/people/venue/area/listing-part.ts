import { html, type Html } from '../../../../core/text/html.ts';
import { editListing, type ListingPart, type ListingParts } from '../../../../venue/edit-listing.ts';
import { formFields, type FormContent } from '../../form/action-form.ts';
import type { FormFields, FormValues } from '../../form/fields.ts';
import { form } from '../../frame/frame.ts';
import {
  defineAction,
  type ActionContext,
  type ActionForm,
  type PrepareContext,
} from '../../person/action.ts';
import { definePage } from '../../person/page.ts';
import type { PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { pageLanguage } from '../language/area-language.ts';

/** One part of the listing: its form, and the value that the form saves. */
interface PartPage<Part extends ListingPart, Fields extends FormFields, Prepared> extends Required<
  Pick<ActionForm<Fields>, 'title' | 'fields' | 'button'>
> {
  part: Part;
  lead: string | ((venue: Venue) => string);
  files?: { bytesMax: number };
  /** The texts of the page in the reader's language. Without them it is in English. */
  texts?: (req: Pick<PageRequest<Venue>, 'request' | 'deps' | 'person'>) => PartTexts;
  /** True for a form whose buttons named `do` change it without saving. */
  redraw?: true;
  /** Stored values, and texts that depend on the place. */
  content?: (req: PageRequest<Venue>) => Pick<FormContent<Fields>, 'values' | 'fields'>;
  /** Draws the form around its declared fields. */
  draw?: (req: PageRequest<Venue>, fields: Html, state: PageState) => Html;
  /** Shown beside the save button. */
  beside?: (req: PageRequest<Venue>) => Html | false;
  prepare?: (context: PrepareContext<Venue>) => Promise<Prepared>;
  /** Returns the value to save, or refuses an invalid one. */
  read: (act: ActionContext<Venue>, values: FormValues<Fields>, prepared: Prepared) => ListingParts[Part];
}

/** Texts of a part's page in one language. */
interface PartTexts {
  title: string;
  lead: string;
  button: string;
  back: string;
}

/**
 * Page of a part, with the action that saves it. After saving, the overview confirms the change and offers to undo it.
 */
export function partPage<Part extends ListingPart, const Fields extends FormFields, Prepared = undefined>(
  declared: PartPage<Part, Fields, Prepared>,
) {
  const { part, title, lead, fields, button, files, redraw, texts, content, draw, beside, prepare, read } =
    declared;
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
      const own = texts?.(req);
      const drawn = formFields(save, state, content?.(req));
      const controls = html`${draw === undefined ? drawn : draw(req, drawn, state)}
        <p class="actions">
          <button class="button" type="submit">${own?.button ?? button}</button> ${beside?.(req)}
          <a href="/venue">${own?.back ?? 'Back without saving'}</a>
        </p>`;
      const confirmLeave = state.form === undefined ? 'changes' : 'unsaved';
      return {
        ...(own !== undefined && { language: pageLanguage(req, path) }),
        title: own?.title ?? title,
        lead: own?.lead ?? (typeof lead === 'string' ? lead : lead(req.person)),
        body: form(req, path, controls, { files: files !== undefined, confirmLeave, redraw }),
        scripts: redraw === true ? ['unsaved.js', 'redraw-form.js'] : ['unsaved.js'],
      };
    },
    actions: [save],
  });
}
