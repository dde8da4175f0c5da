import { cutTyped } from '../../../core/text/visible-text.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import { AppError } from '../../../core/errors.ts';
import { findCertificate, licenceStatus } from '../../../licensing/certificate.ts';
import { readDownloadToken } from '../../../licensing/download-link.ts';
import { cityOf, previewPath } from '../../../licensing/photo-card.ts';
import { licensedFileOf } from '../../../photos/photo-storage.ts';
import { sendStoredFile } from '../../../photos/send-stored-file.ts';
import { sendPage } from '../frame/send-page.ts';
import { siteOf } from '../frame/site.ts';
import { certificatePage } from './licence-page.ts';

type CertificateRequest = FastifyRequest<{ Params: { id: string }; Querystring: { sha256?: unknown } }>;
type FileRequest = FastifyRequest<{ Params: { token: string } }>;

const HASH_INPUT_MAX = 200;

/** Mounts the public certificate of a licence, and its file behind a link valid for 15 minutes. */
export function addLicencePages(app: FastifyInstance, deps: Deps): void {
  app.get('/licenses/:id', (request: CertificateRequest, reply) => showCertificate(deps, request, reply));
  app.get('/photos/files/:token', (request: FileRequest, reply) => sendFile(deps, request, reply));
}

async function showCertificate(
  deps: Deps,
  request: CertificateRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const certificate = await findCertificate(deps.pool, request.params.id);
  if (certificate === undefined)
    throw new AppError('license_not_found', 'There is no licence at this address.', {
      hint: 'Check that the address was copied completely.',
    });
  const { sha256 } = request.query;
  const { destination_id: destinationId } = certificate;
  return sendPage(
    reply,
    certificatePage({
      site: siteOf(deps),
      certificate,
      status: licenceStatus(certificate, deps.clock.now()),
      city:
        certificate.city ?? (destinationId === null ? '' : cityOf(deps, { destination_id: destinationId })),
      preview: previewPath(certificate.photo_id),
      hash: typeof sha256 === 'string' ? cutTyped(sha256, HASH_INPUT_MAX) : undefined,
    }),
  );
}

async function sendFile(deps: Deps, request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
  const link = readDownloadToken(deps, request.params.token);
  if (link === undefined)
    throw new AppError('not_found', 'We did not create this link, or it was not copied completely.');
  const certificate = await findCertificate(deps.pool, link.licenceId);
  if (certificate === undefined) throw new AppError('license_not_found', 'There is no such licence.');
  if (link.expiresAt <= deps.clock.now() || certificate.refunded_at !== null)
    throw new AppError(
      'link_expired',
      'This link has expired after 15 minutes, or its licence was refunded.',
      { hint: 'The holder of the licence gets a new one with POST /api/agent/photos/link.' },
    );
  return sendStoredFile(request, reply, {
    storage: deps.photoStorage,
    key: licensedFileOf(certificate.photo_id),
    size: certificate.bytes,
    etag: `"${certificate.sha256}"`,
    headers: {
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="${certificate.id}.jpg"`,
      'cache-control': 'private, no-store',
      // Only a training licence permits machine learning on the file.
      'tdm-reservation': certificate.use === 'ai_training' ? '0' : '1',
    },
  });
}
