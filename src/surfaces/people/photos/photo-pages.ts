import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { addFormPages } from '../form/form-body.ts';
import { areaFrame } from '../frame/frame.ts';
import { addPages } from '../person/person-route.ts';
import { earningsFile, earningsPage, myPhotosPage } from './mine-page.ts';
import { offerPage, ownPhoto } from './offer-page.ts';
import { uploadPage } from './upload-page.ts';
import { AppError } from '../../../core/errors.ts';
import { findPhoto, isShown, type Photo } from '../../../photos/photo.ts';
import { renderOwnCopy } from '../../../photos/own-copy.ts';
import { previewFileOf, type PreviewWidth } from '../../../photos/photo-storage.ts';
import { restorePreview } from '../../../photos/restore-preview.ts';
import { sendMadeFile, sendWholeFile } from '../../../photos/send-stored-file.ts';
import { definePage } from '../person/page.ts';
import { member } from '../person/people.ts';

/** Adds the pages for photographers and the public previews. */
export function addPhotoPages(app: FastifyInstance, deps: Deps): void {
  addPreviews(app, deps);
  addFormPages(app, (scope) => {
    const pages = [myPhotosPage, earningsPage, earningsFile, offerPage, ownCopy, uploadPage];
    addPages(scope, deps, areaFrame('photographer'), pages);
  });
}

const WIDTHS = { w480: 480, w1080: 1080 } as const satisfies Record<string, PreviewWidth>;
const POLICY_PATH = '/photos/tdm-policy.json';
/** Cache lifetime. Short, because a withdrawn photo has to disappear soon. */
const CACHE_SECONDS = 300;
const OWN_CACHE_SECONDS = 3600;

/** Adds the public previews and their text and data mining policy. */
function addPreviews(app: FastifyInstance, deps: Deps): void {
  for (const [size, width] of Object.entries(WIDTHS)) {
    app.get<{ Params: { id: string } }>(`/photos/:id/${size}`, async (request, reply) => {
      const photo = await findPhoto(deps.publicReads, request.params.id);
      if (photo === undefined || !isShown(photo)) throw notFound();
      reply.header('cache-control', `public, max-age=${CACHE_SECONDS}`);
      return sendPreview(deps, request, reply, photo, width);
    });
  }
  app.get(POLICY_PATH, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('application/ld+json').send(policy(deps)),
  );
}

/** Small copy of the member's own photo, which may not be public. It has no watermark. */
const ownCopy = definePage({
  path: '/photos/mine/:id/w480',
  who: member,
  load: (req) => ownPhoto(req.deps.pool, req),
  view: ({ deps, request, reply }, photo) => ({
    send: () => {
      if (!photo.has_files || photo.month === null) throw notFound();
      return sendMadeFile(request, reply, {
        etag: `"${photo.id}-own"`,
        headers: {
          'content-type': 'image/jpeg',
          'content-security-policy': "default-src 'none'; sandbox",
          // Only the browser of the photographer keeps it: the copy is made for each request.
          'cache-control': `private, max-age=${OWN_CACHE_SECONDS}`,
        },
        make: () => renderOwnCopy(deps.photoStorage, photo.id),
      });
    },
  }),
});

/** Sends a preview. The caller has checked that the visitor may see it. */
function sendPreview(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  photo: Photo,
  width: PreviewWidth,
): Promise<FastifyReply> {
  if (!photo.has_files || photo.month === null) throw notFound();
  const { photoStorage: storage } = deps;
  const key = previewFileOf(photo.id, width);
  return sendWholeFile(request, reply, {
    storage,
    key,
    // The name of the file changes with its look.
    etag: `"${key}"`,
    restore: () => restorePreview(storage, photo, width),
    headers: {
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
      // Other sites may embed the preview with its attribution; that is its purpose.
      'cross-origin-resource-policy': 'cross-origin',
      'tdm-reservation': '1',
      'tdm-policy': deps.config.baseUrl + POLICY_PATH,
    },
  });
}

/** W3C's TDM Reservation Protocol: training on a photo requires a licence for that use. */
function policy({ config }: Deps): object {
  return {
    '@context': ['http://www.w3.org/ns/odrl.jsonld', { tdm: 'http://www.w3.org/ns/tdmrep#' }],
    '@type': 'Offer',
    profile: 'http://www.w3.org/ns/tdmrep',
    uid: config.baseUrl + POLICY_PATH,
    assigner: {
      uid: config.baseUrl,
      'vcard:fn': config.serviceName,
      'vcard:hasEmail': `mailto:${config.contactEmail}`,
      'vcard:hasURL': `${config.baseUrl}/api/agent/photos/license`,
    },
    permission: [
      {
        target: `${config.baseUrl}/photos/`,
        action: 'tdm:mine',
        duty: [{ action: 'obtainConsent' }, { action: 'compensate' }],
      },
    ],
  };
}

function notFound(): AppError {
  return new AppError('photo_not_found', 'There is no photo at this address.');
}
