import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { readPhoto } from '../../../venue/listing-photo.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame, signedOutFrame } from '../frame/frame.ts';
import { addAction, addPage, addPages } from '../person/person-route.ts';
import { venueAboutPage } from './area/about-page.ts';
import { venueBookingPage } from './area/booking-page.ts';
import { venueContactsPage } from './area/contacts-page.ts';
import { venueHoursPage } from './area/hours-page.ts';
import { venueMenuPage } from './area/menu-page.ts';
import { venueOverviewPage } from './area/overview-page.ts';
import { venuePhotoPage } from './area/photo-page.ts';
import { venuePositionPage } from './area/position-page.ts';
import { venueRulesPage } from './area/rules-page.ts';
import { venueTablesPage } from './area/tables-page.ts';
import { venueTermsPage } from './area/terms-page.ts';
import { claimPage } from './claim-page.ts';
import { confirmPage } from './confirm-page.ts';
import { chooseLanguage } from './language/area-language.ts';

const PAGES = [
  venueOverviewPage,
  venueTablesPage,
  venueRulesPage,
  venueTermsPage,
  venueHoursPage,
  venueMenuPage,
  venueAboutPage,
  venueContactsPage,
  venueBookingPage,
  venuePhotoPage,
  venuePositionPage,
];

/** Adds the pages for venues: claiming a listing, confirming its representatives, and editing it. */
export function addVenuePages(app: FastifyInstance, deps: Deps): void {
  addFormPages(app, (scope) => {
    addPage(scope, deps, claimPage, signedOutFrame('venue'));
    addPage(scope, deps, confirmPage, signedOutFrame('venue'));
    addPages(scope, deps, areaFrame('venue'), PAGES);
    addAction(scope, deps, chooseLanguage);
  });
  addListingPhotos(app, deps);
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
