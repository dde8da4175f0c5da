import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { drawScene, type SceneKind } from '../../src/demo/photos/draw-scene.ts';

/** A picture as a phone takes it: turned, and with a note of where, when and by whom. */
export async function phonePhoto(seed = 1, kind: SceneKind = 'coast'): Promise<Buffer> {
  return sharp(await drawScene(kind, seed))
    .resize(1600)
    .rotate(270)
    .jpeg({ quality: 85 })
    .withMetadata({ orientation: 6 })
    .withExif({
      IFD0: { Make: 'Somephone', Artist: 'Jane Q. Traveller', Orientation: '6' },
      IFD2: { DateTimeOriginal: '2026:09:14 18:31:05' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '8/1 46/1 12/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '115/1 10/1 3/1',
      },
    })
    .toBuffer();
}

const GRID = { width: 10, height: 5, channels: 3 } as const;

/** The smallest photo that is taken, like none with another number. To draw one as a phone takes it costs ten times as much. */
export function smallPhoto(seed: number): Promise<Buffer> {
  const { width, height } = GRID;
  const spots = createHash('shake256', { outputLength: 3 * width * height })
    .update(String(seed))
    .digest();
  return sharp(spots, { raw: GRID }).resize(1_000, 500, { fit: 'fill' }).jpeg().toBuffer();
}

export function plainPhoto(format: 'png' | 'webp' | 'tiff' | 'avif' | 'gif' | 'jpeg'): Promise<Buffer> {
  return flat(1200, 800)[format]().toBuffer();
}

export function flat(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#7a9' } });
}

/** A few kilobytes that would become gigabytes: a PNG that says it is large, with zeros in it. */
export function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(4 * 2 ** 20))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export const SVG_WITH_SCRIPT = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900"><script>alert(1)</script><rect width="9" height="9"/></svg>',
);

/** The head of an iPhone's default format. */
export const HEIC_HEAD = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypheic\0\0\0\0mif1heic', 'latin1'),
  Buffer.alloc(64),
]);
