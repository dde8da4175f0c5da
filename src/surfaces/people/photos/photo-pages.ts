import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { member } from '../person/people.ts';
import { addAction, addPage } from '../person/person-route.ts';
import { sendEarningsCsv, sendEarningsPage } from './earnings-page.ts';
import { sendMyPhotosPage } from './mine-page.ts';
import { OFFER_ACTIONS } from './offer-actions.ts';
import { ownPhoto, sendOfferPage } from './offer-page.ts';
import { addPreviews, sendPreview } from './preview-routes.ts';
import { addUpload } from './upload-page.ts';

/** Adds the pages for photographers and the public previews. */
export function addPhotoPages(app: FastifyInstance, deps: Deps): void {
  addPreviews(app, deps);
  addFormPages(app, (scope) => {
    const who = member;
    addPage(scope, deps, { path: '/photos/mine', who, show: sendMyPhotosPage });
    addPage(scope, deps, { path: '/photos/mine/earnings', who, show: sendEarningsPage });
    addPage(scope, deps, { path: '/photos/mine/earnings.csv', who, show: sendEarningsCsv });
    addPage(scope, deps, { path: '/photos/mine/:id', who, show: (req) => sendOfferPage(req) });
    addPage(scope, deps, {
      path: '/photos/mine/:id/w480',
      who,
      show: async (req) => sendPreview(deps, req.request, req.reply, await ownPhoto(req.deps.pool, req), 480),
    });
    for (const action of OFFER_ACTIONS) addAction(scope, deps, action);
    addUpload(scope, deps);
  });
}
