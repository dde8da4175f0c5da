import {
  resolve,
  type ApiParameter,
  type Media,
  type OpenApiDocument,
  type Schema,
} from './openapi-document.ts';
import shell from './shell-variables.json' with { type: 'json' };

/**
 * Values that only the reader knows, and their origin. The examples read them from shell variables, which are set once.
 */
export const SHELL_VARIABLES: Readonly<Record<string, string>> = shell.variables;

/** Request fields that are replaced by a variable. */
const FIELDS: Readonly<Record<string, string>> = shell.fields;

/** Returns the example value of a field: a variable where only the reader knows the value. */
function exampleVariable(field: string, value: unknown): unknown {
  return value === undefined || value === null ? value : (FIELDS[field] ?? value);
}

/** Replaces all such fields of an example request. */
export function withVariables(example: unknown): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  const fields = Object.entries(example).map(
    ([field, value]) => [field, exampleVariable(field, value)] as const,
  );
  return Object.fromEntries(fields);
}

/** Idempotency key, generated per call: everybody would paste a constant. */
const IDEMPOTENCY_VARIABLE = '$IDEMPOTENCY_KEY';
const SET_IDEMPOTENCY_VARIABLE = 'IDEMPOTENCY_KEY=$(openssl rand -hex 16)';

const NAMES = [...Object.keys(SHELL_VARIABLES), IDEMPOTENCY_VARIABLE.slice(1)].join('|');
const VARIABLE = new RegExp(String.raw`\$(?:(?:${NAMES})\b|\{(?:${NAMES})\})`, 'g');

/** URL-encodes a text, except for the variables in it. */
function encodeExceptVariables(text: string): string {
  return mapParts(text, encodeURIComponent, (variable) => variable);
}

/** Quotes a text for a POSIX shell so that only our variables are expanded. */
function shellWord(text: string): string {
  const plain = text.replaceAll(VARIABLE, '');
  if (plain === text) return singleQuoted(text);
  if (!/["\\$`!]/.test(plain)) return `"${text}"`;
  return mapParts(text, singleQuoted, (variable) => `"${variable}"`);
}

function mapParts(text: string, plain: (part: string) => string, variable: (name: string) => string): string {
  const variables = text.match(VARIABLE) ?? [];
  return text
    .split(VARIABLE)
    .map((part, i) => plain(part) + (variables[i] === undefined ? '' : variable(variables[i])))
    .join('');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

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
