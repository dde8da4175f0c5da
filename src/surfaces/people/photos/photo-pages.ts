import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame } from '../frame/frame.ts';
import { addPages } from '../person/person-route.ts';
import { earningsFile, earningsPage } from './earnings-page.ts';
import { myPhotosPage } from './mine-page.ts';
import { offerPage } from './offer-page.ts';
import { addPreviews, ownPreview } from './preview-routes.ts';
import { uploadPage } from './upload-page.ts';

/** Adds the pages for photographers and the public previews. */
export function addPhotoPages(app: FastifyInstance, deps: Deps): void {
  addPreviews(app, deps);
  addFormPages(app, (scope) => {
    const pages = [myPhotosPage, earningsPage, earningsFile, offerPage, ownPreview, uploadPage];
    addPages(scope, deps, areaFrame('photographer'), pages);
  });
}
