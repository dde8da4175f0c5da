import type { Config } from '../../config.ts';
import { ERRORS, AppError, type ErrorCode } from '../../core/errors.ts';
import type { Operation, RestRoute } from '../../core/operation.ts';
import { attributionOf } from '../../directory/attribution.ts';
import { answerJsonSchema, inputJsonSchema, mayBeEmpty, type JsonSchema } from './json-schema.ts';
import { problemDetails } from '../http/problem.ts';
import { surfaceOf } from '../http/request-path.ts';

export const API_VERSION = '1.0.0';

/** The description of surface A, made from the same schemas that check requests: the two cannot drift apart. */
export function openApiDocument(config: Config, operations: readonly Operation[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    if (operation.rest === undefined) continue;
    const path = (paths[operation.rest.path] ??= {});
    path[operation.rest.method.toLowerCase()] = describeOperation(config, operation, operation.rest);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${config.serviceName} agent surface`,
      version: API_VERSION,
      description: `A directory of real places that software agents read and write. Every request needs a real User-Agent. Show the attribution of an answer beside everything that you render from it.`,
      contact: { name: config.serviceName, url: `${config.baseUrl}/docs`, email: config.contactEmail },
      license: { name: 'Place data: ODbL 1.0', identifier: 'ODbL-1.0' },
    },
    servers: [{ url: serverUrl(config.baseUrl), description: config.serviceName }],
    tags: [
      { name: 'directory', description: 'Reading the directory.' },
      { name: 'account', description: 'The agent, its operator and its key.' },
      {
        name: 'submissions',
        description: 'Businesses and promotions. A person reviews each before any traveller sees it.',
      },
      {
        name: 'photos',
        description: 'Photos of places, licensed one use at a time from a wallet that a person fills.',
      },
      { name: 'partners', description: 'The account of a partner, whose tools are on its MCP endpoint.' },
    ],
    paths,
    components: {
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description: `The agent's API key, which begins with ${config.prefix}_live_.`,
        },
        partner_key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Partner-Key',
          description: `The partner's key, which begins with ${config.prefix}_partner_.`,
        },
      },
      schemas: { Problem: PROBLEM_SCHEMA },
    },
  };
}

/** A local address is of use to nobody else: there the document speaks of the server that it came from. */
function serverUrl(baseUrl: string): string {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(baseUrl) ? '/' : baseUrl;
}

/** What partners call may stand under an address of its own. */
function serversOf({ baseUrl, partnerUrl }: Config, { path }: RestRoute): Record<string, unknown> {
  if (surfaceOf(path) === 'agent' || partnerUrl === baseUrl) return {};
  return { servers: [{ url: partnerUrl, description: 'For partners' }] };
}

function describeOperation(config: Config, operation: Operation, route: RestRoute): Record<string, unknown> {
  const input = inputJsonSchema(operation.input);
  const open = operation.access.who === 'anyone';
  const credential = surfaceOf(route.path) === 'agent' ? { api_key: [] } : { partner_key: [] };
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    tags: [operation.tag],
    ...serversOf(config, route),
    security: open ? [{}, credential] : [credential],
    ...(route.method === 'GET'
      ? { parameters: parameters(input, route.path, operation.example.input) }
      : requestBody(input, operation)),
    responses: {
      // What renews something, or repeats what was done before, is 200 where something new is 201.
      ...(operation.statusOf !== undefined || operation.knowsRepetitions === true
        ? { 200: success(config, operation) }
        : {}),
      [String(route.status ?? 200)]: success(config, operation),
      ...failures(config, operation, route),
    },
  };
}

function parameters(input: JsonSchema, path: string, example: Record<string, unknown>): unknown[] {
  return Object.entries(input.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: path.includes(`{${name}}`) ? 'path' : 'query',
    required: input.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...(example[name] === undefined ? {} : { example: example[name] }),
  }));
}

function requestBody(input: JsonSchema, operation: Operation): Record<string, unknown> {
  return {
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        required: false,
        description:
          'Your own name for this request, 1 to 255 characters: a new UUID for each. Repeating it within a day repeats the answer, not the work. Without an account it must be random and have at least 20 characters.',
        schema: { type: 'string', minLength: 1, maxLength: 255 },
      },
    ],
    requestBody: {
      required: !mayBeEmpty(input),
      content: { 'application/json': { schema: input, example: operation.example.input } },
    },
  };
}

function success(config: Config, operation: Operation): Record<string, unknown> {
  const example = { ...operation.example.output, ...attributionOf(config, false) };
  return {
    description: operation.title,
    headers: {
      'X-Request-Id': { description: 'Names this request in our logs.', schema: { type: 'string' } },
      ...(operation.metered === true ? QUOTA_HEADERS : {}),
    },
    content: { 'application/json': { schema: answerJsonSchema(operation), example } },
  };
}

/** On every answer of a counted operation, refusals included. */
const QUOTA_HEADERS = {
  'X-RateLimit-Remaining': { description: 'Reads left today.', schema: { type: 'integer' } },
  'RateLimit-Policy': {
    description: 'The ceilings of your plan, as draft-ietf-httpapi-ratelimit-headers writes them.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of each ceiling, and in how many seconds it starts anew.',
    schema: { type: 'string' },
  },
} as const;

/** The ceilings that a refusal names, as RateLimit-Policy does. */
const VIOLATED: Partial<Record<ErrorCode, readonly string[]>> = {
  daily_quota_exhausted: ['daily'],
  rate_limited: ['minute'],
};

/** What can go wrong on every route, and what only this operation refuses; one response per status. */
function failures(config: Config, operation: Operation, route: RestRoute): Record<string, unknown> {
  const common: ErrorCode[] =
    route.method === 'GET'
      ? ['bad_query', 'invalid_key', 'user_agent_required', 'not_acceptable', 'validation_failed']
      : [
          'malformed_json',
          'invalid_key',
          'user_agent_required',
          'body_too_large',
          'unsupported_media_type',
          'validation_failed',
          'idempotency_in_progress',
          'idempotency_key_reused',
        ];
  const byStatus = new Map<number, ErrorCode[]>();
  const guarded = common.map((code) =>
    // A partner's key is looked at wherever it is sent; a User-Agent is asked for on the agent surface only.
    code === 'user_agent_required' && surfaceOf(route.path) !== 'agent' ? 'partner_suspended' : code,
  );
  const addressed: ErrorCode[] = route.path.includes('{') ? ['uri_too_long'] : [];
  for (const code of new Set([...guarded, ...addressed, ...(operation.failures ?? [])])) {
    const status = ERRORS[code][0];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [String(status), failure(config, codes)]),
  );
}

function failure(config: Config, codes: ErrorCode[]): Record<string, unknown> {
  const examples = codes.map((code) => {
    const violatedPolicies = VIOLATED[code];
    const error = new AppError(code, `${ERRORS[code][1]}.`, violatedPolicies && { violatedPolicies });
    const problem = problemDetails(config.baseUrl, error, 'req_01kdtqb00071qz6sbs7e2vkqza');
    return [code, { summary: ERRORS[code][1], value: problem }];
  });
  return {
    description: codes.map((code) => ERRORS[code][1]).join(', or: '),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples) as Record<string, unknown>,
      },
    },
  };
}

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457 problem details. Programs switch on code.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'error', 'docs'],
  properties: {
    type: { type: 'string', description: 'A page about this kind of problem.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What went wrong, and what to do about it.' },
    instance: { type: 'string', description: 'The id of the request, as in X-Request-Id.' },
    code: { type: 'string', description: 'Stable word for this problem.' },
    error: { type: 'string', description: 'The same as code.' },
    errors: {
      type: 'array',
      description: 'The fields that are at fault.',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into what you sent.' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
    'violated-policies': {
      type: 'array',
      description: 'The ceilings that were reached, by their names in RateLimit-Policy.',
      items: { type: 'string' },
    },
    result: { type: 'string', description: 'price_moved, when another buyer moved the price.' },
    quote: {
      type: 'object',
      description: 'The price and the terms that hold now, where a price was refused.',
    },
    balance: { type: 'object', description: 'What the wallet holds, where it holds too little.' },
    spent_today_cents: { type: 'integer', description: 'What was spent today, where the day has a limit.' },
    cap_cents: { type: 'integer', description: 'The limit of the day.' },
    resets_at: { type: 'string', description: 'When the daily spending counts anew.' },
    docs: { type: 'string' },
  },
} as const;
