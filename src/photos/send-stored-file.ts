import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../core/errors.ts';
import type { ByteRange, PhotoStorage } from './photo-storage.ts';

interface Delivery {
  storage: PhotoStorage;
  key: string;
  /** Recorded size, so that a range can be checked before anything is read. */
  size: number;
  /** In quotes, as HTTP requires. It changes with the content. */
  etag: string;
  headers: Readonly<Record<string, string>>;
}

/** Sends a file, or the requested range of it; throws when the file is missing. */
export async function sendStoredFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { storage, key, size, etag, headers }: Delivery,
): Promise<FastifyReply> {
  if (hasCopy(request.headers['if-none-match'], etag))
    return reply.headers(headers).header('etag', etag).code(304).send();
  const range = rangeOf(request, size, etag);
  if (range === 'beyond') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const file = await storage.get(key, range);
  if (file === undefined) throw missing();
  const length = range === undefined ? size : range.end - range.start + 1;
  reply.headers({ ...headers, etag, 'accept-ranges': 'bytes', 'content-length': String(length) });
  if (range !== undefined)
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return reply.send(request.method === 'HEAD' ? discardBody(file.body) : file.body);
}

/** Sends a small file as a whole, when its size is not recorded. `restore` stores it again if it can. */
export async function sendWholeFile(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    storage,
    key,
    etag,
    headers,
    restore,
  }: Omit<Delivery, 'size'> & { restore?: (() => Promise<void>) | undefined },
): Promise<FastifyReply> {
  reply.headers({ ...headers, etag });
  if (hasCopy(request.headers['if-none-match'], etag)) return reply.code(304).send();
  let file = await storage.get(key);
  if (file === undefined && restore !== undefined) {
    await restore();
    file = await storage.get(key);
  }
  if (file === undefined) throw missing();
  reply.header('content-length', String(file.size));
  return reply.send(request.method === 'HEAD' ? discardBody(file.body) : file.body);
}

/** Sends bytes that are made for this request, unless the caller has this version of them. */
export async function sendMadeFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, headers, make }: Pick<Delivery, 'etag' | 'headers'> & { make: () => Promise<Buffer | undefined> },
): Promise<FastifyReply> {
  reply.headers({ ...headers, etag });
  if (hasCopy(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const bytes = await make();
  if (bytes === undefined) throw missing();
  return reply.send(bytes);
}

/** Replaces the body of a HEAD response by an empty one: without any body the framework would send a size of 0. */
function discardBody(body: Readable): Readable {
  body.destroy();
  return Readable.from([]);
}

function missing(): AppError {
  return new AppError('photo_not_found', 'The file of this photo does not exist.');
}

function hasCopy(condition: string | undefined, etag: string): boolean {
  return (
    condition !== undefined && condition.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  );
}

/** Supports a single range. Several ranges, or another unit, are ignored, which RFC 9110 allows. */
function rangeOf(request: FastifyRequest, size: number, etag: string): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const ifRange = request.headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  // Without a start, the range is the last N bytes.
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start > end ? 'beyond' : { start, end };
}
