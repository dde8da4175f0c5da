import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { addUploadParser } from '../form/upload-body.ts';
import { sendEarningsCsv, sendEarningsPage } from './earnings-page.ts';
import { sendMinePage } from './mine-page.ts';
import { saveCaption, saveOffer, startDrop, withdraw } from './offer-actions.ts';
import { ownPhoto, sendOfferPage } from './offer-page.ts';
import { photographerRoute, type PhotographerVisit } from './photographer-route.ts';
import { addPreviews, sendPreview } from './preview-routes.ts';
import { FORM_BYTES_MAX, sendUploadPage, takeUpload } from './upload-page.ts';

/** Everything for photographers, and the previews that everybody sees. */
export function addPhotoPages(app: FastifyInstance, deps: Deps): void {
  addPreviews(app, deps);
  addFormPages(app, (scope) => {
    const get = (path: string, handle: (visit: PhotographerVisit) => ReturnType<typeof sendMinePage>) => {
      photographerRoute(scope, deps, { method: 'GET', path, handle });
    };
    const post = (path: string, handle: (visit: PhotographerVisit) => ReturnType<typeof sendMinePage>) => {
      photographerRoute(scope, deps, { method: 'POST', path, handle });
    };
    get('/photos/mine', sendMinePage);
    get('/photos/mine/earnings', sendEarningsPage);
    get('/photos/mine/earnings.csv', sendEarningsCsv);
    get('/photos/mine/:id', (visit) => sendOfferPage(visit));
    get('/photos/mine/:id/w480', async (visit) =>
      sendPreview(deps, visit.request, visit.reply, await ownPhoto(visit), 480),
    );
    post('/photos/mine/:id/offer', saveOffer);
    post('/photos/mine/:id/live', startDrop);
    post('/photos/mine/:id/caption', saveCaption);
    post('/photos/mine/:id/withdraw', withdraw);
  });
  addFormPages(app, (scope) => {
    addUploadParser(scope, FORM_BYTES_MAX);
    photographerRoute(scope, deps, {
      method: 'GET',
      path: '/photos/mine/upload',
      handle: (visit) => sendUploadPage(visit),
    });
    photographerRoute(scope, deps, { method: 'POST', path: '/photos/mine/upload', handle: takeUpload });
  });
}
