import {
  resolve,
  type Media,
  type OpenApiDocument,
  type ApiParameter,
  type Schema,
} from './openapi-document.ts';
import {
  encodeExceptVariables,
  SET_IDEMPOTENCY_VARIABLE,
  IDEMPOTENCY_VARIABLE,
  exampleVariable,
  shellWord,
  withVariables,
} from './shell-variables.ts';

const DEPTH_MAX = 5;
const LINE_MAX = 56;
export const EXAMPLE_USER_AGENT = 'YourAgent/1.0 (+https://example.com/agent)';

/** Headers that authenticate a call. */
export const BEARER = 'Authorization: Bearer $KEY';
export const PARTNER_KEY = 'X-Partner-Key: $PARTNER_KEY';

/** Returns the example of the description, or one generated from the schema. */
export function exampleOf(document: OpenApiDocument, media: Media): unknown {
  const [namedExample] = Object.values(media.examples ?? {});
  return media.example ?? namedExample?.value ?? sample(document, media.schema ?? {});
}

/** Generates a value that satisfies a schema: its example, default, first allowed value, or a placeholder. */
export function sample(document: OpenApiDocument, schema: Schema, depth = 0): unknown {
  const own = resolve(document, schema);
  const declared = own.example ?? own.examples?.[0] ?? own.const ?? own.default ?? own.enum?.[0];
  if (declared !== undefined || depth > DEPTH_MAX) return declared;
  const [first] = own.anyOf ?? own.oneOf ?? own.allOf ?? [];
  if (first !== undefined) return sample(document, first, depth + 1);
  if (own.properties !== undefined) return sampleObject(document, own, depth);
  if (own.items !== undefined) return [sample(document, own.items, depth + 1)];
  const type = Array.isArray(own.type) ? own.type[0] : own.type;
  return (
    { string: '…', integer: own.minimum ?? 1, number: own.minimum ?? 1, boolean: true, array: [] }[
      type ?? ''
    ] ?? null
  );
}

/** Generates only required members: an example that shows every option hides which are needed. */
function sampleObject(document: OpenApiDocument, schema: Schema, depth: number): Record<string, unknown> {
  const required = new Set(schema.required);
  return Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => required.has(name))
      .map(([name, property]) => [name, sample(document, property, depth + 1)]),
  );
}

export interface Curl {
  url: string;
  method?: string;
  headers?: readonly string[];
  body?: unknown;
}

/** Returns a command that works when pasted into a POSIX shell in which the reader's variables are set. */
export function curl({ url, method = 'GET', headers = [], body }: Curl): string {
  const lines = [
    `curl ${shellWord(url)}`,
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    `-A ${shellWord(EXAMPLE_USER_AGENT)}`,
    ...headers.map((header) => `-H ${shellWord(header)}`),
    ...(body === undefined
      ? []
      : [
          `-H ${shellWord('Content-Type: application/json')}`,
          `-d ${shellWord(compactJson(withVariables(body)))}`,
        ]),
  ];
  const command = lines.join(' \\\n  ');
  return command.includes(IDEMPOTENCY_VARIABLE) ? `${SET_IDEMPOTENCY_VARIABLE}\n${command}` : command;
}

/** Formats JSON on one line if that fits without scrolling. */
function compactJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= LINE_MAX ? line : JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

/** Returns the URL with path parameters filled in, and the query parameters that are required or have an example. */
export function exampleUrl(
  document: OpenApiDocument,
  base: string,
  path: string,
  parameters: readonly ApiParameter[],
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return encodeExceptVariables(text(parameter === undefined ? name : valueOf(document, parameter)));
  });
  const query = parameters
    .filter(
      (parameter) =>
        parameter.in === 'query' && (parameter.required === true || hasExample(document, parameter)),
    )
    .map((parameter) => `${parameter.name}=${encodeExceptVariables(text(valueOf(document, parameter)))}`);
  return `${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function valueOf(document: OpenApiDocument, parameter: ApiParameter): unknown {
  return exampleVariable(parameter.name, parameter.example ?? sample(document, parameter.schema ?? {}));
}

function hasExample(document: OpenApiDocument, parameter: ApiParameter): boolean {
  const schema = resolve(document, parameter.schema ?? {});
  return parameter.example !== undefined || schema.example !== undefined || schema.examples !== undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
