/** The parts of an OpenAPI 3.1 document and of JSON Schema that the reference uses. */

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

export interface ApiParameter {
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

export interface ApiResponse {
  $ref?: string;
  description?: string;
  content?: Record<string, Media>;
}

export interface ApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: ApiParameter[];
  requestBody?: { $ref?: string; required?: boolean; content?: Record<string, Media> };
  responses?: Record<string, ApiResponse>;
  /** Servers of this operation, where they differ from those of the document. */
  servers?: { url: string }[];
  security?: Record<string, string[]>[];
}

interface SecurityScheme {
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

/** Follows a local reference such as `#/components/schemas/Place`. Anything else is returned unchanged. */
export function resolve<T extends { $ref?: string }>(document: OpenApiDocument, value: T): T {
  const { $ref, ...own } = value;
  if ($ref === undefined) return value;
  let target: unknown = document;
  for (const key of $ref.replace(/^#\//, '').split('/')) {
    if (typeof target !== 'object' || target === null) return value;
    target = (target as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return typeof target === 'object' && target !== null ? { ...(target as T), ...own } : value;
}
