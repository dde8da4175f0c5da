import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { memoizeText } from '../../../core/memory/memoize-text.ts';

type Compression = 'br' | 'gzip';
type Encoding = Compression | 'identity';

const compressBrotli = promisify<Buffer, object, Buffer>(brotliCompress);
const compressGzip = promisify<Buffer, Buffer>(gzip);
const HEADERS_REMEMBERED = 500;

interface Form {
  contentType: string;
  /** Fonts and pictures are already compressed. */
  compressible?: boolean;
  /**
   * Brotli quality, at most 11. Content that is rebuilt often uses a low one: a tenth of the time for a few per cent
   * more bytes.
   */
  quality?: number;
}

/** A response body sent to many clients: its bytes, and each requested compressed form, built once. */
export class EncodedBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly hash: string;
  readonly #compressible: boolean;
  readonly #quality: number;
  readonly #compressed = new Map<Compression, Promise<Buffer>>();

  constructor(bytes: Buffer, { contentType, compressible = true, quality = 11 }: Form) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    this.#compressible = compressible;
    this.#quality = quality;
  }

  /** Sends the body in the encoding the browser prefers, or 304 when the browser already has it. */
  async send(reply: FastifyReply): Promise<FastifyReply> {
    const { headers } = reply.request;
    const encoding = this.#compressible ? preferredEncoding(headers['accept-encoding'] ?? '') : 'identity';
    const etag = `"${this.hash}-${encoding}"`;
    if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
    // Pages for one person are marked no-store and get no ETag.
    if (reply.statusCode === 200 && reply.getHeader('cache-control') !== 'no-store') {
      reply.header('etag', etag);
      if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.header('content-type', this.contentType).send(await this.#in(encoding));
  }

  #in(encoding: Encoding): Promise<Buffer> | Buffer {
    if (encoding === 'identity') return this.bytes;
    let compressed = this.#compressed.get(encoding);
    if (compressed === undefined) this.#compressed.set(encoding, (compressed = this.#compress(encoding)));
    return compressed;
  }

  #compress(encoding: Compression): Promise<Buffer> {
    if (encoding === 'gzip') return compressGzip(this.bytes);
    return compressBrotli(this.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: this.#quality } });
  }
}

/** Returns the smallest encoding that the browser accepts. */
const preferredEncoding = memoizeText((accepted): Encoding => {
  const accepts = new Map(
    accepted.split(',').map((item) => {
      const [name = '', ...parameters] = item.toLowerCase().split(';');
      return [name.trim(), !parameters.some((parameter) => /^\s*q=0(?:\.0*)?\s*$/.test(parameter))];
    }),
  );
  return (['br', 'gzip'] as const).find((encoding) => accepts.get(encoding)) ?? 'identity';
}, HEADERS_REMEMBERED);

/** Ignores the weak prefix: a proxy that compresses responses may have made the ETag weak. */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

const QUALITY = 4;
const HTML = 'text/html; charset=utf-8';

export function pageBody(markup: string, contentType = HTML): EncodedBody {
  return new EncodedBody(Buffer.from(markup), { contentType, quality: QUALITY });
}

/** Sends a page, compressed as the browser accepts; answers 304 when the browser has the current version. */
export function sendPage(
  reply: FastifyReply,
  page: string | EncodedBody,
  contentType = HTML,
): Promise<FastifyReply> {
  // Pages for one person have set their own cache-control before.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  return (typeof page === 'string' ? pageBody(page, contentType) : page).send(reply);
}
