import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Deps, Surface } from '../../core/context.ts';
import { AppError } from '../../core/errors.ts';
import { accepts } from '../accept.ts';
import { authenticate, bearerChallenge } from '../authenticate.ts';
import { askedBy, routeHandler, say, type Asked, type Exchange, type Said } from '../exchange.ts';
import type { LaneRoutes } from '../fast-lane.ts';
import { toAppError } from '../http-error.ts';
import { failedReadHeaders } from '../meter-read.ts';
import { errorHeaders, problemSaid } from '../problem.ts';
import type { Offer, RpcText } from './dispatch.ts';
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
export function addMcpEndpoint(app: FastifyInstance, deps: Deps, endpoint: Endpoint, lane: LaneRoutes): void {
  const errorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    say(reply, faultSaid(deps, endpoint, askedBy(request), thrown));
  const post: Exchange = async (asked) => {
    const known: Known = { metered: false };
    try {
      return await answerPost(deps, endpoint, asked, known);
    } catch (thrown) {
      const said = faultSaid(deps, endpoint, asked, thrown);
      if (known.metered) Object.assign(said.headers, await failedReadHeaders(deps, known.actor, thrown));
      return said;
    }
  };
  const options = { errorHandler, config: { mcp: true } };
  app.post(endpoint.path, options, routeHandler(post));
  app.delete(
    endpoint.path,
    options,
    routeHandler((asked) => answerDelete(deps, endpoint, asked)),
  );
  const refuse = (asked: Asked, thrown: unknown) => faultSaid(deps, endpoint, asked, thrown);
  lane.set(`POST ${endpoint.path}`, { exchange: post, mcp: true, refuse });
}

const ACCEPTED: Said = { status: 202, headers: {} };

/** What is known of a request when it is refused: what is left of a caller's quota stands in the refusal too. */
interface Known {
  metered: boolean;
  actor?: Actor;
}

async function answerPost(deps: Deps, endpoint: Endpoint, asked: Asked, known: Known): Promise<Said> {
  const asStream = wantsStream(asked.headers.accept);
  if (asStream && !accepts(asked.headers.accept, 'text/event-stream')) {
    throw new AppError('not_acceptable', 'The answer is application/json or text/event-stream.');
  }
  const message = readMessage(asked.body);
  if (message === undefined) return ACCEPTED;
  known.metered = endpoint.offer.isMetered(message);
  const era = eraOf(message, asked.headers);
  const caller = authenticate(deps, endpoint.surface, asked, deps.config.baseUrl + endpoint.path);
  const actor = caller instanceof Promise ? await caller : caller;
  known.actor = actor;
  const now = deps.clock.now();
  if (era.kind === 'legacy') readSession(deps, endpoint, asked, message, actor, now);
  if (message.id === undefined) return ACCEPTED;
  if (message.method === 'tools/call' && endpoint.keyForCalls) requirePartner(actor);
  const { text, headers } = await endpoint.offer.answer(message, era, { actor, requestId: asked.id });
  const opened =
    era.kind === 'legacy' && message.method === 'initialize'
      ? { 'mcp-session-id': deps.sessions.create(endpoint.surface, actor, now) }
      : undefined;
  return textSaid(200, text, asStream, { ...headers, ...opened });
}

async function answerDelete(deps: Deps, endpoint: Endpoint, asked: Asked): Promise<Said> {
  const token = asked.headers['mcp-session-id'];
  if (typeof token !== 'string')
    throw new AppError('bad_request', 'DELETE ends a session: send its Mcp-Session-Id.');
  const actor = await authenticate(deps, endpoint.surface, asked, deps.config.baseUrl + endpoint.path);
  deps.sessions.check(token, endpoint.surface, actor, deps.clock.now());
  await deps.sessions.end(token);
  return { status: 204, headers: {} };
}

/** A session id is optional, but one that is sent must be good. A stale one does not stand in the way of a new start. */
function readSession(
  deps: Deps,
  endpoint: Endpoint,
  asked: Asked,
  message: RpcMessage,
  actor: Actor,
  now: Date,
): void {
  const token = asked.headers['mcp-session-id'];
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

function textSaid(
  status: number,
  text: string | RpcText,
  asStream: boolean,
  headers: Record<string, string>,
): Said {
  const own = { ...headers, 'cache-control': 'no-store' };
  if (!asStream) return { status, headers: { ...own, 'content-type': 'application/json' }, body: text };
  const whole = typeof text === 'string' ? text : text[0] + text[1].toString();
  return {
    status,
    headers: { ...own, 'content-type': 'text/event-stream' },
    body: `event: message\ndata: ${whole}\n\n`,
  };
}

/** Faults of the protocol are JSON-RPC errors with a fitting HTTP status. What the guards refuse stays a problem document. */
function faultSaid(deps: Deps, endpoint: Endpoint, asked: Asked, thrown: unknown): Said {
  const id = idOf(asked.body);
  if (thrown instanceof RpcError) {
    // With status 200 it is an answer like others, in the form that the client asked for.
    const asStream = thrown.status === 200 && wantsStream(asked.headers.accept);
    return textSaid(thrown.status, errorText(id, thrown), asStream, {});
  }
  const error = toAppError(thrown);
  if (asked.body === undefined && error.status === 403)
    return problemSaid(deps.config.baseUrl, error, asked.id);
  if (error.status >= 500) deps.log.error({ err: thrown, request_id: asked.id }, 'mcp request failed');
  const challenge =
    error.code === 'missing_credentials' && endpoint.surface === 'agent'
      ? { 'www-authenticate': bearerChallenge(deps.config) }
      : undefined;
  return textSaid(error.status, errorText(id, rpcErrorOf(error)), false, {
    ...challenge,
    ...errorHeaders(error),
  });
}
