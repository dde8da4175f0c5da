import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyPluginCallback } from 'fastify';
import { ownValue } from '../../core/input/own-value.ts';
import { EncodedBody } from './frame/send-page.ts';

interface Asset {
  url: string;
  body: EncodedBody;
  compressible: boolean;
}

const LEAFLET = 'leaflet/dist';
const FONT = '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque';

/** In load order: a later part may override an earlier one. */
const STYLESHEET_PARTS = [
  'tokens.css',
  'elements.css',
  'page.css',
  'components.css',
  'badges.css',
  'forms.css',
  'tables.css',
  'map.css',
  'traveller.css',
  'results-map.css',
  'street-map.css',
  'destination.css',
  'place.css',
  'reference.css',
];

/** Stylesheets that only some pages need, each with its parts in load order. */
const AREA_SHEETS = {
  'console.css': ['side-menu.css', 'console.css', 'console-record.css', 'console-photos.css'],
  'licence.css': ['licence.css'],
  'member.css': ['area.css', 'member.css'],
  'oauth.css': ['area.css', 'oauth.css'],
  'photos.css': ['area.css', 'photos.css'],
  'tap.css': ['tap.css'],
  'venue.css': ['area.css', 'side-menu.css', 'venue.css'],
} as const;

/** Drawings for places without a photo. All share one palette, which follows the reader's light or dark scheme. */
const ILLUSTRATIONS = [
  'airport',
  'bakery',
  'bar',
  'bar-wine',
  'bath',
  'beach',
  'burger',
  'cafe',
  'cafe-croissant',
  'castle',
  'church',
  'curry',
  'dining',
  'fish',
  'fuel',
  'grill',
  'hospital',
  'hotel',
  'hotel-room',
  'ice-cream',
  'landmark',
  'landmark-arch',
  'market',
  'museum',
  'museum-hall',
  'noodles',
  'office',
  'other',
  'park',
  'park-lake',
  'pasta',
  'pharmacy',
  'pizza',
  'restaurant',
  'restaurant-table',
  'restaurant-terrace',
  'salad',
  'school',
  'shop',
  'shop-window',
  'stadium',
  'station',
  'sushi',
  'taco',
  'taxi',
  'temple',
  'theatre',
  'viewpoint',
] as const;

export type Illustration = (typeof ILLUSTRATIONS)[number];

/** Each illustration is also drawn in the evening, so that neighbours in a list of one kind differ. */
export const LOOKS = ['', '-evening'] as const;
type Look = (typeof LOOKS)[number];
export type Drawing = `${Illustration}${Look}`;

/** Colours of backgrounds, and those that replace them in the evening. */
const EVENING: Readonly<Record<string, string>> = {
  sky: 'cloth-rose',
  ground: 'cloth-warm',
  sun: 'salmon',
  night: 'wood-dark',
  'cloth-warm': 'cloth-green',
  'cloth-green': 'cloth-sun',
  'cloth-blue': 'cloth-warm',
  'cloth-sun': 'cloth-blue',
  'cloth-rose': 'cloth-sun',
};
/** Illustrations with letters or signs, which are not drawn from the other side. */
const WRITTEN: ReadonlySet<Illustration> = new Set([
  'fuel',
  'hospital',
  'office',
  'school',
  'station',
  'taxi',
]);

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  woff2: 'font/woff2',
} as const;

const assets = loadAssets();

export type AssetName = keyof typeof assets;

/** Returns the URL of an asset. It changes with the content, so browsers may cache it forever. */
export function assetUrl(name: AssetName): string {
  return assets[name].url;
}

/** Returns the transfer size of an asset in bytes, gzipped where that applies. */
export function assetWeight(name: AssetName): number {
  const { body, compressible } = assets[name];
  return (compressible ? gzipSync(body.bytes) : body.bytes).length;
}

/** Serves every asset from memory under `/assets/`. */
export const serveAssets: FastifyPluginCallback = (app, _options, done) => {
  const byFile = new Map(Object.values(assets).map((asset) => [asset.url.slice('/assets/'.length), asset]));
  app.get<{ Params: { file: string } }>('/assets/:file', (request, reply) => {
    const asset = byFile.get(request.params.file);
    if (asset === undefined) {
      reply.callNotFound();
      return reply;
    }
    // Views of other origins load the street map's scripts and stylesheet.
    reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
    return asset.body.send(reply.header('cache-control', 'public, max-age=31536000, immutable'));
  });
  done();
};

function loadAssets() {
  const fonts = assetsOf(
    ['display-latin.woff2', 'display-latin-ext.woff2', 'display-vietnamese.woff2'],
    (name) => readPackage(`${FONT}-${name.slice('display-'.length, -'.woff2'.length)}-wght-normal.woff2`),
  );
  const stylesheet = STYLESHEET_PARTS.map((part) => readOwn('site', part).toString())
    .join('\n')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/asset:([\w.-]+)/g, (_match, name: string) => fonts[name as keyof typeof fonts].url);
  return {
    ...fonts,
    ...loadLeaflet(),
    'street-renderer.js': makeAsset('street-renderer.js', loadStreetRenderer()),
    ...assetsOf(Object.keys(AREA_SHEETS) as (keyof typeof AREA_SHEETS)[], (name) =>
      Buffer.concat(AREA_SHEETS[name].map((part) => readOwn('areas', part))),
    ),
    ...loadScripts([
      'console.js',
      'docs-search.js',
      'licence.js',
      'live.js',
      'photo-preview.js',
      'photo-upload.js',
      'pin-editor.js',
      'rank-topics.js',
      'recovery-codes.js',
      'redraw-form.js',
      'results-map.js',
      'street-map.js',
      'table-chips.js',
      'unsaved.js',
      'waypost.js',
    ]),
    ...ownAssets('pictures', [
      'favicon.svg',
      'icon-48.png',
      'icon-192.png',
      'icon-512.png',
      'logo.svg',
      'share.png',
    ]),
    ...loadIllustrations(),
    'waypost.css': makeAsset('waypost.css', Buffer.from(stylesheet)),
  };
}

/** Loads Leaflet unchanged, except that its image URLs point to our own assets. */
function loadLeaflet() {
  const images = assetsOf(['layers.png', 'layers-2x.png', 'marker-icon.png'], (name) =>
    readPackage(`${LEAFLET}/images/${name}`),
  );
  const style = readPackage(`${LEAFLET}/leaflet.css`)
    .toString()
    .replace(
      /url\(images\/([\w.-]+)\)/g,
      (_match, name: string) => `url(${images[name as keyof typeof images].url})`,
    );
  const script = readPackage(`${LEAFLET}/leaflet.js`)
    .toString()
    .replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  return {
    ...images,
    'leaflet.css': makeAsset('leaflet.css', Buffer.from(style)),
    'leaflet.js': makeAsset('leaflet.js', Buffer.from(script)),
  };
}

function loadIllustrations() {
  const palette = readOwn('illustrations', 'palette.css')
    .toString()
    .replace(/\s*([{}:;,])\s*/g, '$1');
  const drawings = ILLUSTRATIONS.flatMap((name) => {
    const drawing = readOwn('illustrations', `${name}.svg`).toString();
    return LOOKS.map((look) => {
      const drawn = inLook(drawing, name, look);
      const body = drawn.replace('200">', `200"><style>${coloursIn(drawn, palette)}</style>`);
      return [
        `drawing-${name}${look}.svg`,
        makeAsset(`drawing-${name}${look}.svg`, Buffer.from(body)),
      ] as const;
    });
  });
  return Object.fromEntries(drawings) as Record<`drawing-${Drawing}.svg`, Asset>;
}

/** In the evening an illustration has another background, and is drawn from the other side. */
function inLook(drawing: string, name: Illustration, look: Look): string {
  if (look === '') return drawing;
  const recoloured = drawing.replaceAll(
    /class="([\w-]+)"/g,
    (_match, colour: string) => `class="${ownValue<string>(EVENING, colour) ?? colour}"`,
  );
  if (WRITTEN.has(name)) return recoloured;
  return recoloured
    .replace('200">', '200"><g transform="matrix(-1 0 0 1 320 0)">')
    .replace('</svg>', '</g></svg>');
}

/** Returns the rules of the palette that a drawing uses, because every drawing is a file of its own. */
function coloursIn(drawing: string, palette: string): string {
  const used = new Set([...drawing.matchAll(/class="([^"]+)"/g)].map(([, name]) => `.${name}`));
  return palette.replace(/([^{}]+)\{[^{}]*\}/g, (rule, selectors: string) =>
    selectors.split(',').some((name) => used.has(name)) ? rule : '',
  );
}

/** Returns the drawing of a kind of place, as SVG. */
export function drawingOf(name: Illustration): Buffer {
  return assets[`drawing-${name}.svg`].body.bytes;
}

/** Loads the renderer of vector tiles as a module: its bundle declares one variable. */
function loadStreetRenderer(): Buffer {
  // The package exports its parts only; the bundle lies beside its description.
  const folder = new URL('dist/', import.meta.resolve('protomaps-leaflet/package.json'));
  const script = readFileSync(new URL('protomaps-leaflet.js', folder))
    .toString()
    .replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  return Buffer.from(`${script}export default protomapsL;\n`);
}

function makeAsset(name: string, body: Buffer): Asset {
  const [stem, extension] = name.split('.') as [string, keyof typeof CONTENT_TYPES];
  const compressible = extension !== 'woff2' && extension !== 'png';
  const encoded = new EncodedBody(body, { contentType: CONTENT_TYPES[extension], compressible });
  return { url: `/assets/${stem}.${encoded.hash.slice(0, 10)}.${extension}`, body: encoded, compressible };
}

function assetsOf<const Name extends string>(
  names: readonly Name[],
  read: (name: Name) => Buffer,
): Record<Name, Asset> {
  const entries = names.map((name) => [name, makeAsset(name, read(name))] as const);
  return Object.fromEntries(entries) as Record<Name, Asset>;
}

/** Loads assets that are served unchanged from a folder. */
function ownAssets<const Name extends string>(folder: string, names: readonly Name[]): Record<Name, Asset> {
  return assetsOf(names, (name) => readOwn(folder, name));
}

/** Loads our scripts without the comments that fill lines of their own. */
function loadScripts<const Name extends string>(names: readonly Name[]): Record<Name, Asset> {
  return assetsOf(names, (name) =>
    Buffer.from(
      readOwn('scripts', name)
        .toString()
        .replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '')
        .replaceAll(/^ *\/\/.*\n/gm, ''),
    ),
  );
}

function readOwn(folder: string, name: string): Buffer {
  return readFileSync(new URL(`assets/${folder}/${name}`, import.meta.url));
}

function readPackage(path: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(path)));
}
