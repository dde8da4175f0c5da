import type { Html } from '../../../core/text/html.ts';
import type { Site } from '../frame/layout.ts';
import type { OpenApiDocument } from './topics/openapi-document.ts';
import type { McpSurface } from './topics/tool-topic.ts';

export interface DocsModel {
  site: Site;
  openapi: OpenApiDocument;
  surfaces: readonly McpSurface[];
  /** Prefix of API keys. */
  prefix: string;
  now: Date;
}

export interface Guide {
  /** Page on which it appears, before the operations or tools of that page. */
  page: string;
  id: string;
  title: string;
  words: Html;
  examples: Html[];
}
