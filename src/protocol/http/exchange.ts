import type { IncomingHttpHeaders } from 'node:http';
import type { NowOrLater } from '../../core/memory/now-or-later.ts';
import { callerGroup, type AddressGroup } from '../../core/text/address-group.ts';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

/** A request as the protocols read it, whichever way it came in. */
export interface ExchangeRequest {
  id: string;
  method: string;
  url: string;
  /** Where the caller is, seen through the proxies that are trusted. */
  address: AddressGroup;
  headers: IncomingHttpHeaders;
  params: Record<string, string>;
  /** The parsed JSON body; undefined when there was none. */
  body: unknown;
}

/** What is said in return. A long text that is kept ready stays apart from what is new in front of it. */
export interface ExchangeReply {
  status: number;
  headers: Record<string, string>;
  body?: Buffer | string | readonly [fresh: string, ready: Buffer];
}

/** Answers a request. Faults are answers too: it rejects for none that the protocol has words for. */
export type Exchange = (request: ExchangeRequest) => NowOrLater<ExchangeReply>;

/** Lets the router serve an exchange. */
export function routeHandler(exchange: Exchange): RouteHandlerMethod {
  return async (request, reply) => sendReply(reply, await exchange(exchangeRequestOf(request)));
}

export function exchangeRequestOf(request: FastifyRequest): ExchangeRequest {
  const { id, method, url, headers, body } = request;
  const params = request.params as Record<string, string>;
  return { id, method, url, address: callerGroup(request), headers, params, body };
}

export function sendReply(reply: FastifyReply, { status, headers, body }: ExchangeReply): FastifyReply {
  reply.code(status).headers(headers);
  if (Array.isArray(body))
    return reply.send(Buffer.concat([Buffer.from(body[0] as string), body[1] as Buffer]));
  return reply.send(body);
}
