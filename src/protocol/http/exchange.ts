import type { IncomingHttpHeaders } from 'node:http';
import type { MaybePromise } from '../../core/memory/maybe-promise.ts';
import { callerGroup, type AddressGroup } from '../../core/text/address-group.ts';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';

/** A request as the protocols read it, whether it came through the router or the fast lane. */
export interface ExchangeRequest {
  id: string;
  method: string;
  url: string;
  address: AddressGroup;
  headers: IncomingHttpHeaders;
  params: Record<string, string>;
  body: unknown;
}

/** The response. A long cached text stays separate from the new text in front of it. */
export interface ExchangeReply {
  status: number;
  headers: Record<string, string>;
  body?: Buffer | string | readonly [fresh: string, ready: Buffer];
}

/** Answers a request. Errors are responses; it rejects only with those that the protocol cannot express. */
export type Exchange = (request: ExchangeRequest) => MaybePromise<ExchangeReply>;

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
