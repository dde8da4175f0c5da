import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { editListing, type ListingPart, type ListingParts } from '../../../../venue/edit-listing.ts';
import { form, sendFrame } from '../../frame/frame.ts';
import type { PrepareContext } from '../../person/action.ts';
import type { Notice, PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';

/** Page of one part of the listing, with the parser of its form. */
export interface PartPage<Part extends ListingPart> {
  part: Part;
  page: (request: PageRequest<Venue>, state: PageState) => Promise<FastifyReply>;
  /** Maximum size of an uploaded file; undefined where the form takes none. */
  bytesMax?: number;
  /** Returns the value to save, or refuses an invalid one; undefined when the changed form is only shown again. */
  read: (
    context: PrepareContext<Venue>,
  ) => ListingParts[Part] | undefined | Promise<ListingParts[Part] | undefined>;
}

/**
 * Adds the page of a part and the action that saves it. After saving, the overview confirms the change and offers to
 * undo it.
 */
export function addPart<Part extends ListingPart>(
  scope: FastifyInstance,
  deps: Deps,
  { part, page, bytesMax, read }: PartPage<Part>,
): void {
  const path = `/venue/${part}`;
  addPage(scope, deps, { path, who: venue, show: (request) => page(request, {}) });
  addAction(scope, deps, {
    name: 'edit_listing',
    path,
    who: venue,
    files: bytesMax === undefined ? undefined : { bytesMax },
    prepare: async (context) => read(context),
    async run(act, _fields, value) {
      if (value === undefined) return { again: {} };
      const edit = { placeId: act.person.place.id, part, value };
      if (!(await editListing(act.db, act, edit))) act.unchanged();
      return { to: `/venue?done=${part}` };
    },
    page,
  });
}

/** Sends the form of one part of the listing. */
export function sendPartPage(
  request: PageRequest<Venue>,
  model: {
    title: string;
    lead: string | Html;
    part: ListingPart;
    fields: Html;
    /** Label of the save button. */
    save: string;
    beside?: Html | false;
    notice?: Notice | undefined;
    files?: boolean;
    /** True when the form is shown again with unsaved changes. */
    unsaved?: boolean;
  },
): Promise<FastifyReply> {
  const { title, lead, part, fields, save, beside, notice, files = false, unsaved = false } = model;
  const all = html`${fields}
    <p class="actions">
      <button class="button" type="submit">${save}</button> ${beside} <a href="/venue">Back without saving</a>
    </p>`;
  const body = form(request, `/venue/${part}`, all, { files, confirmLeave: unsaved ? 'unsaved' : 'changes' });
  const scripts = ['unsaved.js'] as const;
  return sendFrame(request, 'venue', { title, lead, current: '/venue', notice, body, scripts });
}
