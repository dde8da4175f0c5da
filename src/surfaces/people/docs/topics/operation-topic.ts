import { html, type Html } from '../../../../core/text/html.ts';
import type { Site } from '../../frame/layout.ts';
import { table } from '../../frame/table.ts';
import { codeBlock, jsonBlock } from '../code-block.ts';
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
import { fieldList, fieldsOf, type SchemaField } from './schema-fields.ts';

export interface ListedOperation {
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

/** Renders one operation: purpose, authentication, input and output. */
export function operationTopic(site: Site, document: OpenApiDocument, listed: ListedOperation): Html {
  const { id, method, path, operation } = listed;
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  const body = jsonMedia(operation.requestBody === undefined ? {} : resolve(document, operation.requestBody));
  const success = successOf(document, operation);
  return html`<section class="topic" id="${id}">
    <div class="words">
      <h2>${operation.summary ?? id}</h2>
      <p class="route">${methodBadge(method)}<code>${path}</code></p>
      <p class="soft">${access(document, operation)}</p>
      ${operation.description !== undefined && html`<p>${operation.description}</p>`}
      ${fieldSection('Parameters', parameterFields(document, parameters))}
      ${fieldSection('Body', body?.schema === undefined ? [] : fieldsOf(document, body.schema))}
      ${success?.media.schema !== undefined && foldedFields('Fields of the answer', fieldsOf(document, success.media.schema))}
      ${otherAnswers(document, operation, success?.status)}
    </div>
    <div class="flow">
      ${codeBlock('Request', requestExample(site, document, listed, parameters, body))}
      ${success !== undefined && jsonBlock(`Answer ${success.status}`, exampleOf(document, success.media))}
    </div>
  </section>`;
}

function methodBadge(method: Method): Html {
  return html`<span class="badge ${method === 'get' ? 'good' : 'sign'}">${method.toUpperCase()}</span>`;
}

export function fieldSection(title: string, fields: readonly SchemaField[]): Html | false {
  return (
    fields.length > 0 &&
    html`<h3>${title}</h3>
      ${fieldList(fields)}`
  );
}

export function foldedFields(title: string, fields: readonly SchemaField[]): Html | false {
  return (
    fields.length > 0 &&
    html`<details class="more">
      <summary>${title}</summary>
      ${fieldList(fields)}
    </details>`
  );
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
): Html | false {
  const others = Object.entries(operation.responses ?? {}).filter(([status]) => status !== successStatus);
  if (others.length === 0) return false;
  return html`<details class="more">
    <summary>Other answers</summary>
    ${table(
      { columns: ['Status', 'Meaning'] },
      others.map(
        ([status, answer]) =>
          html`<tr>
            <td>${status}</td>
            <td>${resolve(document, answer).description}</td>
          </tr>`,
      ),
    )}
  </details>`;
}

function jsonMedia({ content = {} }: Pick<ApiResponse, 'content'>): Media | undefined {
  return content['application/json'];
}
