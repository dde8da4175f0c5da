import type { FastifyInstance } from 'fastify';
import type { Actor, Deps } from '../core/context.ts';
import { AppError, isFailure } from '../core/errors.ts';
import { andThen, orElse } from '../core/memory/maybe-promise.ts';
import { memoizeText } from '../core/memory/memoize-text.ts';
import { acceptedLanguages } from '../core/text/languages.ts';
import type { Operation, RestRoute } from '../core/operation.ts';
import { accepts } from './http/accept.ts';
import { authenticate } from './authenticate.ts';
import { routeHandler, type ExchangeRequest, type Exchange, type ExchangeReply } from './http/exchange.ts';
import type { LaneRoutes } from './http/fast-lane.ts';
import { toAppError } from './http/http-error.ts';
import { readIdempotencyKey } from './run/idempotency.ts';
import type { JsonSchema } from './describe/schema-node.ts';
import { inputJsonSchema, mayBeEmpty } from './describe/json-schema.ts';
import { coerceToSchema } from './run/normalize-input.ts';
import { failedReadHeaders, withRemaining } from './run/meter-read.ts';
import { parseInput } from './run/parse-input.ts';
import { problemReply } from './http/problem.ts';
import { surfaceOf } from './http/request-path.ts';
import { runOperation, type OperationAnswer } from './run/run-operation.ts';

const REMEMBERED = 2_000;

/** Serves every operation that has a REST route; reads without path parameters are also served on the fast lane. */
export function addRestRoutes(
  app: FastifyInstance,
  deps: Deps,
  operations: readonly Operation[],
  lane: LaneRoutes,
): void {
  for (const operation of operations) {
    if (operation.rest === undefined) continue;
    const { method, path } = operation.rest;
    const exchange = restExchange(deps, operation, operation.rest);
    const serve = (at: string, handled: Exchange) => {
      app.route({ method, url: at.replaceAll(/\{(\w+)\}/g, ':$1'), handler: routeHandler(handled) });
    };
    serve(path, exchange);
    const { formerly } = operation.rest;
    if (formerly !== undefined) serve(formerly.path, deprecated(exchange, path, formerly));
    if (method === 'GET' && !path.includes('{')) {
      lane.set(`GET ${path}`, {
        exchange,
        mcp: false,
        refuse: ({ id }, thrown) => problemOf(deps, thrown, id),
      });
    }
  }
}

const BEFORE_LANGUAGE = '\n';

function restExchange(deps: Deps, operation: Operation, route: RestRoute): Exchange {
  const schema = inputJsonSchema(operation.input);
  const { properties = {} } = schema;
  const bodyless = mayBeEmpty(schema);
  const get = route.method === 'GET';
  const surface = surfaceOf(route.path);
  // Where the reader's language matters, the header sets it unless the URL does.
  const isLocalized = Object.hasOwn(operation.input.shape, 'lang');
  const fromQuery = (urlAndLanguage: string) => {
    const [url = '', lang] = urlAndLanguage.split(BEFORE_LANGUAGE);
    const members = readQuery(url, properties);
    return lang === undefined || (members['lang'] ?? '') !== '' ? members : { ...members, lang };
  };
  // Cached by URL: callers repeat the same requests, and the same URL always gives the same input.
  const checkQuery = memoizeText(
    (urlAndLanguage) => parseInput(operation.input, fromQuery(urlAndLanguage), operation.missing),
    REMEMBERED,
  );
  const readGet = ({ url, params, headers }: ExchangeRequest) => {
    const lang = isLocalized ? acceptedLanguages(headers['accept-language']) : undefined;
    const urlAndLanguage = lang === undefined ? url : url + BEFORE_LANGUAGE + lang;
    return route.path.includes('{')
      ? { input: { ...fromQuery(urlAndLanguage), ...params } }
      : { input: undefined, checked: () => checkQuery(urlAndLanguage) };
  };
  return (request) => {
    let caller: Actor | undefined;
    let failure: string | undefined;
    const startedAt = performance.now();
    const reply = orElse(
      () =>
        andThen(authenticate(deps, surface, request), (actor) => {
          caller = actor;
          requireJsonAccepted(request.headers.accept);
          const { id: requestId, headers } = request;
          const answer = runOperation(
            deps,
            operation,
            get
              ? { actor, requestId, ...readGet(request), ifNoneMatch: headers['if-none-match'] }
              : {
                  actor,
                  requestId,
                  input: readBody(request, bodyless),
                  idempotencyKey: readIdempotencyKey(headers['idempotency-key']),
                },
          );
          return andThen(answer, (answered) => answerReply(operation, isLocalized, answered));
        }),
      async (thrown) => {
        failure = toAppError(thrown).code;
        const problem = problemOf(deps, thrown, request.id);
        if (operation.metered === true)
          Object.assign(problem.headers, await failedReadHeaders(deps, caller, thrown));
        return problem;
      },
    );
    if (surface === 'agent') return andThen(reply, (answered) => withRemaining(deps, caller, answered));
    return andThen(reply, (answered) => {
      const ms = performance.now() - startedAt;
      const call = { actor: caller, surface, tool: operation.name, requestId: request.id, failure, ms };
      deps.partnerCalls.note(call);
      return answered;
    });
  };
}

/** Serves a former path like the new one, and announces its deprecation according to RFC 9745 and RFC 8594. */
function deprecated(
  exchange: Exchange,
  path: string,
  { deprecated: since, sunset }: NonNullable<RestRoute['formerly']>,
): Exchange {
  const notice = {
    deprecation: `@${since.getTime() / 1000}`,
    sunset: sunset.toUTCString(),
    link: `<${path}>; rel="successor-version", </changelog.json>; rel="deprecation"`,
  };
  return (request) =>
    andThen(exchange(request), (reply) => ({ ...reply, headers: { ...reply.headers, ...notice } }));
}

function problemOf(deps: Deps, thrown: unknown, requestId: string): ExchangeReply {
  const error = toAppError(thrown);
  if (isFailure(thrown, error)) deps.log.error({ err: thrown, request_id: requestId }, 'request failed');
  return problemReply(deps.config.baseUrl, error, requestId);
}

function answerReply(
  operation: Operation,
  isLocalized: boolean,
  { status, prepared, replayed, headers }: OperationAnswer,
): ExchangeReply {
  const own: Record<string, string> = { 'content-type': 'application/json; charset=utf-8' };
  // The response of a write may be shown once, such as a new key, so nothing in between may cache it.
  if (operation.effect !== 'read') own['cache-control'] = 'no-store';
  else Object.assign(own, headers, { etag: prepared.etag, 'cache-control': 'private, no-cache' });
  if (isLocalized) own['vary'] = 'accept-language';
  if (replayed) own['idempotent-replayed'] = 'true';
  return status === 304 ? { status, headers: own } : { status, headers: own, body: prepared.json };
}

function requireJsonAccepted(accept: string | undefined): void {
  if (accepts(accept, 'application/json')) return;
  throw new AppError('not_acceptable', 'This address answers only in JSON.', {
    hint: 'Send Accept: application/json, or leave it out.',
  });
}

function readBody(request: ExchangeRequest, bodyless: boolean): Record<string, unknown> {
  const body = request.body === undefined && bodyless ? {} : request.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('malformed_json', 'The body must be a JSON object.');
  return { ...body, ...request.params };
}

/** Converts query text to numbers and booleans by the schema; values that do not fit stay text and are refused. */
function readQuery(url: string, properties: Record<string, JsonSchema>): Record<string, unknown> {
  const members: [string, unknown][] = [];
  for (const [name, text] of parseQuery(url)) {
    if (members.some(([other]) => other === name))
      throw new AppError('bad_query', 'A query parameter was sent more than once.', {
        hint: 'Send each parameter once.',
      });
    members.push([name, text === '' ? text : coerceToSchema(text, properties[name] ?? {})]);
  }
  // fromEntries treats even a parameter named __proto__ like any other.
  return Object.fromEntries(members);
}

function parseQuery(url: string): [string, string][] {
  const pairs: [string, string][] = [];
  try {
    for (let from = url.indexOf('?') + 1, to = 0; from > 0 && from < url.length; from = to + 1) {
      to = url.indexOf('&', from);
      if (to < 0) to = url.length;
      const equals = url.indexOf('=', from);
      const nameEnd = equals < 0 || equals > to ? to : equals;
      if (to > from)
        pairs.push([decodeQuery(url.slice(from, nameEnd)), decodeQuery(url.slice(nameEnd + 1, to))]);
    }
  } catch (thrown) {
    throw new AppError('bad_query', 'The query string is not valid percent-encoded UTF-8.', {
      cause: thrown,
      hint: 'Encode names and values as UTF-8 and escape a literal percent sign as %25.',
    });
  }
  return pairs;
}

function decodeQuery(text: string): string {
  return /[+%]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
}
