import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanImage } from '../../src/venue/clean-image.ts';
import { samplePng } from '../harness/sample-png.ts';

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** What a camera writes: an orientation, and where the picture was taken. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.from(
    '49492a0008000000020012010300010000000000000025880400010000002600000000000000',
    'hex',
  );
  tiff.writeUInt16LE(orientation, 18);
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from('GPS 8.7 S 115.1 E')]));
}

function jpeg(...between: Buffer[]): Buffer {
  const frame = segment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0]));
  const scan = Buffer.concat([
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0xd9]),
  ]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...between, frame, scan]);
}

test('what a camera wrote about place and time leaves a JPEG, its orientation stays', () => {
  const comment = segment(0xfe, Buffer.from('taken at home'));
  const clean = cleanImage(jpeg(exif(6), comment));
  assert.equal(clean?.extension, 'jpg');
  assert.equal(clean.bytes.includes('GPS'), false);
  assert.equal(clean.bytes.includes('taken at home'), false);
  const at = clean.bytes.indexOf('Exif');
  assert.equal(clean.bytes.readUInt16BE(at + 24), 6);
  assert.ok(clean.bytes.subarray(-3).equals(Buffer.from([0x12, 0xff, 0xd9])));
  assert.equal(cleanImage(jpeg(exif(1)))?.bytes.includes('Exif'), false);
});

test('texts leave a PNG, and the picture stays', () => {
  const png = samplePng(4, 4);
  assert.ok(png.includes('somebody'));
  const clean = cleanImage(png);
  assert.equal(clean?.extension, 'png');
  assert.equal(clean.bytes.includes('somebody'), false);
  assert.ok(clean.bytes.includes('IDAT') && clean.bytes.includes('IEND'));
});

test('Exif and XMP leave a WebP, and its flags say so', () => {
  const chunk = (type: string, body: Buffer) => {
    const head = Buffer.alloc(8, type, 'latin1');
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.from([0x0c, 0, 0, 0, 1, 0, 0, 1, 0, 0])),
    chunk('VP8 ', Buffer.from([1, 2, 3])),
    chunk('EXIF', Buffer.from('secret')),
    chunk('XMP ', Buffer.from('<x>secret</x>')),
  ]);
  const head = Buffer.alloc(8, 'RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  const clean = cleanImage(Buffer.concat([head, body]));
  assert.equal(clean?.extension, 'webp');
  assert.equal(clean.bytes.includes('secret'), false);
  assert.equal(clean.bytes[clean.bytes.indexOf('VP8X') + 8], 0);
  assert.equal(clean.bytes.readUInt32LE(4), clean.bytes.length - 8);
});

test('anything else is no picture, whatever it begins with', () => {
  const png = samplePng(4, 4);
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    Buffer.from('GIF89a'),
    Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
    jpeg().subarray(0, 20),
    png.subarray(0, 40),
    png.subarray(0, png.length - 12),
    Buffer.from('RIFF\0\0\0\0WEBP'),
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(0xe1, Buffer.from('Exif\0\0II*\0\xff\xff\xff\xff', 'latin1')),
    ]),
  ])
    assert.equal(cleanImage(bytes), undefined);
});
