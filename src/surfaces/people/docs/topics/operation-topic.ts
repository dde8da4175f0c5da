import { html } from '../../../../core/text/html.ts';
import type { Site } from '../../frame/layout.ts';
import {
  codeSpan,
  contentTable,
  escapeMarkdown,
  example,
  foldedContent,
  jsonExample,
  paragraph,
  topicContent,
  type Content,
} from '../content.ts';
import { BEARER, curl, exampleOf, exampleUrl, PARTNER_KEY } from './examples.ts';
import {
  METHODS,
  resolve,
  type ApiResponse,
  type ApiOperation,
  type Media,
  type Method,
  type OpenApiDocument,
  type ApiParameter,
} from './openapi-document.ts';
import { fieldSection, fieldsOf, foldedFields, type SchemaField } from './schema-fields.ts';

interface ListedOperation {
  id: string;
  method: Method;
  path: string;
  tag: string;
  operation: ApiOperation;
}

/** Lists the operations in document order. */
export function listOperations(document: OpenApiDocument): ListedOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const id = operation.operationId ?? `${method}${path.replace(/\W+/g, '-')}`;
      return [{ id, method, path, tag: operation.tags?.[0] ?? 'Operations', operation }];
    }),
  );
}

/** Describes one operation: purpose, authentication, input and output. */
export function operationTopic(site: Site, document: OpenApiDocument, listed: ListedOperation): Content {
  const { id, method, path, operation } = listed;
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  const body = jsonMedia(operation.requestBody === undefined ? {} : resolve(document, operation.requestBody));
  const success = successOf(document, operation);
  return topicContent(
    { id, title: operation.summary ?? id, textClass: 'words' },
    [
      route(method, path),
      paragraph(access(document, operation), 'soft'),
      operation.description !== undefined && paragraph(operation.description),
      fieldSection('Parameters', parameterFields(document, parameters)),
      fieldSection('Body', fieldsOf(document, body?.schema ?? {})),
      foldedFields('Fields of the answer', fieldsOf(document, success?.media.schema ?? {})),
      otherAnswers(document, operation, success?.status),
    ],
    [
      example('Request', 'sh', requestExample(site, document, listed, parameters, body)),
      success !== undefined && jsonExample(`Answer ${success.status}`, exampleOf(document, success.media)),
    ],
  );
}

function route(method: Method, path: string): Content {
  const verb = method.toUpperCase();
  return {
    html: html`<p class="route">
      <span class="badge ${method === 'get' ? 'good' : 'sign'}">${verb}</span><code>${path}</code>
    </p>`,
    markdown: `${verb} ${codeSpan(path)}`,
  };
}

function parameterFields(document: OpenApiDocument, parameters: readonly ApiParameter[]): SchemaField[] {
  return parameters.map(({ name, required = false, description, schema = {} }) => {
    const own = resolve(document, schema);
    return { path: name, schema: own, required, description: description ?? own.description };
  });
}

/** Describes the accepted credentials, from the security requirements of the operation. */
function access(document: OpenApiDocument, operation: ApiOperation): string {
  const requirements = operation.security ?? document.security ?? [];
  const credentials = requirements.flatMap((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => credentialText(document, name, scopes)),
  );
  if (credentials.length === 0) return 'No key needed.';
  const optional = requirements.some((requirement) => Object.keys(requirement).length === 0);
  return `${optional ? 'Optional' : 'Needs'}: ${credentials.join(', or ')}.`;
}

function credentialText(document: OpenApiDocument, name: string, scopes: readonly string[]): string {
  const scheme = document.components?.securitySchemes?.[name];
  const scope = scopes.length > 0 ? ` with ${scopes.join(' and ')}` : '';
  if (scheme?.type === 'http') return `your key as a bearer token${scope}`;
  if (scheme?.type === 'apiKey') return `your key in ${scheme.name ?? name}${scope}`;
  return scheme?.type === 'oauth2' ? `OAuth${scope}` : `${name}${scope}`;
}

function authHeader(document: OpenApiDocument, operation: ApiOperation): string[] {
  const [requirement = {}] = operation.security ?? document.security ?? [];
  const [name = ''] = Object.keys(requirement);
  const scheme = document.components?.securitySchemes?.[name];
  if (scheme === undefined) return [];
  return [scheme.type === 'apiKey' ? PARTNER_KEY : BEARER];
}

function requestExample(
  site: Site,
  document: OpenApiDocument,
  { method, path, operation }: ListedOperation,
  parameters: readonly ApiParameter[],
  body: Media | undefined,
): string {
  const server = operation.servers?.[0]?.url ?? document.servers?.[0]?.url ?? '/';
  // On a local installation the document names no host; use the one it was read from.
  const base = server === '/' ? site.baseUrl : server;
  return curl({
    url: exampleUrl(document, base, path, parameters),
    method: method.toUpperCase(),
    headers: authHeader(document, operation),
    ...(body === undefined ? {} : { body: exampleOf(document, body) }),
  });
}

/** Returns the answer to a first call. Where a repeated call has a status of its own, that is the lower one. */
function successOf(
  document: OpenApiDocument,
  operation: ApiOperation,
): { status: string; media: Media } | undefined {
  return Object.entries(operation.responses ?? {})
    .flatMap(([status, answer]) => {
      const media = status.startsWith('2') ? jsonMedia(resolve(document, answer)) : undefined;
      return media === undefined ? [] : [{ status, media }];
    })
    .at(-1);
}

function otherAnswers(
  document: OpenApiDocument,
  operation: ApiOperation,
  successStatus: string | undefined,
): Content | false {
  const others = Object.entries(operation.responses ?? {}).filter(([status]) => status !== successStatus);
  if (others.length === 0) return false;
  const answers = contentTable(
    ['Status', 'Meaning'],
    others.map(([status, answer]) => ({
      cells: [status, escapeMarkdown(resolve(document, answer).description ?? '')],
    })),
  );
  return foldedContent('Other answers', answers);
}

function jsonMedia({ content = {} }: Pick<ApiResponse, 'content'>): Media | undefined {
  return content['application/json'];
}
