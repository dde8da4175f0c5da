import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { remember } from '../../../core/memory/remember.ts';

type Compression = 'br' | 'gzip';
type Encoding = Compression | 'identity';

const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress);
const compressGzip = promisify<Buffer, Buffer>(gzip);
const HEADERS_REMEMBERED = 500;

interface Form {
  contentType: string;
  /** A font and a picture are compressed already. */
  compressible?: boolean;
  /** Of Brotli, up to 11. What is made anew all the time takes a low one: a tenth of the time, a few per cent more bytes. */
  quality?: number;
}

/** What is sent to many: its bytes, and the compressed forms that were asked for, each made once. */
export class EncodedBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly hash: string;
  readonly #compressible: boolean;
  readonly #quality: number;
  readonly #made = new Map<Compression, Promise<Buffer>>();

  constructor(bytes: Buffer, { contentType, compressible = true, quality = 11 }: Form) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    this.#compressible = compressible;
    this.#quality = quality;
  }

  /** Sends it in the form that the browser prefers, or says that the browser has it already. */
  async send(reply: FastifyReply): Promise<FastifyReply> {
    const { headers } = reply.request;
    const encoding = this.#compressible ? preferredEncoding(headers['accept-encoding'] ?? '') : 'identity';
    const etag = `"${this.hash}-${encoding}"`;
    if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
    // A page for one person says that nobody is to keep it.
    if (reply.statusCode === 200 && reply.getHeader('cache-control') !== 'no-store') {
      reply.header('etag', etag);
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.header('content-type', this.contentType).send(await this.#in(encoding));
  }

  #in(encoding: Encoding): Promise<Buffer> | Buffer {
    if (encoding === 'identity') return this.bytes;
    let made = this.#made.get(encoding);
    if (made === undefined) this.#made.set(encoding, (made = this.#compress(encoding)));
    return made;
  }

  #compress(encoding: Compression): Promise<Buffer> {
    if (encoding === 'gzip') return compressGzip(this.bytes);
    return compressBrotli(this.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: this.#quality } });
  }
}

/** Of what a browser accepts, the smallest. */
const preferredEncoding = remember((accepted): Encoding => {
  const named = new Map(
    accepted.split(',').map((item) => {
      const [name = '', ...parameters] = item.toLowerCase().split(';');
      return [name.trim(), !parameters.some((parameter) => /^\s*q=0(?:\.0*)?\s*$/.test(parameter))];
    }),
  );
  return (['br', 'gzip'] as const).find((encoding) => named.get(encoding)) ?? 'identity';
}, HEADERS_REMEMBERED);

/** A proxy that compresses what it passes on may have made the tag a weak one. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}
