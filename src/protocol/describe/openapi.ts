import type { Config } from '../../config.ts';
import type { Operation, OutgoingEvent, RestRoute } from '../../core/operation.ts';
import { attributionOf } from '../../directory/attribution.ts';
import type { JsonSchema } from './schema-node.ts';
import { answerJsonSchema, inputJsonSchema, mayBeEmpty, eventJsonSchema } from './json-schema.ts';
import { failures, ProblemResponses } from './problem-responses.ts';
import { sharedParameters, sharedSchemas } from './shared-parts.ts';
import { protectedResource, type ProtectedSurface } from '../../accounts/keys/protected-resource.ts';
import { SCOPE_DESCRIPTIONS } from '../../accounts/keys/scope-descriptions.ts';
import { SETS_MAY_GROW, sharedSets } from './closed-sets.ts';
import { surfaceOf } from '../http/request-path.ts';
import problemSchema from './problem-schema.json' with { type: 'json' };
import parts from './openapi-parts.json' with { type: 'json' };

export const API_VERSION = '1.0.0';
const AGENT_CREDENTIAL = { api_key: [] } as const;

/** Builds the OpenAPI document from the schemas that validate requests, so they cannot drift apart. */
export function openApiDocument(
  config: Config,
  operations: readonly Operation[],
  events: readonly OutgoingEvent[],
): Record<string, unknown> {
  const described: Record<string, Record<string, unknown>> = {};
  const problems = new ProblemResponses(config);
  for (const operation of operations) {
    const { rest } = operation;
    if (rest === undefined) continue;
    const path = (described[rest.path] ??= {});
    path[rest.method.toLowerCase()] = describeOperation(config, operation, rest, problems);
  }
  const outgoing = Object.fromEntries(
    events.map((event) => [event.name, { post: webhookOf(config, event) }]),
  );
  const sets = sharedSets({ paths: described, webhooks: outgoing, Problem: problemSchema }, config.prefix);
  const { paths, webhooks, Problem } = sets.document;
  const parameters = sharedParameters(paths);
  const { responses, examples } = problems.components();
  const schemas = sharedSchemas({ ...paths, ...webhooks }, Object.keys(sets.components));
  return {
    openapi: '3.1.0',
    info: {
      title: `${config.serviceName} agent surface`,
      version: API_VERSION,
      description: `A directory of real places that software agents read and write. Every request needs a real User-Agent. X-Request-Id identifies a request in our logs. Show the attribution of an answer beside everything you render from it. ${SETS_MAY_GROW}`,
      contact: { name: config.serviceName, url: `${config.baseUrl}/docs`, email: config.contactEmail },
      license: { name: 'Place data: ODbL 1.0', identifier: 'ODbL-1.0' },
    },
    servers: [{ url: serverUrl(config.baseUrl), description: config.serviceName }],
    tags: parts.tags,
    security: [AGENT_CREDENTIAL],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description: `The agent's API key, which begins with ${config.prefix}_live_. ${oauthWords(config, ['agent'])}`,
        },
        partner_key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Partner-Key',
          description: `The partner's key, which begins with ${config.prefix}_partner_. ${oauthWords(config, ['partner', 'concierge'])}`,
        },
      },
      parameters: { ...parts.parameters, ...eventHeaders(config.prefix), ...parameters },
      headers: parts.headers,
      examples,
      responses: { ...responses, ...parts.responses },
      schemas: { ...schemas, ...sets.components, Problem },
    },
  };
}

/** Describes the OAuth scopes with which an MCP client connects instead. */
function oauthWords(config: Config, surfaces: readonly ProtectedSurface[]): string {
  const scopes = surfaces
    .flatMap((surface) => protectedResource(config, surface).scopes)
    .map((scope) => `${config.prefix}.${scope}: ${SCOPE_DESCRIPTIONS[scope]}`);
  return `Only the MCP endpoints also accept OAuth tokens with a scope. ${scopes.join(' ')}`;
}

/** A local address is useless to others, so the document then refers to the server that it came from. */
function serverUrl(baseUrl: string): string {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(baseUrl) ? '/' : baseUrl;
}

function serversOf({ baseUrl, partnerUrl }: Config, { path }: RestRoute): Record<string, unknown> {
  if (surfaceOf(path) === 'agent' || partnerUrl === baseUrl) return {};
  return { servers: [{ url: partnerUrl, description: 'For partners' }] };
}

function describeOperation(
  config: Config,
  operation: Operation,
  route: RestRoute,
  problems: ProblemResponses,
): Record<string, unknown> {
  const input = inputJsonSchema(operation.input);
  const open = operation.access.who === 'anyone';
  const surface = surfaceOf(route.path);
  const credential = surface === 'agent' ? AGENT_CREDENTIAL : { partner_key: [] };
  return {
    operationId: operation.name,
    summary: operation.title,
    description: operation.description,
    tags: [operation.tag],
    ...serversOf(config, route),
    ...(open ? { security: [{}, credential] } : surface === 'agent' ? {} : { security: [credential] }),
    ...(route.method === 'GET'
      ? {
          parameters: [
            ...parameters(input, route.path, operation.example.input),
            { $ref: '#/components/parameters/If-None-Match' },
          ],
        }
      : requestBody(input, operation)),
    responses: {
      // A renewal or a repetition returns 200 where something new returns 201.
      ...(operation.statusOf !== undefined || operation.detectsRepetitions === true
        ? { 200: success(config, operation, route, REPEATED) }
        : {}),
      ...(operation.dryRun === undefined
        ? {}
        : { 200: success(config, operation, route, DRY_RUN, operation.dryRun.example) }),
      [String(route.status ?? 200)]: success(config, operation, route),
      ...(route.method === 'GET' ? { 304: { $ref: '#/components/responses/not_modified' } } : {}),
      ...Object.fromEntries(
        Object.entries(failures(operation, route)).map(([status, codes]) => [
          status,
          problems.reference(status, codes),
        ]),
      ),
    },
  };
}

function parameters(input: JsonSchema, path: string, example: Record<string, unknown>): unknown[] {
  return Object.entries(input.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: path.includes(`{${name}}`) ? 'path' : 'query',
    ...(input.required?.includes(name) === true ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...(example[name] === undefined ? {} : { example: example[name] }),
  }));
}

function requestBody(input: JsonSchema, operation: Operation): Record<string, unknown> {
  return {
    parameters: [{ $ref: '#/components/parameters/Idempotency-Key' }],
    requestBody: {
      required: !mayBeEmpty(input),
      content: { 'application/json': { schema: input, example: operation.example.input } },
    },
  };
}

const REPEATED = 'The result of a repeated request or a renewed account.';

const DRY_RUN = 'A dry run: checked, not stored. It costs one read.';

function success(
  config: Config,
  operation: Operation,
  { path }: RestRoute,
  words = operation.title,
  output: Record<string, unknown> = operation.example.output,
): Record<string, unknown> {
  const { attribution, attribution_links } = attributionOf(config, false);
  // One link in the example of each metered read shows the format.
  const links = attribution_links.slice(0, operation.metered === true ? 1 : 0);
  const example = { ...output, attribution, attribution_links: links };
  return {
    description: words,
    headers: Object.fromEntries(
      [
        ...(operation.effect === 'read' ? ['ETag'] : []),
        ...(surfaceOf(path) === 'agent' ? ['X-RateLimit-Remaining'] : []),
        ...(operation.metered === true ? ['RateLimit-Policy', 'RateLimit'] : []),
      ].map((name) => [name, { $ref: `#/components/headers/${name.replace('X-RateLimit-', '')}` }]),
    ),
    content: {
      // A repetition has the same shape, so one example is enough.
      'application/json': { schema: answerJsonSchema(operation), ...(words === REPEATED ? {} : { example }) },
    },
  };
}

function webhookOf(config: Config, event: OutgoingEvent): Record<string, unknown> {
  const { name, title, description, to, body } = event;
  return {
    operationId: name,
    summary: title,
    description: `${description} ${RULES[to]}`,
    tags: ['webhooks'],
    security: [],
    parameters: Object.keys(eventHeaders(config.prefix)).map((header) => ({
      $ref: `#/components/parameters/${header}`,
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: eventJsonSchema(body),
          example: { ...event.example, ...attributionOf(config, false) },
        },
      },
    },
    responses: {
      '2XX': { $ref: '#/components/responses/event_taken' },
      410: { $ref: '#/components/responses/event_unwanted' },
      '4XX': { $ref: '#/components/responses/event_failed' },
    },
  };
}

const RULES = {
  partner:
    'Posted to the address of set_webhook and signed with its secret: the key is what follows whsec_, decoded from base64.',
  agent:
    'Posted to the callback_url of the submission and signed with Ed25519; callback_keys_url of your account has the public keys.',
} as const;

function eventHeaders(prefix: string): Record<string, Record<string, unknown>> {
  const words = {
    [`${prefix}-signature`]:
      't=<unix seconds>, then v1=<hex HMAC-SHA256> for partners or v1a=<base64 Ed25519> for agents, over {t}.{raw body}.',
    'webhook-id': 'The id in the body.',
    'webhook-timestamp': 'Unix seconds of this attempt. Refuse calls that are more than five minutes off.',
    'webhook-signature':
      'Standard Webhooks: v1,<base64 HMAC-SHA256> for partners and v1a,<base64 Ed25519>, separated by spaces, over {webhook-id}.{webhook-timestamp}.{raw body}.',
  };
  return Object.fromEntries(
    Object.entries(words).map(([name, description]) => [
      name,
      { name, in: 'header', required: true, description, schema: { type: 'string' } },
    ]),
  );
}
