import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { html, safeHref, type Html } from '../../core/text/html.ts';
import { cutTyped } from '../../core/text/visible-text.ts';
import {
  findCertificate,
  licenceStatus,
  matchesFile,
  type Certificate,
  type LicenceStatus,
} from '../../licensing/certificate.ts';
import { readDownloadToken } from '../../licensing/download-link.ts';
import { cityOf, previewPath } from '../../licensing/photo-card.ts';
import { licenceTerms, type Use } from '../../licensing/use.ts';
import { licensedFileOf } from '../../photos/photo-storage.ts';
import { sendStoredFile } from '../../photos/send-stored-file.ts';
import { factTable } from './account/pay-page.ts';
import { formatTime } from './console/moment.ts';
import { textField } from './form/form-field.ts';
import { badge, link, userText } from './frame/components.ts';
import { page } from './frame/layout.ts';
import { sendPage } from './frame/send-page.ts';
import { siteOf } from './frame/site.ts';
import { formatMonth } from './photos/photo-words.ts';

type CertificateRequest = FastifyRequest<{ Params: { id: string }; Querystring: { sha256?: unknown } }>;
type FileRequest = FastifyRequest<{ Params: { token: string } }>;

const HASH_INPUT_MAX = 200;

/** Mounts the public certificate of a licence, and its file behind a link valid for 15 minutes. */
export function addLicencePages(app: FastifyInstance, deps: Deps): void {
  app.get('/licenses/:id', (request: CertificateRequest, reply) => showCertificate(deps, request, reply));
  app.get('/photos/files/:token', (request: FileRequest, reply) => sendFile(deps, request, reply));
}

/** Shows one licence to everybody: what it allows, and whether a given file is the licensed one. */
async function showCertificate(
  deps: Deps,
  { params, query: { sha256 } }: CertificateRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const certificate = await findCertificate(deps.pool, params.id);
  if (certificate === undefined)
    throw new AppError('license_not_found', 'There is no licence at this address.', {
      hint: 'Check that the address was copied completely.',
    });
  const { destination_id, photo_id, shown, attribution_line } = certificate;
  const city = certificate.city ?? (destination_id === null ? '' : cityOf(deps, { destination_id }));
  const hash = typeof sha256 === 'string' ? cutTyped(sha256, HASH_INPUT_MAX) : undefined;
  const { word, kind, text } = STATUS_WORDS[licenceStatus(certificate, deps.clock.now())];
  const preview = html`<figure>
    <img src="${safeHref(previewPath(photo_id))}" alt="" width="480" height="${previewHeight(certificate)}" />
    <figcaption>${attribution_line}</figcaption>
  </figure>`;
  const markup = page({
    site: siteOf(deps),
    title: 'Photo licence',
    description: 'What a photo licence allows, and whether a file is the licensed one.',
    indexed: false,
    styles: ['licence.css'],
    scripts: ['licence.js'],
    body: html`<div class="wrap page prose certificate">
      <p>${badge(kind, word)}</p>
      <h1>Photo licence</h1>
      <p>${text}</p>
      ${shown && preview} ${facts(certificate, city)} ${verification(certificate, hash)}
    </div>`,
  });
  return sendPage(reply, markup);
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

const USE_WORDS: Record<Use, string> = {
  social: 'Social media',
  web: 'Website',
  ad: 'Advertising',
  ai_training: 'AI training',
};

const STATUS_WORDS: Record<LicenceStatus, { word: string; kind: string; text: string }> = {
  valid: { word: 'Valid', kind: 'good', text: 'This licence is valid.' },
  test: {
    word: 'Test',
    kind: 'warn',
    text: 'This licence was bought with test credit. It shows how licences work and gives no right to use the photo.',
  },
  ended: { word: 'Ended', kind: 'bad', text: 'This licence has expired.' },
  refunded: { word: 'Refunded', kind: 'bad', text: 'This licence was refunded and is no longer valid.' },
};

function previewHeight({ width, height }: Certificate): number {
  return Math.max(1, Math.round((480 * height) / width));
}

function facts(certificate: Certificate, city: string): Html {
  const { use, place_id: placeId, place_name: placeName, operator_name, agent_name } = certificate;
  const place =
    placeId === null
      ? 'a place that is no longer listed'
      : html`${link(`/p/${placeId}`, userText(placeName))}, ${city}`;
  const rows: [string, Html | string][] = [
    ['Licence', html`<code>${certificate.id}</code>`],
    ['Photo', html`${place}, ${formatMonth(certificate.month)}`],
    ['Licensee', html`${userText(operator_name)}, by the agent ${userText(agent_name)}`],
    ['Use', USE_WORDS[use]],
    ['Allowed', licenceTerms(use).scope],
    ['Licensed', formatTime(certificate.licensed_at)],
    ['Ends', certificate.expires_at === null ? 'Never' : formatTime(certificate.expires_at)],
    ['Beside the photo', certificate.attribution_line],
    ['Exclusive', 'No'],
    [
      'File',
      `JPEG, ${certificate.width} × ${certificate.height}, ${certificate.bytes.toLocaleString('en')} bytes`,
    ],
    ['SHA-256', html`<code class="hash">${certificate.sha256}</code>`],
  ];
  return factTable(rows);
}

/** The file never leaves the visitor's machine: a script hashes it there, or the visitor pastes a hash. */
function verification(certificate: Certificate, hash: string | undefined): Html {
  const match = hash === undefined ? undefined : matchesFile(certificate, hash);
  const fault =
    hash !== undefined && match === undefined ? 'A SHA-256 has 64 characters, 0 to 9 and a to f.' : undefined;
  return html`<section class="flow">
    <h2 id="check">Check a file</h2>
    <p>
      Only the licensed file has the hash above. The file is read on your own device; it is not sent anywhere.
    </p>
    <p class="verdict" role="status" data-sha256="${certificate.sha256}">
      ${match !== undefined && verdict(match)}
    </p>
    <div class="field pick" hidden>
      <label for="file">Choose or drop the file</label>
      <input id="file" type="file" accept="image/jpeg" />
    </div>
    <form method="get" action="${safeHref(`/licenses/${certificate.id}`)}#check" class="flow">
      ${textField({
        name: 'sha256',
        label: 'SHA-256 of the file',
        hint: 'On a command line: sha256sum photo.jpg',
        value: hash ?? '',
        maxlength: 200,
        required: true,
        fault,
      })}
      <button class="button plain" type="submit">Compare</button>
    </form>
  </section>`;
}

function verdict(match: boolean): Html {
  return match
    ? html`${badge('good', 'Match')} This is the licensed file.`
    : html`${badge('bad', 'No match')} This is not the licensed file, or it was changed.`;
}
