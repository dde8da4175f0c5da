import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Deps } from '../core/context.ts';
import { AppError } from '../core/errors.ts';
import type { Operation, RestRoute } from '../core/operation.ts';
import { accepts } from './accept.ts';
import { authenticate } from './authenticate.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { inputJsonSchema, type JsonSchema } from './json-schema.ts';
import { readHeaders } from './meter-read.ts';
import { runOperation, type Answer } from './run-operation.ts';

/** Serves every operation that has a REST route. */
export function addRestRoutes(app: FastifyInstance, deps: Deps, operations: readonly Operation[]): void {
  for (const operation of operations) {
    if (operation.rest !== undefined) addRoute(app, deps, operation, operation.rest);
  }
}

function addRoute(app: FastifyInstance, deps: Deps, operation: Operation, route: RestRoute): void {
  const properties = inputJsonSchema(operation.input).properties ?? {};
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { metered: operation.metered === true },
    handler: async (request, reply) => {
      let actor: Actor | undefined;
      try {
        requireJsonAccepted(request.headers.accept);
        actor = await authenticate(deps, 'agent', request);
        const answer = await runOperation(deps, operation, {
          actor,
          requestId: request.id,
          input: route.method === 'GET' ? readQuery(request, properties) : readBody(request),
          idempotencyKey:
            route.method === 'POST' ? readIdempotencyKey(request.headers['idempotency-key']) : undefined,
          ifNoneMatch: route.method === 'GET' ? request.headers['if-none-match'] : undefined,
        });
        // What a write answers may be shown once, as a new key is, so nothing on the way may keep it.
        if (operation.effect !== 'read') reply.header('cache-control', 'no-store');
        return await sendAnswer(reply, answer);
      } catch (thrown) {
        if (
          operation.metered === true &&
          !(thrown instanceof AppError && 'x-ratelimit-remaining' in thrown.headers)
        ) {
          reply.headers(await readHeaders(deps, actor, deps.clock.now()));
        }
        throw thrown;
      }
    },
  });
}

function sendAnswer(reply: FastifyReply, { status, prepared, replayed, headers }: Answer): FastifyReply {
  if (headers !== undefined)
    reply.headers(headers).header('etag', prepared.etag).header('cache-control', 'private, no-cache');
  if (status === 304) return reply.code(304).send();
  if (replayed) reply.header('idempotent-replayed', 'true');
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(prepared.json);
}

function requireJsonAccepted(accept: string | undefined): void {
  if (accepts(accept, 'application/json')) return;
  throw new AppError('not_acceptable', 'The answer is JSON.', {
    hint: 'Send Accept: application/json, or leave it out.',
  });
}

function readBody(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('malformed_json', 'The body must be a JSON object.');
  }
  return { ...body, ...(request.params as object) };
}

/** Query text becomes numbers and booleans here, once, by the schema; what does not fit stays text and is refused. */
function readQuery(request: FastifyRequest, properties: Record<string, JsonSchema>): Record<string, unknown> {
  // Without a prototype even a parameter named __proto__ is a parameter like others.
  const input = Object.create(null) as Record<string, unknown>;
  for (const [name, text] of parseQuery(request.url)) {
    if (Object.hasOwn(input, name)) {
      throw new AppError('bad_query', 'A query parameter stands more than once.', {
        hint: 'Send each parameter once.',
      });
    }
    input[name] = fromText(text, properties[name]?.type);
  }
  return { ...input, ...(request.params as object) };
}

function parseQuery(url: string): [string, string][] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  try {
    return url
      .slice(start + 1)
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [decodeQuery(name), decodeQuery(value.join('='))];
      });
  } catch (thrown) {
    throw new AppError('bad_query', 'The query string is not valid percent-encoded UTF-8.', {
      cause: thrown,
    });
  }
}

function decodeQuery(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function fromText(text: string, type: JsonSchema['type']): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
