import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { formatCount } from '../../../core/text/format-count.ts';
import { html } from '../../../core/text/html.ts';
import type { Destination } from '../../../directory/destinations.ts';
import { chooseDisplayName, languageNames } from '../../../directory/place/place-names.ts';
import type { Place } from '../../../directory/place/place.ts';
import { drawingOf } from '../assets.ts';
import { EncodedBody } from '../frame/send-page.ts';
import { sentenceCase } from '../frame/wording.ts';
import { illustrationOf } from './place-picture.ts';

const [WIDTH, HEIGHT] = [1200, 630];
const DRAWING_WIDTH = 464;
const MARGIN = 64;
const TEXT_WIDTH = WIDTH - DRAWING_WIDTH - 2 * MARGIN;
/** Between the top, or the mark of a closed place, and the line below the name. */
const TITLE_HEIGHT = { open: 330, closed: 270 };
/** Sizes in pixels of names with at most so many letters. */
const SIZES = [
  { letters: 14, size: 92 },
  { letters: 32, size: 76 },
  { letters: Infinity, size: 60 },
];
/** Width of a letter, as a fraction of the size: a longer word would be broken. */
const LETTER = 0.6;
const CACHE_BYTES = 16 * 2 ** 20;
const READABLE = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

const pictures = new LRUCache<string, EncodedBody>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ bytes }) => bytes.length,
});

/** The typeface of the pages. A server has it only as these files, which the text renderer adds to its own. */
const FONT = 'Bricolage Grotesque bold';
const FONT_FILES = ['bricolage-bold-latin-ext.ttf', 'bricolage-bold-latin.ttf'].map((name) =>
  fileURLToPath(new URL(`../assets/fonts/${name}`, import.meta.url)),
);

/** Returns the picture that messengers show for a shared place: its name beside the drawing of its kind. */
export async function sharePicture(
  place: Place,
  { name: destination }: Pick<Destination, 'name'>,
  serviceName: string,
): Promise<EncodedBody> {
  const { name } = chooseDisplayName({ ...place, names: languageNames(place.names) }, ['en']);
  // The typeface has Latin letters only, and the fonts of a server rarely have others.
  const title = READABLE.test(name) ? name : (place.latin_name ?? sentenceCase(place.category));
  const line = [sentenceCase(place.category), place.area, destination]
    .filter((part, at, all) => part !== null && READABLE.test(part) && all.indexOf(part) === at)
    .join(' · ');
  const words = { title, line, serviceName, isClosed: place.closed_at !== null };
  return pictureOf(illustrationOf(place, place.id), words);
}

/** Returns the picture of a shared destination: its name beside the drawing of a kind of place. */
export function destinationPicture(
  { name, country_name, places }: Pick<Destination, 'name' | 'country_name' | 'places'>,
  category: string,
  serviceName: string,
): Promise<EncodedBody> {
  const title = READABLE.test(name) ? name : country_name;
  const line = [country_name === title ? undefined : country_name, formatCount(places, 'place')]
    .filter((part) => part !== undefined)
    .join(' · ');
  return pictureOf(illustrationOf({ category }), { title, line, serviceName, isClosed: false });
}

async function pictureOf(illustration: Drawing, words: Words): Promise<EncodedBody> {
  const key = JSON.stringify([illustration, words]);
  const cached = pictures.get(key);
  if (cached !== undefined) return cached;
  const body = new EncodedBody(await draw(illustration, words), {
    contentType: 'image/png',
    compressible: false,
  });
  pictures.set(key, body);
  return body;
}

type Drawing = Parameters<typeof drawingOf>[0];

interface Words {
  title: string;
  line: string;
  serviceName: string;
  isClosed: boolean;
}

async function draw(illustration: Drawing, { title, line, serviceName, isClosed }: Words): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const top = isClosed ? 146 : MARGIN;
  const titleHeight = isClosed ? TITLE_HEIGHT.closed : TITLE_HEIGHT.open;
  const drawing = await sharp(drawingOf(illustration), { density: 300 })
    .resize(DRAWING_WIDTH, HEIGHT, { fit: 'cover' })
    .modulate({ saturation: isClosed ? 0.15 : 1 })
    .png()
    .toBuffer();
  const name = await drawTitle(title, titleHeight);
  const below = Math.min(top + name.height + 36, top + titleHeight + 16);
  return sharp(Buffer.from(groundOf(isClosed)))
    .composite([
      { input: drawing, left: WIDTH - DRAWING_WIDTH, top: 0 },
      { input: name.picture, left: MARGIN, top },
      { input: (await drawText(line, '#54585a', 32)).picture, left: MARGIN, top: below },
      { input: (await drawText(serviceName, '#17191a', 36)).picture, left: MARGIN + 60, top: 544 },
      ...(isClosed
        ? [{ input: (await drawText('Appears to have closed', '#ffffff', 30)).picture, left: 84, top: 74 }]
        : []),
    ])
    .png({ palette: true })
    .toBuffer();
}

/** Paper with the line and the signpost of the service, and the ground of the mark of a closed place. */
function groundOf(isClosed: boolean): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><path fill="#f8f8f4" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><path fill="#ffc61a" d="M64 506h${TEXT_WIDTH}v6H64z"/><g transform="translate(${MARGIN - 8} 536) scale(1.6)"><path d="M14.5 31V2.5L16 1l1.5 1.5V31z" fill="#17191a"/><path d="M5.5 5h17l5 4.25-5 4.25h-17zM26.5 16h-17l-5 4.25 5 4.25h17z" fill="#ffc61a" stroke="#17191a" stroke-width="1.5" stroke-linejoin="round"/></g>${isClosed ? '<rect x="64" y="60" width="390" height="56" rx="28" fill="#b0251d"/>' : ''}</svg>`;
}

interface DrawnText {
  picture: Buffer;
  height: number;
}

/** Draws a name in the size that its length allows, or smaller where it would be higher than its space. */
async function drawTitle(title: string, heightMax: number): Promise<DrawnText> {
  const { size = 0 } = SIZES.find(({ letters }) => title.length <= letters) ?? {};
  const longest = Math.max(...title.split(/\s/).map((word) => word.length));
  const fitting = Math.floor(TEXT_WIDTH / (LETTER * longest));
  const drawn = await drawText(title, '#17191a', Math.max(40, Math.min(size, fitting)));
  return drawn.height <= heightMax ? drawn : drawText(title, '#17191a', { height: heightMax });
}

async function drawText(
  words: string,
  colour: string,
  size: number | { height: number },
): Promise<DrawnText> {
  const { default: sharp } = await import('sharp');
  // Each file is added once; the later calls of a process find both.
  const [other, fontfile = ''] = FONT_FILES;
  if (other !== undefined && !hasFonts)
    await sharp({ text: { text: 'a', font: FONT, fontfile: other } }).toBuffer();
  hasFonts = true;
  const sized =
    typeof size === 'number' ? { font: `${FONT} ${size}`, dpi: 72 } : { font: FONT, height: size.height };
  const { data, info } = await sharp({
    text: {
      text: html`<span foreground="${colour}">${words}</span>`.toString(),
      ...{ fontfile, rgba: true, wrap: 'word-char', width: TEXT_WIDTH, ...sized },
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { picture: data, height: info.height };
}

let hasFonts = false;
