import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { undoEdit } from '../../../venue/edit-listing.ts';
import { PHOTO_BYTES_MAX, readPhoto } from '../../../venue/listing-photo.ts';
import { closeVenueSession } from '../../../venue/venue-session.ts';
import { addFormPages } from '../form/form-body.ts';
import { addUploadParser } from '../form/upload-body.ts';
import { saveAbout, sendAboutPage } from './area/about-page.ts';
import { saveBooking, sendBookingPage } from './area/booking-page.ts';
import { saveHours, sendHoursPage } from './area/hours-page.ts';
import { saveMenu, sendMenuPage } from './area/menu-page.ts';
import { sendOverviewPage } from './area/overview-page.ts';
import { savePhoto, sendPhotoPage } from './area/photo-page.ts';
import { answerAboutRepresentative } from './area/representatives-section.ts';
import { addClaimRoutes } from './claim-routes.ts';
import { addConfirmRoutes } from './confirm-routes.ts';
import { venueRoute, type VenueVisit } from './venue-route.ts';

const PARTS = [
  ['hours', (visit: VenueVisit) => sendHoursPage(visit), saveHours],
  ['menu', (visit: VenueVisit) => sendMenuPage(visit), saveMenu],
  ['about', (visit: VenueVisit) => sendAboutPage(visit), saveAbout],
  ['booking', (visit: VenueVisit) => sendBookingPage(visit), saveBooking],
] as const;

/** Everything for venues: claiming a listing, confirming who acts for it, and looking after it. */
export function addVenuePages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addClaimRoutes(scope, deps);
    addConfirmRoutes(scope, deps);
    venueRoute(scope, deps, { method: 'GET', path: '/venue', handle: sendOverviewPage });
    for (const [part, show, save] of PARTS) {
      venueRoute(scope, deps, { method: 'GET', path: `/venue/${part}`, handle: show });
      venueRoute(scope, deps, { method: 'POST', path: `/venue/${part}`, handle: save });
    }
    venueRoute(scope, deps, { method: 'POST', path: '/venue/undo', handle: undo });
    venueRoute(scope, deps, {
      method: 'POST',
      path: '/venue/representative',
      handle: answerAboutRepresentative,
    });
    venueRoute(scope, deps, {
      method: 'POST',
      path: '/venue/sign-out',
      handle: async ({ request, reply }) => {
        reply.header('set-cookie', await closeVenueSession(deps, request));
        return reply.redirect('/venue', 303);
      },
    });
  });
  addFormPages(app, (scope) => {
    addUploadParser(scope, PHOTO_BYTES_MAX);
    venueRoute(scope, deps, { method: 'GET', path: '/venue/photo', handle: (visit) => sendPhotoPage(visit) });
    venueRoute(scope, deps, { method: 'POST', path: '/venue/photo', handle: savePhoto });
  });
  addListingPhotos(app, deps);
}

async function undo({ deps, form, place, reply }: VenueVisit) {
  const part = await undoEdit(deps, place.id, form.get('edit') ?? '');
  return reply.redirect(`/venue?done=${part === undefined ? 'late' : 'undo'}`, 303);
}

/** Pictures are named by their content, so that a browser may keep them for ever. */
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
