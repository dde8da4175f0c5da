import { html, safeHref, type Html } from '../../../core/text/html.ts';
import { matchesFile, type Certificate, type LicenceStatus } from '../../../licensing/certificate.ts';
import { licenceTerms, type Use } from '../../../licensing/use.ts';
import { formatTime } from '../console/moment.ts';
import { textField } from '../form/form-field.ts';
import { formatMonth } from '../photos/photo-words.ts';
import { factTable } from '../account/pay-page.ts';
import { page, type Site } from '../frame/layout.ts';

const USE_WORDS: Record<Use, string> = {
  social: 'Social media',
  web: 'Website',
  ad: 'Advertising',
  ai_training: 'AI training',
};

const STATUS_WORDS: Record<LicenceStatus, { badge: string; kind: string; text: string }> = {
  valid: { badge: 'Valid', kind: 'good', text: 'This licence is valid.' },
  test: {
    badge: 'Test',
    kind: 'warn',
    text: 'This licence was bought with test credit. It shows how licences work and gives no right to use the photo.',
  },
  ended: { badge: 'Ended', kind: 'bad', text: 'This licence has expired.' },
  refunded: { badge: 'Refunded', kind: 'bad', text: 'This licence was refunded and is no longer valid.' },
};

interface CertificateModel {
  site: Site;
  certificate: Certificate;
  status: LicenceStatus;
  city: string;
  preview: string;
  /** SHA-256 that the visitor wants to compare. */
  hash: string | undefined;
}

/** Public page about one licence: what it allows, and whether a given file is the licensed one. */
export function certificatePage({
  site,
  certificate,
  status,
  city,
  preview,
  hash,
}: CertificateModel): string {
  const { badge, kind, text } = STATUS_WORDS[status];
  return page({
    site,
    title: 'Photo licence',
    description: 'What a photo licence allows, and whether a file is the licensed one.',
    indexed: false,
    styles: ['licence.css'],
    scripts: ['licence.js'],
    body: html`<div class="wrap page prose certificate">
      <p><span class="badge ${kind}">${badge}</span></p>
      <h1>Photo licence</h1>
      <p>${text}</p>
      ${
        certificate.shown &&
        html`<figure>
          <img src="${safeHref(preview)}" alt="" width="480" height="${previewHeight(certificate)}" />
          <figcaption>${certificate.attribution_line}</figcaption>
        </figure>`
      }
      ${facts(certificate, city)} ${verification(certificate, hash)}
    </div>`,
  });
}

function previewHeight({ width, height }: Certificate): number {
  return Math.max(1, Math.round((480 * height) / width));
}

function facts(certificate: Certificate, city: string): Html {
  const { use, place_id: placeId, place_name: placeName } = certificate;
  const place =
    placeId === null
      ? 'a place that is no longer listed'
      : html`<a href="${safeHref(`/p/${placeId}`)}"><bdi>${placeName}</bdi></a
          >, ${city}`;
  const rows: [string, Html | string][] = [
    ['Licence', html`<code>${certificate.id}</code>`],
    ['Photo', html`${place}, ${formatMonth(certificate.month)}`],
    [
      'Licensee',
      html`<bdi>${certificate.operator_name}</bdi>, by the agent <bdi>${certificate.agent_name}</bdi>`,
    ],
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
    ? html`<span class="badge good">Match</span> This is the licensed file.`
    : html`<span class="badge bad">No match</span> This is not the licensed file, or it was changed.`;
}
