/** The parts of an OpenAPI 3.1 document and of JSON Schema that the reference page reads. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  'x-enumDescriptions'?: Record<string, string>;
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  example?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

export interface Answer {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

export interface ApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { $ref?: string; required?: boolean; content?: Record<string, Media> };
  responses?: Record<string, Answer>;
  /** Where it is not under the address of the document. */
  servers?: { url: string }[];
  security?: Record<string, string[]>[];
}

export interface SecurityScheme {
  type: string;
  scheme?: string;
  name?: string;
  in?: string;
  description?: string;
}

export interface OpenApiDocument {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Partial<Record<Method, ApiOperation>>>;
  webhooks?: Record<string, { post?: ApiOperation }>;
  components?: {
    securitySchemes?: Record<string, SecurityScheme>;
    [kind: string]: Record<string, unknown> | undefined;
  };
  security?: Record<string, string[]>[];
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

/** Follows a local reference such as `#/components/schemas/Place`. Anything else stays as it is. */
export function resolve<T extends { $ref?: string }>(document: OpenApiDocument, value: T): T {
  const { $ref, ...own } = value;
  if ($ref === undefined) return value;
  let found: unknown = document;
  for (const key of $ref.replace(/^#\//, '').split('/')) {
    if (typeof found !== 'object' || found === null) return value;
    found = (found as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return typeof found === 'object' && found !== null ? { ...(found as T), ...own } : value;
}
