import {
  resolve,
  type Media,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from './openapi-document.ts';
import {
  encodeAround,
  MAKE_OWN_KEY,
  OWN_KEY,
  readersOwn,
  shellWord,
  withReadersOwn,
} from './shell-variables.ts';

const DEPTH_MAX = 5;
const LINE_MAX = 56;
export const EXAMPLE_USER_AGENT = 'YourAgent/1.0 (+https://example.com/agent)';

/** How a call says who makes it. */
export const BEARER = 'Authorization: Bearer $KEY';
export const PARTNER_KEY = 'X-Partner-Key: $PARTNER_KEY';

/** The example that the description carries, or one made from the schema. */
export function exampleOf(document: OpenApiDocument, media: Media): unknown {
  const [named] = Object.values(media.examples ?? {});
  return media.example ?? named?.value ?? sample(document, media.schema ?? {});
}

/** A value that satisfies the shape of a schema: its own example, its default, its first allowed value, or a stand-in. */
export function sample(document: OpenApiDocument, schema: Schema, depth = 0): unknown {
  const own = resolve(document, schema);
  const given = own.example ?? own.examples?.[0] ?? own.const ?? own.default ?? own.enum?.[0];
  if (given !== undefined || depth > DEPTH_MAX) return given;
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

/** Only what must be sent: an example that shows every option hides the rule. */
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

/** A command that works when pasted into a POSIX shell in which the reader's own values are set. */
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
          `-d ${shellWord(compactJson(withReadersOwn(body)))}`,
        ]),
  ];
  const command = lines.join(' \\\n  ');
  return command.includes(OWN_KEY) ? `${MAKE_OWN_KEY}\n${command}` : command;
}

/** On one line as long as that line can be read without scrolling. */
function compactJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= LINE_MAX ? line : JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

/** The address with its path parameters filled in and those query parameters that have an example or must be sent. */
export function exampleUrl(
  document: OpenApiDocument,
  base: string,
  path: string,
  parameters: readonly Parameter[],
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return encodeAround(text(parameter === undefined ? name : valueOf(document, parameter)));
  });
  const query = parameters
    .filter(
      (parameter) =>
        parameter.in === 'query' && (parameter.required === true || hasExample(document, parameter)),
    )
    .map((parameter) => `${parameter.name}=${encodeAround(text(valueOf(document, parameter)))}`);
  return `${base}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function valueOf(document: OpenApiDocument, parameter: Parameter): unknown {
  return readersOwn(parameter.name, parameter.example ?? sample(document, parameter.schema ?? {}));
}

function hasExample(document: OpenApiDocument, parameter: Parameter): boolean {
  const schema = resolve(document, parameter.schema ?? {});
  return parameter.example !== undefined || schema.example !== undefined || schema.examples !== undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
