import { LRUCache } from 'lru-cache';
import { html } from '../../../../core/text/html.ts';
import type { Destination } from '../../../../directory/destinations.ts';
import { chooseDisplayName, languageNames } from '../../../../directory/place/place-names.ts';
import type { Place } from '../../../../directory/place/place.ts';
import { drawingOf } from '../../assets.ts';
import { EncodedBody } from '../../frame/send-page.ts';
import { sentenceCase } from '../../frame/wording.ts';
import { illustrationOf } from '../place-picture.ts';

const [WIDTH, HEIGHT] = [1200, 630];
/** Area of the name: its size follows from how many lines a name of that length needs. */
const [NAME_WIDTH, NAME_HEIGHT] = [600, 300];
const [LINE_LETTERS, LINE_HEIGHT] = [12, 100];
const CACHE_BYTES = 16 * 2 ** 20;
const READABLE = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

const pictures = new LRUCache<string, EncodedBody>({
  maxSize: CACHE_BYTES,
  sizeCalculation: ({ bytes }) => bytes.length,
});

/** Returns the picture that messengers show for a shared place: its name beside the drawing of its kind. */
export async function sharePicture(
  place: Place,
  { name: destination }: Pick<Destination, 'name'>,
  serviceName: string,
): Promise<EncodedBody> {
  const { name } = chooseDisplayName({ ...place, names: languageNames(place.names) }, ['en']);
  // The fonts of a server rarely have other scripts.
  const title = READABLE.test(name) ? name : (place.latin_name ?? sentenceCase(place.category));
  const line = [sentenceCase(place.category), place.area, destination]
    .filter((part, at, all) => part !== null && READABLE.test(part) && all.indexOf(part) === at)
    .join(' · ');
  const illustration = illustrationOf(place, place.id);
  const key = JSON.stringify([illustration, title, line, serviceName]);
  const cached = pictures.get(key);
  if (cached !== undefined) return cached;
  const body = new EncodedBody(await draw(illustration, { title, line, serviceName }), {
    contentType: 'image/png',
    compressible: false,
  });
  pictures.set(key, body);
  return body;
}

interface Words {
  title: string;
  line: string;
  serviceName: string;
}

async function draw(
  illustration: Parameters<typeof drawingOf>[0],
  { title, line, serviceName }: Words,
): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const text = (words: string, font: string, colour: string, box: { width: number; height?: number }) =>
    sharp({
      text: {
        text: html`<span foreground="${colour}">${words}</span>`.toString(),
        ...{ font, rgba: true, wrap: 'word-char', ...box },
        ...(box.height === undefined && { dpi: 72 }),
      },
    })
      .png()
      .toBuffer();
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><path fill="#f8f8f4" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><path fill="#ffc61a" d="M64 500h${NAME_WIDTH}v6H64z"/></svg>`;
  const drawing = await sharp(drawingOf(illustration), { density: 300 })
    .resize(464, HEIGHT, { fit: 'cover' })
    .png()
    .toBuffer();
  return sharp(Buffer.from(ground))
    .composite([
      { input: drawing, left: WIDTH - 464, top: 0 },
      {
        input: await text(title, 'sans-serif bold', '#17191a', {
          width: NAME_WIDTH,
          height: Math.min(NAME_HEIGHT, Math.ceil(title.length / LINE_LETTERS) * LINE_HEIGHT),
        }),
        ...{ left: 64, top: 72 },
      },
      { input: await text(line, 'sans-serif 30', '#54585a', { width: NAME_WIDTH }), left: 64, top: 412 },
      {
        input: await text(serviceName, 'sans-serif bold 34', '#17191a', { width: NAME_WIDTH }),
        left: 64,
        top: 536,
      },
    ])
    .png({ palette: true })
    .toBuffer();
}
