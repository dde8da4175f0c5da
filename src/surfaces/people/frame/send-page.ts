import type { FastifyReply } from 'fastify';
import { EncodedBody } from './encoded-body.ts';

const QUALITY = 4;
const HTML = 'text/html; charset=utf-8';

/** A page as bytes. */
export function pageBody(markup: string, contentType = HTML): EncodedBody {
  return new EncodedBody(Buffer.from(markup), { contentType, quality: QUALITY });
}

/** Sends a page, compressed as the browser accepts it; an unchanged page is not sent again. */
export function sendPage(
  reply: FastifyReply,
  page: string | EncodedBody,
  contentType = HTML,
): Promise<FastifyReply> {
  // A page that holds what is meant for one person says so before it gets here.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  return (typeof page === 'string' ? pageBody(page, contentType) : page).send(reply);
}
