import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../../../core/context.ts';
import { html, type Html } from '../../../../core/text/html.ts';
import { editListing, type ListingPart, type ListingParts } from '../../../../venue/edit-listing.ts';
import { form, sendFrame } from '../../frame/frame.ts';
import type { PrepareContext } from '../../person/action.ts';
import type { Notice, PageRequest, PageState } from '../../person/page-request.ts';
import { venue, type Venue } from '../../person/people.ts';
import { addAction, addPage } from '../../person/person-route.ts';

/** The page of one part of the listing, and how its form is read. */
export interface PartPage<Part extends ListingPart> {
  part: Part;
  page: (request: PageRequest<Venue>, state: PageState) => Promise<FastifyReply>;
  /** Set where the form carries a file: how many bytes it may have. */
  bytesMax?: number;
  /** What is to be saved, refused where it cannot be; undefined when the form is only to be shown again, changed. */
  read: (
    sent: PrepareContext<Venue>,
  ) => ListingParts[Part] | undefined | Promise<ListingParts[Part] | undefined>;
}

/** Mounts the page of a part and the action that saves it: the listing then says what was done, and offers to take it back. */
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
    prepare: async (sent) => read(sent),
    async run(act, _fields, value) {
      if (value === undefined) return { again: {} };
      const edit = { placeId: act.person.place.id, part, value };
      if (!(await editListing(act.db, act, edit))) act.unchanged();
      return { to: `/venue?done=${part}` };
    },
    page,
  });
}

/** A page of the area about one part of the listing: a form, and the way back. */
export function sendPartPage(
  request: PageRequest<Venue>,
  model: {
    title: string;
    lead: string | Html;
    part: ListingPart;
    fields: Html;
    /** What the button says that saves it, and what stands beside it. */
    save: string;
    beside?: Html | false;
    notice?: Notice | undefined;
    files?: boolean;
    /** Whether the form is shown again with changes that are not saved. */
    unsaved?: boolean;
  },
): Promise<FastifyReply> {
  const { title, lead, part, fields, save, beside, notice, files = false, unsaved = false } = model;
  const all = html`${fields}
    <p class="actions">
      <button class="button" type="submit">${save}</button> ${beside} <a href="/venue">Back without saving</a>
    </p>`;
  const body = form(request, `/venue/${part}`, all, { files, keeps: unsaved ? 'unsaved' : 'changes' });
  const scripts = ['unsaved.js'] as const;
  return sendFrame(request, 'venue', { title, lead, current: '/venue', notice, body, scripts });
}
