import type { FastifyReply } from 'fastify';
import { EncodedBody } from './encoded-body.ts';

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
