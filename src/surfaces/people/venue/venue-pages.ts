import type { FastifyInstance } from 'fastify';
import { closeSession } from '../../../accounts/sign-in/session.ts';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { undoEdit } from '../../../venue/edit-listing.ts';
import { readPhoto } from '../../../venue/listing-photo.ts';
import { addFormPages } from '../form/form-body.ts';
import type { ActionContext, ActionResult } from '../person/action.ts';
import { venue, type Venue } from '../person/people.ts';
import { addActions, addPage } from '../person/person-route.ts';
import { aboutPart } from './area/about-page.ts';
import { contactsPart } from './area/contacts-page.ts';
import { bookingPart } from './area/booking-page.ts';
import { hoursPart } from './area/hours-page.ts';
import { addPart } from './area/listing-part.ts';
import { menuPart } from './area/menu-page.ts';
import { sendOverviewPage } from './area/overview-page.ts';
import { photoPart } from './area/photo-page.ts';
import { answerAboutRepresentative } from './area/representatives-section.ts';
import { addVenueTables } from './area/tables-page.ts';
import { addClaimRoutes } from './claim-routes.ts';
import { addConfirmRoutes } from './confirm-routes.ts';

/** Adds the pages for venues: claiming a listing, confirming its representatives, and editing it. */
export function addVenuePages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addClaimRoutes(scope, deps);
    addConfirmRoutes(scope, deps);
    addPage(scope, deps, { path: '/venue', who: venue, show: sendOverviewPage });
    addVenueTables(scope, deps);
    addPart(scope, deps, hoursPart);
    addPart(scope, deps, menuPart);
    addPart(scope, deps, aboutPart);
    addPart(scope, deps, contactsPart);
    addPart(scope, deps, bookingPart);
    const action = { who: venue, page: sendOverviewPage };
    const representative = { name: 'answer_for_representative', path: '/venue/representative' };
    addActions(
      scope,
      deps,
      { ...action, name: 'undo_edit', path: '/venue/undo', run: undo },
      { ...action, ...representative, run: answerAboutRepresentative },
      { ...action, name: 'venue_sign_out', path: '/venue/sign-out', run: signOut },
    );
    addPart(scope, deps, photoPart);
  });
  addListingPhotos(app, deps);
}

async function undo(act: ActionContext<Venue>): Promise<ActionResult> {
  const { person, form } = act;
  const edit = { placeId: person.place.id, editId: form.get('edit') ?? '' };
  if ((await undoEdit(act.db, act, edit)) !== undefined) return { to: '/venue?done=undo' };
  act.unchanged();
  return { to: '/venue?done=late' };
}

async function signOut(act: ActionContext<Venue>): Promise<ActionResult> {
  act.setCookie(await closeSession(act, 'venue', act.request));
  act.audit(act.person.place.id);
  return { to: '/venue' };
}

/** Serves listing photos. Their names are derived from their content, so browsers may cache them forever. */
function addListingPhotos(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { name: string } }>('/photos/listing/:name', async (request, reply) => {
    const photo = await readPhoto(deps, request.params.name);
    if (photo === undefined) throw new AppError('not_found', 'There is no picture at this address.');
    return reply
      .header('content-type', photo.contentType)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(photo.bytes);
  });
}
