import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Deps, Surface } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { accepts } from '../accept.ts';
import { authenticate, bearerChallenge } from '../authenticate.ts';
import { toAppError } from '../http-error.ts';
import { errorHeaders, sendProblem } from '../problem.ts';
import type { Offer } from './dispatch.ts';
import { eraOf } from './era.ts';
import { errorText, idOf, readMessage, RpcError, rpcErrorOf, type RpcMessage } from './json-rpc.ts';

export interface Endpoint {
  surface: Surface;
  path: string;
  offer: Offer;
  /** Whether every tools/call needs a partner key; where it does, there is no anonymous path. */
  keyForCalls: boolean;
}

/** Serves MCP over POST on one path, in both eras. There are no streams, so GET is not allowed. */
export function addMcpEndpoint(app: FastifyInstance, deps: Deps, endpoint: Endpoint): void {
  const errorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(deps, thrown, request, reply);
  app.post(endpoint.path, { errorHandler, config: { mcp: true } }, (request, reply) =>
    handlePost(deps, endpoint, request, reply),
  );
  app.delete(endpoint.path, { errorHandler, config: { mcp: true } }, (request, reply) =>
    handleDelete(deps, endpoint, request, reply),
  );
}

async function handlePost(
  deps: Deps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asStream = wantsStream(request.headers.accept);
  if (asStream && !accepts(request.headers.accept, 'text/event-stream')) {
    throw new AppError('not_acceptable', 'The answer is application/json or text/event-stream.');
  }
  const message = readMessage(request.body);
  if (message === undefined) return reply.code(202).send();
  const era = eraOf(message, request.headers);
  const actor = await authenticate(deps, endpoint.surface, request);
  const now = deps.clock.now();
  if (era.kind === 'legacy') readSession(deps, endpoint, request, message, actor, now);
  if (message.id === undefined) return reply.code(202).send();
  if (message.method === 'tools/call' && endpoint.keyForCalls) requirePartner(actor);
  const { text, headers } = await endpoint.offer.answer(message, era, { actor, requestId: request.id });
  reply.headers(headers);
  if (era.kind === 'legacy' && message.method === 'initialize') {
    reply.header('mcp-session-id', deps.sessions.create(endpoint.surface, actor, now));
  }
  return send(reply, 200, text, asStream);
}

async function handleDelete(
  deps: Deps,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = request.headers['mcp-session-id'];
  if (typeof token !== 'string')
    throw new AppError('bad_request', 'DELETE ends a session: send its Mcp-Session-Id.');
  const actor = await authenticate(deps, endpoint.surface, request);
  deps.sessions.check(token, endpoint.surface, actor, deps.clock.now());
  await deps.sessions.end(token);
  return reply.code(204).send();
}

/** A session id is optional, but one that is sent must be good. A stale one does not stand in the way of a new start. */
function readSession(
  deps: Deps,
  endpoint: Endpoint,
  request: FastifyRequest,
  message: RpcMessage,
  actor: Actor,
  now: Date,
): void {
  const token = request.headers['mcp-session-id'];
  if (token === undefined || message.method === 'initialize') return;
  deps.sessions.check(typeof token === 'string' ? token : '', endpoint.surface, actor, now);
}

function requirePartner(actor: Actor): void {
  if (actor.kind === 'partner') return;
  throw new AppError(
    'missing_credentials',
    'Every tool here needs a partner key in the X-Partner-Key header.',
    {
      hint: 'Ask the operator of the service for one.',
    },
  );
}

/** JSON is the normal answer; a client that accepts nothing but an event stream gets one with a single event. */
function wantsStream(accept: string | undefined): boolean {
  return !accepts(accept, 'application/json');
}

function send(reply: FastifyReply, status: number, text: Buffer | string, asStream: boolean): FastifyReply {
  reply.code(status).header('cache-control', 'no-store');
  if (!asStream) return reply.header('content-type', 'application/json').send(text);
  return reply
    .header('content-type', 'text/event-stream')
    .send(`event: message\ndata: ${text.toString()}\n\n`);
}

/** Faults of the protocol are JSON-RPC errors with a fitting HTTP status. What the guards refuse stays a problem document. */
function sendError(deps: Deps, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const id = idOf(request.body);
  if (thrown instanceof RpcError) {
    // With status 200 it is an answer like others, in the form that the client asked for.
    const asStream = thrown.status === 200 && wantsStream(request.headers.accept);
    return send(reply, thrown.status, errorText(id, thrown), asStream);
  }
  const error = toAppError(thrown);
  if (request.body === undefined && error.status === 403)
    return sendProblem(reply, deps.config.baseUrl, error);
  if (error.status >= 500) request.log.error({ err: thrown, request_id: request.id }, 'mcp request failed');
  const challenge = error.code === 'missing_credentials' && request.routeOptions.url === '/mcp';
  reply.headers(
    challenge
      ? { 'www-authenticate': bearerChallenge(deps.config), ...errorHeaders(error) }
      : errorHeaders(error),
  );
  return send(reply, error.status, errorText(id, rpcErrorOf(error)), false);
}
