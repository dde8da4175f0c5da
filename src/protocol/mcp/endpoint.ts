import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Deps, Surface } from '../../core/context.ts';
import { AppError, isFailure } from '../../core/errors.ts';
import { andThen, orElse, type MaybePromise } from '../../core/memory/maybe-promise.ts';
import { accepts } from '../http/accept.ts';
import { authenticate, bearerChallenge } from '../authenticate.ts';
import {
  exchangeRequestOf,
  routeHandler,
  sendReply,
  type ExchangeRequest,
  type Exchange,
  type ExchangeReply,
} from '../http/exchange.ts';
import type { LaneRoutes } from '../http/fast-lane.ts';
import { toAppError } from '../http/http-error.ts';
import { takeCall } from '../run/meter-call.ts';
import { failedReadHeaders, withRemaining } from '../run/meter-read.ts';
import { errorHeaders, problemReply } from '../http/problem.ts';
import type { McpServer, RpcText } from './dispatch.ts';
import { eraOf, type Era } from './era.ts';
import { signInResult } from './sign-in-prompt.ts';
import { errorText, idOf, readMessage, RpcError, rpcErrorOf, type RpcMessage } from './json-rpc.ts';

interface McpEndpoint {
  surface: Surface;
  path: string;
  url: string;
  offer: McpServer;
  fullOffer?: McpServer;
  /** True when every tools/call needs a partner's credential, so that there is no anonymous access. */
  keyForCalls: boolean;
  /** True when calls are counted: by the partner's plan, or without a key by session and address. */
  counted?: boolean;
}

const FULL_PROFILE = /[?&]profile=full(?:&|$)/;

/** Serves MCP over POST on one path, in both eras. There are no streams, so GET is not allowed. */
export function addMcpEndpoint(
  app: FastifyInstance,
  deps: Deps,
  endpoint: McpEndpoint,
  lane: LaneRoutes,
): void {
  const errorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendReply(reply, faultReply(deps, endpoint, exchangeRequestOf(request), thrown));
  const { fullOffer } = endpoint;
  const full = fullOffer === undefined ? endpoint : { ...endpoint, offer: fullOffer };
  const post: Exchange = (request) => {
    const progress: RequestProgress = { metered: false };
    const startedAt = performance.now();
    const profile = FULL_PROFILE.test(request.url) ? full : endpoint;
    const answer = orElse(
      () => answerPost(deps, profile, request, progress),
      async (thrown) => {
        progress.failure = toAppError(thrown).code;
        const reply =
          promptReply(deps, endpoint, request, progress, thrown) ??
          faultReply(deps, endpoint, request, thrown);
        Object.assign(reply.headers, progress.limits);
        if (progress.metered)
          Object.assign(reply.headers, await failedReadHeaders(deps, progress.actor, thrown));
        return reply;
      },
    );
    return andThen(answer, (reply) => {
      const { actor, tool, failure } = progress;
      if (tool !== undefined) {
        const { surface } = endpoint;
        const ms = performance.now() - startedAt;
        deps.partnerCalls.note({ actor, surface, tool, requestId: request.id, failure, ms });
      }
      return withQuota(deps, endpoint, actor, reply);
    });
  };
  const options = { errorHandler, config: { mcp: true } };
  app.post(endpoint.path, options, routeHandler(post));
  app.delete(
    endpoint.path,
    options,
    routeHandler((request) => answerDelete(deps, endpoint, request)),
  );
  const refuse = (request: ExchangeRequest, thrown: unknown) => faultReply(deps, endpoint, request, thrown);
  lane.set(`POST ${endpoint.path}`, { exchange: post, mcp: true, refuse });
}

function withQuota(
  deps: Deps,
  { surface }: McpEndpoint,
  actor: Actor | undefined,
  reply: ExchangeReply,
): MaybePromise<ExchangeReply> {
  return surface === 'agent' ? withRemaining(deps, actor, reply) : reply;
}

const ACCEPTED: ExchangeReply = { status: 202, headers: {} };

/** The state of a request so far, for a refusal: it also states the remaining quota. */
interface RequestProgress {
  metered: boolean;
  /** The message, once the form of its response is known. */
  received?: { message: RpcMessage; era: Era };
  actor?: Actor;
  limits?: Record<string, string>;
  /** The called tool, and the code of the error if the call failed. */
  tool?: string;
  failure?: string | undefined;
}

function answerPost(
  deps: Deps,
  endpoint: McpEndpoint,
  request: ExchangeRequest,
  progress: RequestProgress,
): MaybePromise<ExchangeReply> {
  const asStream = wantsStream(request.headers.accept);
  if (asStream && !accepts(request.headers.accept, 'text/event-stream'))
    throw new AppError(
      'not_acceptable',
      'The Accept header must allow application/json or text/event-stream.',
    );
  const message = readMessage(request.body);
  if (message === undefined) return ACCEPTED;
  const tool = endpoint.offer.calledTool(message);
  progress.metered = tool?.metered === true;
  if (tool !== undefined) progress.tool = tool.listing.name;
  const era = eraOf(message, request.headers);
  progress.received = { message, era };
  const caller = authenticate(deps, endpoint.surface, request, endpoint.url);
  return andThen(caller, (actor) => {
    progress.actor = actor;
    return answerCaller(deps, endpoint, { request, message, era, actor, asStream }, progress);
  });
}

interface CallerMessage {
  request: ExchangeRequest;
  message: RpcMessage;
  era: Era;
  actor: Actor;
  asStream: boolean;
}

function answerCaller(
  deps: Deps,
  endpoint: McpEndpoint,
  caller: CallerMessage,
  progress: RequestProgress,
): MaybePromise<ExchangeReply> {
  const { request, message, era, actor, asStream } = caller;
  const now = deps.clock.now();
  const session =
    era.kind === 'legacy' ? readSession(deps, endpoint, request, message, actor, now) : undefined;
  if (message.id === undefined) return ACCEPTED;
  if (message.method === 'tools/call' && endpoint.keyForCalls) requirePartner(actor);
  const answer = () =>
    andThen(
      endpoint.offer.answer(message, era, { actor, requestId: request.id }),
      ({ text, headers, failure }) => {
        progress.failure = failure;
        const own = { ...progress.limits, ...headers };
        if (era.kind === 'legacy' && message.method === 'initialize')
          own['mcp-session-id'] = deps.sessions.create(endpoint.surface, actor, now);
        return textReply(200, text, asStream, own);
      },
    );
  const tool = endpoint.counted === true ? endpoint.offer.calledTool(message) : undefined;
  if (tool === undefined) return answer();
  return andThen(takeCall(deps, actor, session, tool, now), (limits) => {
    progress.limits = limits;
    return answer();
  });
}

async function answerDelete(
  deps: Deps,
  endpoint: McpEndpoint,
  request: ExchangeRequest,
): Promise<ExchangeReply> {
  const token = request.headers['mcp-session-id'];
  if (typeof token !== 'string')
    throw new AppError('bad_request', 'DELETE ends a session: send its Mcp-Session-Id.');
  const actor = await authenticate(deps, endpoint.surface, request, endpoint.url);
  deps.sessions.check(token, endpoint.surface, actor, deps.clock.now());
  await deps.sessions.end(token);
  return withQuota(deps, endpoint, actor, { status: 204, headers: {} });
}

/** The session id is optional but must be valid if sent. A stale one does not prevent a new initialize. */
function readSession(
  deps: Deps,
  endpoint: McpEndpoint,
  request: ExchangeRequest,
  message: RpcMessage,
  actor: Actor,
  now: Date,
): string | undefined {
  const token = request.headers['mcp-session-id'];
  if (token === undefined || message.method === 'initialize') return undefined;
  return deps.sessions.check(typeof token === 'string' ? token : '', endpoint.surface, actor, now);
}

function requirePartner(actor: Actor): void {
  if (actor.kind === 'partner') return;
  throw new AppError(
    'missing_credentials',
    'Every tool here needs a partner key in the X-Partner-Key header.',
    { hint: 'Get one with POST /api/partner/signup. An MCP client can connect by OAuth instead.' },
  );
}

/** JSON is the normal response; a client that accepts nothing but an event stream gets one with a single event. */
function wantsStream(accept: string | undefined): boolean {
  return !accepts(accept, 'application/json');
}

function textReply(
  status: number,
  text: string | RpcText,
  asStream: boolean,
  headers: Record<string, string>,
): ExchangeReply {
  headers['cache-control'] = 'no-store';
  headers['content-type'] = asStream ? 'text/event-stream' : 'application/json';
  if (!asStream) return { status, headers, body: text };
  const whole = typeof text === 'string' ? text : text[0] + text[1].toString();
  return { status, headers, body: `event: message\ndata: ${whole}\n\n` };
}

function promptReply(
  { config }: Deps,
  { surface, offer }: McpEndpoint,
  { headers }: ExchangeRequest,
  { received }: RequestProgress,
  thrown: unknown,
): ExchangeReply | undefined {
  if (received?.message.method !== 'tools/call' || received.message.id === undefined) return undefined;
  const prompt = signInResult(config, surface, headers, toAppError(thrown));
  if (prompt === undefined) return undefined;
  const { text, headers: own } = offer.refuse(received.message, received.era, prompt);
  return textReply(200, text, wantsStream(headers.accept), own);
}

/** Converts errors to JSON-RPC errors with an HTTP status. Refusals of the guards stay problem documents. */
function faultReply(
  deps: Deps,
  endpoint: McpEndpoint,
  request: ExchangeRequest,
  thrown: unknown,
): ExchangeReply {
  const id = idOf(request.body);
  if (thrown instanceof RpcError) {
    // With status 200 it is a normal response, in the form that the client accepts.
    const asStream = thrown.status === 200 && wantsStream(request.headers.accept);
    return textReply(thrown.status, errorText(id, thrown), asStream, {});
  }
  const error = toAppError(thrown);
  if (request.body === undefined && error.status === 403)
    return problemReply(deps.config.baseUrl, error, request.id);
  if (isFailure(thrown, error)) deps.log.error({ err: thrown, request_id: request.id }, 'mcp request failed');
  const challenge =
    error.code === 'missing_credentials'
      ? { 'www-authenticate': bearerChallenge(deps.config, endpoint.surface) }
      : undefined;
  return textReply(error.status, errorText(id, rpcErrorOf(error)), false, {
    ...challenge,
    ...errorHeaders(error),
  });
}
